// Lays a page out for a picture: some of its sections, two beside each other, without the words around them.
() => {
  const shown = ['curves', 'plane', 'shapley', 'explorer'];
  const style = document.createElement('style');
  style.textContent = `
    main { max-width: none; display: grid; grid-template-columns: 1fr 1fr; gap: 1rem; padding: 1.2rem; align-items: stretch }
    main > *, section > p, #explorer h3, #explorer .answers, #explorer .fields, #explorer .fields + p { display: none }
    ${shown.map((id) => `#${id}`).join()} { display: block; margin: 0 }`;
  document.head.append(style);
  const main = document.querySelector('main');
  for (const id of shown) main.append(document.getElementById(id));
  // The swarm of one class.
  const list = document.querySelector('#shapley select');
  list.value = 2;
  list.dispatchEvent(new Event('change'));
  const resized = new Promise((done) => setTimeout(done, 300));
  return resized.then(() => {
    const { left, top, width, height } = main.getBoundingClientRect();
    return [left + scrollX, top + scrollY, width, height];
  });
}
