// Bars from a line at zero, each with a name and words at the pointer: what columns are worth to a class, and what they add to its score.
function bars(host, most, items) {
  return drawing(
    host,
    () => 14 + 24 * Math.max(1, Math.min(most, items().length)),
    (picture, width) => {
      const all = items().slice(0, most),
        left = Math.min(190, width * 0.36),
        right = width - 64;
      const low = Math.min(0, ...all.map((item) => item.x)),
        high = Math.max(0, ...all.map((item) => item.x), low + 1e-12);
      const x = (value) => left + ((right - left) * (value - low)) / (high - low);
      picture.append(svg('line', { class: 'axis', x1: x(0), x2: x(0), y1: 2, y2: 10 + 24 * all.length }));
      all.forEach((item, at) => {
        const y = 6 + 24 * at;
        picture.append(
          hint(fitted(picture, left - 12, { x: left - 8, y: y + 14, 'text-anchor': 'end' }, item.name), item.told),
          hint(
            svg('rect', {
              x: Math.min(x(0), x(item.x)),
              y,
              width: Math.max(1, Math.abs(x(item.x) - x(0))),
              height: 18,
              rx: 2,
              fill: item.fill,
            }),
            item.told,
          ),
          svg('text', { class: 'halo', x: Math.max(x(0), x(item.x)) + 5, y: y + 14 }, item.words),
        );
      });
    },
  );
}

figures.worth = (host, { about, names, columns }) => {
  let class_ = null;
  const value = (column) => (class_ === null ? column.all : column.classes[class_]);
  const items = () =>
    columns
      .filter((column) => value(column) !== null)
      .sort((a, b) => value(b) - value(a))
      .map((column) => {
        const x = value(column),
          words = (x > 0 ? '+' : '') + number(x);
        return { name: column.name, x, words, fill: x < 0 ? 'var(--warm)' : 'var(--accent)', told: `${column.name}\nlog loss ${words}` };
      });
  host.append(
    html(
      'div',
      { class: 'controls' },
      selection(`rise of the log loss`, ['all rows', ...names.map((name) => `${about} ${name}`)], (at) => {
        class_ = at === 0 ? null : at - 1;
        redraw();
      }),
    ),
  );
  const redraw = bars(host, 15, items);
};

// Shapley values: bars of all classes, and a swarm of rows for each of them.
figures.shapley = (host, { names, columns, reach, swarms }) => {
  let class_ = null;
  const place = html('div'),
    about = html('div', { class: 'legend' });
  const mean = (column) => (class_ === null ? column.mean.reduce((a, b) => a + b, 0) / names.length : column.mean[class_]);
  const order = () => columns.map((_, at) => at).sort((a, b) => mean(columns[b]) - mean(columns[a]));
  const direction = (column) => {
    const rises = class_ === null ? null : column.rises[class_];
    return rises === null ? '' : `\nhigher values ${rises > 0 ? 'speak for' : 'speak against'} it (correlation ${number(rises)})`;
  };
  const told = (column) => `${column.name}\nmoves the score by ${number(mean(column))} on average${direction(column)}`;
  const shade = (tenth) =>
    tenth === null || tenth === undefined ? 'var(--c4)' : `color-mix(in oklab, var(--accent), var(--warm) ${10 * tenth + 5}%)`;
  const swarm = (picture, width) => {
    const left = Math.min(190, width * 0.36),
      right = width - 14,
      tall = 30,
      middle = (left + right) / 2;
    const foot = 8 + tall * columns.length;
    const most = Math.max(...swarms[class_].flat().map(Math.abs), 1);
    const x = (thousandth) => middle + ((right - left) / 2) * (thousandth / most);
    const largest = (reach[class_] * most) / 1000;
    for (const mark of ticks(-largest, largest, width < 500 ? 3 : 6)) {
      const at = middle + ((right - left) / 2) * (mark / largest);
      picture.append(
        svg('line', { class: mark === 0 ? 'axis' : 'grid', x1: at, x2: at, y1: 4, y2: foot }),
        svg('text', { x: at, y: foot + 16, 'text-anchor': 'middle' }, short(mark)),
      );
    }
    picture.append(svg('text', { x: middle, y: foot + 34, 'text-anchor': 'middle' }, 'added to the score'));
    order().forEach((at, line) => {
      const column = columns[at],
        y = 6 + tall * (line + 0.5);
      picture.append(
        hint(fitted(picture, left - 14, { x: left - 10, y: y + 4, 'text-anchor': 'end' }, column.name), told(column)),
      );
      // Dots that would lie upon one another move up and down by turns.
      const taken = new Map();
      swarms[class_][at].forEach((thousandth, row) => {
        const slot = Math.round(x(thousandth) / 4),
          n = taken.get(slot) ?? 0;
        taken.set(slot, n + 1);
        const off = Math.min(12, 2.6 * Math.ceil(n / 2)) * (n % 2 ? 1 : -1);
        picture.append(
          hint(
            svg('circle', { cx: x(thousandth).toFixed(1), cy: (y + off).toFixed(1), r: 2.4, style: `fill:${shade(column.values[row])}`, opacity: 0.85 }),
            `${column.name}\nadds ${number((thousandth * reach[class_]) / 1000)} to the score of ${names[class_]}`,
          ),
        );
      });
    });
  };
  const update = () => {
    place.replaceChildren();
    if (class_ !== null && swarms.length) {
      drawing(place, () => 50 + 30 * columns.length, swarm);
      about.replaceChildren(
        ...[1, 5, 9].map((tenth, at) =>
          html('span', {}, html('i', { class: 'dot', style: `--c:${shade(tenth)}` }), ['low value', 'middle', 'high value'][at]),
        ),
        columns.every(({ values }) => values.length && !values.includes(null))
          ? ''
          : html('span', {}, html('i', { class: 'dot', style: '--c:var(--c4)' }), 'no order, or missing'),
      );
      return;
    }
    const fill = (column) => (class_ !== null && column.rises[class_] < 0 ? 'var(--warm)' : 'var(--accent)');
    bars(place, columns.length, () =>
      order().map((at) => {
        const column = columns[at],
          x = mean(column);
        return { name: column.name, x, words: number(x), fill: fill(column), told: told(column) };
      }),
    );
    about.textContent =
      class_ === null ? 'How far scores are moved, on average over rows and classes.' : 'How far the score is moved on average; red where higher values speak against the class.';
  };
  host.append(
    html(
      'div',
      { class: 'controls' },
      selection('score of', ['all classes', ...names], (at) => {
        class_ = at === 0 ? null : at - 1;
        update();
      }),
    ),
    place,
    about,
  );
  update();
};
