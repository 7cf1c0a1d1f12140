// What all figures share: making elements, axes with round numbers, the tip at the pointer.
const figures = {};
const SVG = 'http://www.w3.org/2000/svg';

function put(node, attributes, children) {
  for (const [name, value] of Object.entries(attributes || {})) {
    if (typeof value === 'function') node[name] = value;
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(name, value);
  }
  for (const child of children) if (child !== null && child !== undefined) node.append(child);
  return node;
}
const html = (name, attributes, ...children) => put(document.createElement(name), attributes, children);
const svg = (name, attributes, ...children) => put(document.createElementNS(SVG, name), attributes, children);
const colour = (at) => (at < 8 ? `var(--c${at})` : `hsl(${(at * 137.508) % 360} 45% 55%)`);

const shortened = (text, most) => (text.length > most ? text.slice(0, Math.max(1, most - 1)) + '…' : text);

// Words in a picture that have so much room and no more.
function fitted(picture, room, attributes, text) {
  const node = svg('text', attributes, text);
  picture.append(node);
  for (let kept = text.length - 1; kept > 0 && node.getComputedTextLength() > room; kept--)
    node.textContent = text.slice(0, kept) + '…';
  return node;
}

// A drawing that follows the width of its place.
function drawing(host, height, draw) {
  const place = html('div');
  host.append(place);
  let width = 0;
  const redraw = () => {
    width = place.clientWidth || 640;
    const tall = typeof height === 'function' ? height(width) : height;
    const picture = svg('svg', {
      viewBox: `0 0 ${width} ${tall}`,
      height: tall,
      role: 'img',
      'aria-label': host.closest('[aria-label]')?.ariaLabel,
    });
    place.replaceChildren(picture);
    draw(picture, width, tall);
  };
  new ResizeObserver((_, observer) => {
    // Other figures may have taken its place.
    if (!place.isConnected) observer.disconnect();
    else if (Math.abs(place.clientWidth - width) > 1) redraw();
  }).observe(place);
  redraw();
  return redraw;
}

function number(x, percent) {
  if (x === null || x === undefined) return '–';
  if (percent) {
    const share = 100 * x;
    return (share >= 10 || share === 0 ? share.toFixed(1) : share.toPrecision(2)) + ' %';
  }
  const size = Math.abs(x);
  if (x === 0) return '0';
  if (size >= 1e6 || size < 1e-3) return x.toExponential(2);
  return Number(x.toPrecision(4)).toLocaleString('en');
}

// Round numbers from `low` to `high`, about `many`.
function ticks(low, high, many) {
  const raw = (high - low) / many || 1,
    power = 10 ** Math.floor(Math.log10(raw));
  const step = [1, 2, 2.5, 5, 10].find((m) => m * power >= raw * 0.999) * power;
  const all = [];
  for (let at = Math.ceil(low / step - 1e-9) * step; at <= high + step * 1e-9; at += step)
    all.push(Math.abs(at) < step * 1e-9 ? 0 : at);
  return all;
}
function powers(low, high) {
  const all = [];
  for (let p = Math.floor(Math.log10(low)); p <= Math.ceil(Math.log10(high)); p++) {
    for (const m of high / low < 1000 ? [1, 2, 5] : [1]) {
      const x = m * 10 ** p;
      if (x >= low * 0.999 && x <= high * 1.001) all.push(x);
    }
  }
  return all.length > 1 ? all : [low, high];
}
const short = (x, percent) =>
  percent
    ? `${Number((100 * x).toPrecision(3))} %`
    : Math.abs(x) >= 1e5 || (x !== 0 && Math.abs(x) < 1e-3)
      ? x.toExponential(0)
      : String(Number(x.toPrecision(4)));

// What scrolls can be reached with the keyboard; what does not is no stop on the way.
function reachable(node) {
  const look = () => {
    const scrolls = node.scrollWidth > node.clientWidth + 1 || node.scrollHeight > node.clientHeight + 1;
    const what = { tabindex: 0, role: 'group', 'aria-label': `${node.closest('section')?.querySelector('h2').textContent}, scrolls` };
    if (scrolls) put(node, what, []);
    else for (const name of Object.keys(what)) node.removeAttribute(name);
  };
  const observer = new ResizeObserver(look);
  for (const one of [node, ...node.children]) observer.observe(one);
  new MutationObserver(look).observe(node, { childList: true });
  look();
}

// Axes of a box; x and y turn values into places.
function axes(picture, box, x, y, xs, ys, names, percent) {
  for (const value of ys) {
    picture.append(svg('line', { class: 'grid', x1: box.left, x2: box.right, y1: y(value), y2: y(value) }));
    picture.append(svg('text', { x: box.left - 8, y: y(value) + 4, 'text-anchor': 'end' }, short(value, percent)));
  }
  picture.append(svg('line', { class: 'axis', x1: box.left, x2: box.right, y1: box.bottom, y2: box.bottom }));
  for (const value of xs) {
    picture.append(svg('line', { class: 'axis', x1: x(value), x2: x(value), y1: box.bottom, y2: box.bottom + 4 }));
    picture.append(svg('text', { x: x(value), y: box.bottom + 18, 'text-anchor': 'middle' }, short(value)));
  }
  picture.append(svg('text', { x: (box.left + box.right) / 2, y: box.bottom + 36, 'text-anchor': 'middle' }, names[0]));
  if (names[1]) picture.append(svg('text', { x: 2, y: 11 }, names[1]));
}

const tip = document.getElementById('tip');
function show(event, text) {
  tip.textContent = text;
  tip.hidden = false;
  const { width, height } = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(innerWidth - width - 4, event.clientX + 14)) + 'px';
  tip.style.top = (event.clientY + 18 + height > innerHeight ? event.clientY - height - 12 : event.clientY + 18) + 'px';
}
const hide = () => {
  tip.hidden = true;
};
const hint = (node, text) =>
  put(
    node,
    { onpointermove: (event) => show(event, text), onpointerdown: (event) => show(event, text), onpointerleave: hide },
    [],
  );
addEventListener('scroll', hide, { passive: true });

// Buttons of which one is pressed.
function choice(names, pick, label) {
  const buttons = names.map((name, at) =>
    html('button', { type: 'button', 'aria-pressed': String(at === 0), onclick: () => press(at) }, name),
  );
  const press = (at) => {
    buttons.forEach((button, i) => button.setAttribute('aria-pressed', i === at));
    pick(at);
  };
  return html('span', { class: 'group', role: 'group', 'aria-label': label }, ...buttons);
}
// A legend of classes; one that is pressed is shown alone, and pressed again with the others (null).
function classLegend(names, mark, pick) {
  let only = null;
  const buttons = names.map((name, k) =>
    html(
      'button',
      {
        type: 'button',
        'aria-pressed': 'false',
        onclick: () => {
          only = only === k ? null : k;
          buttons.forEach((button, at) => button.setAttribute('aria-pressed', at === only));
          pick(only);
        },
      },
      html('i', { class: mark, style: `--c:${colour(k)}` }),
      name,
    ),
  );
  const legend = html('div', { class: 'legend' }, ...buttons);
  reachable(legend);
  return legend;
}
function selection(label, names, pick) {
  const list = html(
    'select',
    { onchange: () => pick(Number(list.value)) },
    ...names.map((name, at) => html('option', { value: at }, name)),
  );
  return html('label', {}, label, list);
}
