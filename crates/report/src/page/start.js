const data = JSON.parse(document.getElementById('data').textContent);
for (const host of document.querySelectorAll('.figure')) figures[host.dataset.figure](host, data[host.id]);
