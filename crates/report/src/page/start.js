const data = JSON.parse(document.getElementById('data').textContent);
for (const node of document.querySelectorAll('.scroll')) reachable(node);
for (const host of document.querySelectorAll('.figure')) figures[host.dataset.figure](host, data[host.id]);
