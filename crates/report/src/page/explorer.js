// Rows to play with: a waterfall of what columns add to a score, inputs for values, and the model, which answers them.
function machine({ start, link, scale, cuts, trees }) {
  const ready = trees.map((tree) => ({ ...tree, v: tree.v.split(' ').map((text) => parseInt(text, 36)) }));
  const leaf = ({ f, t, m, l, r }, values) => {
    let at = f.length ? 0 : -1;
    while (at >= 0) {
      const value = values[f[at]],
        test = t[at];
      const left = value === null ? m[at] === '1' : Array.isArray(test) ? test.includes(value) : value <= cuts[f[at]][test];
      at = (left ? l : r)[at];
    }
    return -1 - at;
  };
  const sum = (all) => all.reduce((a, b) => a + b, 0),
    sigmoid = (x) => 1 / (1 + Math.exp(-x));
  const softmax = (scores) => {
    const most = Math.max(...scores),
      powers = scores.map((score) => Math.exp(score - most)),
      all = sum(powers);
    return powers.map((power) => power / all);
  };
  const links = {
    softmax,
    sigmoid: (scores) => scores.map(sigmoid),
    odds: (scores) => {
      if (Math.max(...scores) < -30) return softmax(scores);
      const each = scores.map(sigmoid),
        all = sum(each);
      return each.map((p) => p / all);
    },
    savage: (scores) => {
      const best = scores.indexOf(Math.max(...scores)),
        powers = scores.map((score) => Math.exp(score - scores[best]));
      const rest = Math.max(sum(powers.filter((_, k) => k !== best)), 2.2250738585072014e-308);
      const odds = powers.map((e, k) => (k === best ? 1 : rest / (1 + Math.max(0, rest - e)))),
        all = sum(odds);
      return odds.map((odd) => odd / all);
    },
  };
  return (values) => {
    // Whole numbers: no sum is rounded.
    const scores = start.slice(),
      k = scores.length;
    for (const tree of ready) {
      const from = leaf(tree, values) * k;
      for (let at = 0; at < k; at++) scores[at] += tree.v[from + at];
    }
    return links[link](scores.map((score) => (score / 2 ** 36) * scale));
  };
}

figures.explorer = (host, { names, rows, inputs, model }) => {
  const run = machine(model);
  let row = rows[0],
    rank = 0,
    values = row.values.slice();
  const answers = html('div', { class: 'answers', 'aria-live': 'polite' }),
    fields = html('div', { class: 'fields' });
  const answer = () => {
    const p = run(values),
      order = p.map((_, k) => k).sort((a, b) => p[b] - p[a]);
    answers.dataset.row = row.number;
    answers.dataset.p = JSON.stringify(p);
    answers.replaceChildren(
      ...order.slice(0, 6).map((k) =>
        html(
          'div',
          {},
          html('span', {}, names[k] + (k === row.is ? ' (its class)' : '')),
          html('i', { style: `--w:${(100 * p[k]).toFixed(2)}%` }),
          html('b', {}, number(p[k], true)),
        ),
      ),
    );
  };
  const field = ({ name, place, levels }) => {
    const set = (value) => {
      values[place] = value;
      answer();
    };
    if (!levels) {
      const input = html('input', { type: 'number', step: 'any', placeholder: 'missing', 'data-name': name });
      input.value = values[place] === null ? '' : values[place];
      input.oninput = () => set(input.value === '' ? null : Number(input.value));
      return html('label', {}, html('span', {}, name), input);
    }
    const list = html(
      'select',
      { 'data-input': '' },
      ...[...levels, '(missing)'].map((level, at) => html('option', { value: at }, level)),
    );
    list.value = values[place] === null ? levels.length : values[place];
    list.onchange = () => set(Number(list.value) === levels.length ? null : Number(list.value));
    return html('label', {}, html('span', {}, name), list);
  };
  const pick = (at) => {
    row = rows[at];
    values = row.values.slice();
    fields.replaceChildren(...inputs.map(field));
    answer();
    redraw();
  };
  const of = ({ number: n, is, why }) =>
    `row ${n}: ${is === null ? '' : `${names[is]}, `}${is === why[0].class ? 'answered right' : `answer ${names[why[0].class]}`}`;
  const ranks = ['the answer', 'second', 'third'].slice(0, row.why.length);
  host.append(
    html(
      'div',
      { class: 'controls' },
      selection('row', rows.map(of), (at) => pick(at)),
      choice(
        ranks,
        (at) => {
          rank = at;
          redraw();
        },
        'Class that is explained',
      ),
      html('button', { type: 'button', onclick: () => pick(rows.indexOf(row)) }, 'as it was'),
    ),
  );
  const redraw = drawing(
    host,
    () => 64 + 26 * row.why[rank].parts.length,
    (picture, width) => {
      const { class: k, expected, parts } = row.why[rank];
      const left = Math.min(250, width * 0.42),
        right = width - 56;
      const sums = [expected];
      for (const [, , x] of parts) sums.push(sums[sums.length - 1] + x);
      const low = Math.min(...sums),
        high = Math.max(...sums, low + 1e-9);
      const x = (score) => left + ((right - left) * (score - low)) / (high - low),
        most = Math.floor((left - 12) / 6.8);
      const end = sums[parts.length],
        foot = 34 + 26 * parts.length;
      picture.append(
        svg('text', { class: 'strong', x: 0, y: 14 }, `score of ${names[k]}`.slice(0, 60)),
        svg('line', { class: 'cross', x1: x(expected), x2: x(expected), y1: 24, y2: foot }),
        svg('line', { class: 'cross', x1: x(end), x2: x(end), y1: 24, y2: foot }),
        svg('text', { x: 0, y: foot + 20 }, `expected ${number(expected)}, this row ${number(end)}`),
      );
      parts.forEach(([name, value, amount], at) => {
        const y = 28 + 26 * at,
          label = value === '' ? name : `${name} = ${value}`,
          from = Math.min(sums[at], sums[at + 1]);
        const shown = label.length > most ? label.slice(0, most - 1) + '…' : label,
          told = `${label}\nadds ${number(amount)}`;
        picture.append(
          hint(svg('text', { x: left - 8, y: y + 15, 'text-anchor': 'end' }, shown), told),
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
          svg('text', { x: x(from + Math.abs(amount)) + 5, y: y + 15 }, (amount > 0 ? '+' : '') + number(amount)),
        );
      });
    },
  );
  host.append(html('h3', {}, 'Probabilities'), answers, inputs.length ? html('h3', {}, 'Values') : '', fields);
  pick(0);
};
