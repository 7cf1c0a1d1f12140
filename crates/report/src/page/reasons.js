// From what is expected of any row to the score of one: a step for each part, `[label, amount]`, and for columns their name and value.
function waterfall(host, names, why) {
  return drawing(
    host,
    () => (why() ? 64 + 26 * why().parts.length : 0),
    (picture, width) => {
      if (!why()) return;
      const { class_, expected, parts } = why();
      const left = Math.min(250, width * 0.42),
        right = width - 56;
      const sums = [expected];
      for (const [, x] of parts) sums.push(sums[sums.length - 1] + x);
      const low = Math.min(...sums),
        high = Math.max(...sums, low + 1e-9);
      const x = (score) => left + ((right - left) * (score - low)) / (high - low);
      const end = sums[parts.length],
        foot = 34 + 26 * parts.length;
      picture.append(
        fitted(picture, width, { class: 'strong', x: 0, y: 14 }, `score of ${names[class_]}`),
        svg('line', { class: 'cross', x1: x(expected), x2: x(expected), y1: 24, y2: foot }),
        svg('line', { class: 'cross', x1: x(end), x2: x(end), y1: 24, y2: foot }),
        svg('text', { x: 0, y: foot + 20 }, `expected ${number(expected)}, this row ${number(end)}`),
      );
      parts.forEach(([label, amount, name, value], at) => {
        const y = 28 + 26 * at,
          from = Math.min(sums[at], sums[at + 1]);
        // Of a long name the end is left out, not the value.
        const room = Math.floor(left / 7) - 4 - (value ?? '').length,
          brief = name === undefined || value === '' ? label : `${shortened(name, Math.max(6, room))} = ${value}`;
        const told = `${label}\nadds ${number(amount)}`;
        picture.append(
          hint(fitted(picture, left - 10, { x: left - 8, y: y + 15, 'text-anchor': 'end' }, brief), told),
          hint(
            svg('rect', {
              x: x(from),
              y,
              width: Math.max(1.5, x(from + Math.abs(amount)) - x(from)),
              height: 20,
              rx: 2,
              fill: amount < 0 ? 'var(--warm)' : 'var(--accent)',
            }),
            told,
          ),
          svg('text', { class: 'halo', x: x(from + Math.abs(amount)) + 5, y: y + 15 }, (amount > 0 ? '+' : '') + number(amount)),
        );
      });
    },
  );
}

// Why rows have their answers: a waterfall for each of the likeliest classes of a row, and how sure the model is of them.
figures.reasons = (host, { names, expected, rows }) => {
  let row = rows[0],
    rank = 0;
  const answers = html('div', { class: 'answers', 'aria-live': 'polite' });
  const why = () => {
    const { class: class_, parts, others, rest } = row.classes[Math.min(rank, row.classes.length - 1)];
    const all = parts.map(([name, value, amount]) => [value === '' ? name : `${name} = ${value}`, amount, name, value]);
    if (others) all.push([`${others} other${others > 1 ? 's' : ''}`, rest]);
    return { class_, expected: expected[class_], parts: all };
  };
  const update = () => {
    host.state = { row: row.number, why: why() };
    answers.replaceChildren(
      ...row.classes.map(({ class: class_, p }) =>
        html(
          'div',
          {},
          html('span', {}, names[class_]),
          html('i', { style: `--w:${(100 * p).toFixed(2)}%` }),
          html('b', {}, number(p, true)),
        ),
      ),
    );
    redraw();
  };
  const controls = [
    selection(
      'row',
      rows.map(({ number: n, answer }) => `row ${n}: ${answer}`),
      (at) => {
        row = rows[at];
        update();
      },
    ),
  ];
  const most = Math.max(...rows.map(({ classes }) => classes.length));
  if (most > 1)
    controls.push(
      choice(
        ['likeliest', 'second', 'third'].slice(0, most),
        (at) => {
          rank = at;
          update();
        },
        'Class that is explained',
      ),
    );
  host.append(html('div', { class: 'controls' }, ...controls));
  const redraw = waterfall(host, names, why);
  host.append(html('h3', {}, 'Probabilities'), answers);
  update();
};
