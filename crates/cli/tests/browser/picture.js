// Lays a page out for a picture: some of its sections in two columns, without the words around them.
async () => {
  const sides = [
    ['curves', 'shapley'],
    ['plane', 'explorer'],
  ];
  const style = document.createElement('style');
  style.textContent = `
    main { max-width: none; display: flex; gap: .9rem; padding: .9rem }
    main > *, section > p, #explorer h3, #explorer .fields, #explorer .answers, #explorer .fields + p { display: none }
    main > .side { display: flex; flex-direction: column; gap: .9rem; flex: 1 1 0; min-width: 0 }
    .side section { margin: 0; padding: .9rem 1.1rem } .side section:last-child { flex: 1 }`;
  document.head.append(style);
  const main = document.querySelector('main');
  for (const ids of sides) {
    const side = document.createElement('div');
    side.className = 'side';
    side.append(...ids.map((id) => document.getElementById(id)));
    main.append(side);
  }
  // The swarm of one class.
  const list = document.querySelector('#shapley select');
  list.value = 2;
  list.dispatchEvent(new Event('change'));
  await new Promise((done) => setTimeout(done, 400));
  const { left, top, width, height } = main.getBoundingClientRect();
  return [left + scrollX, top + scrollY, width, height];
}
