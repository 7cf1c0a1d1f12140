// Rows to play with: a waterfall of what columns add to a score, inputs for values, and the model, which answers them.
// Points and weights of Gauss and Legendre on (0, 1): exact for polynomials of a degree below 2n.
function gauss(n) {
  return Array.from({ length: n }, (_, at) => {
    let x = Math.cos((Math.PI * (at + 0.75)) / (n + 0.5)),
      slope = 1;
    for (let step = 0; step < 8; step++) {
      let [p, before] = [1, 0];
      for (let j = 1; j <= n; j++) [p, before] = [((2 * j - 1) * x * p - (j - 1) * before) / j, p];
      slope = (n * (x * p - before)) / (x * x - 1);
      x -= p / slope;
    }
    return [(1 + x) / 2, 1 / ((1 - x * x) * slope * slope)];
  });
}

// The model: `scores` and `probabilities` of a row, and what its values add to the score of a class.
function machine({ start, link, scale, cuts, trees }) {
  const k = start.length,
    grid = 2 ** 36;
  const ready = trees.map((tree) => {
    // What tests weigh: children come after their parents.
    const { l, r, c } = tree,
      weights = [],
      weight = (at) => (at < 0 ? c[-1 - at] : weights[at]);
    for (let at = l.length - 1; at >= 0; at--) weights[at] = weight(l[at]) + weight(r[at]);
    const share = (at, child) => (weights[at] > 0 ? weight(child) / weights[at] : 0.5);
    return { ...tree, v: tree.v.split(' ').map((text) => parseInt(text, 36)), share, root: l.length ? 0 : -1 };
  });
  const goesLeft = ({ f, t, m }, at, values) => {
    const value = values[f[at]],
      test = t[at];
    if (value === null) return m[at] === '1';
    return Array.isArray(test) ? test.includes(value) : value <= cuts[f[at]][test];
  };
  // Whole numbers: no sum is rounded.
  const scores = (values) => {
    const sums = start.slice();
    for (const tree of ready) {
      let at = tree.root;
      while (at >= 0) at = (goesLeft(tree, at, values) ? tree.l : tree.r)[at];
      for (let i = 0; i < k; i++) sums[i] += tree.v[(-1 - at) * k + i];
    }
    return sums.map((score) => score / grid);
  };
  // Exact Shapley values. On the path of a leaf each feature has a share of the training rows that its tests let through, and the row fits
  // them or not; the leaf adds to it the integral of (fits − share) Π (share + t (fits − share)) over the other features, t from 0 to 1.
  const rules = [];
  const reasons = (values, class_) => {
    const adds = values.map(() => 0);
    let expected = start[class_];
    const visit = (tree, at, path) => {
      if (at < 0) {
        const value = tree.v[(-1 - at) * k + class_],
          half = Math.ceil(path.length / 2);
        if (value === 0) return;
        expected += path.reduce((product, { share }) => product * share, value);
        for (const own of path) {
          let sum = 0;
          for (const [t, weight] of (rules[half] ??= gauss(half))) {
            let product = weight;
            for (const other of path) if (other !== own) product *= other.share + t * (other.fits - other.share);
            sum += product;
          }
          adds[own.place] += value * (own.fits - own.share) * sum;
        }
        return;
      }
      const place = tree.f[at],
        left = goesLeft(tree, at, values),
        before = path.find((feature) => feature.place === place) ?? { fits: 1, share: 1 },
        others = path.filter((feature) => feature.place !== place);
      for (const [child, goes] of [
        [tree.l[at], left],
        [tree.r[at], !left],
      ]) {
        const share = before.share * tree.share(at, child);
        visit(tree, child, [...others, { place, fits: goes ? before.fits : 0, share }]);
      }
    };
    for (const tree of ready) visit(tree, tree.root, []);
    return { expected: expected / grid, adds: adds.map((x) => x / grid) };
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
  const probabilities = (values) => {
    const raw = scores(values),
      p = links[link](raw.map((score) => score * scale));
    // Where rounding makes the likeliest classes equal, the one with the highest score stays ahead.
    const best = raw.indexOf(Math.max(...raw)),
      likeliest = p.indexOf(Math.max(...p));
    if (best !== likeliest) p[best] = p[likeliest] * (1 + 2 ** -52);
    return p;
  };
  return { probabilities, reasons };
}

const INPUTS = 24, // columns that can be changed
  PARTS = 9, // columns that the figure names
  CLASSES = 6; // classes whose probabilities are listed

figures.explorer = (host, { names, columns, of, rows, model }) => {
  const { probabilities, reasons } = machine(model);
  const inputs = columns.filter(({ place }) => place !== undefined).slice(0, INPUTS);
  const ranked = (p) => p.map((_, k) => k).sort((a, b) => p[b] - p[a]);
  let row, values, was, p, why;
  let rank = 0;
  const answers = html('div', { class: 'answers', 'aria-live': 'polite' }),
    fields = html('div', { class: 'fields' });
  const shown = ({ place, levels }, at) => {
    if (place === undefined) return row.told[at];
    const value = values[place];
    return value === null ? 'missing' : levels ? levels[value] : number(value);
  };
  // The largest parts of a score.
  const explain = () => {
    const class_ = ranked(p)[rank],
      { expected, adds } = reasons(values, class_),
      sums = columns.map(() => 0);
    adds.forEach((x, place) => (sums[of[place]] += x));
    const order = sums.map((_, at) => at).filter((at) => sums[at] !== 0);
    order.sort((a, b) => Math.abs(sums[b]) - Math.abs(sums[a]));
    const parts = order.slice(0, PARTS).map((at) => {
        const { name } = columns[at],
          value = shown(columns[at], at);
        return [`${name} = ${value}`, sums[at], name, value];
      }),
      rest = order.slice(PARTS);
    if (rest.length)
      parts.push([`${rest.length} other column${rest.length > 1 ? 's' : ''}`, rest.reduce((sum, at) => sum + sums[at], 0)]);
    return { class_, expected, sums, parts };
  };
  const answer = () => {
    p = probabilities(values);
    why = explain();
    host.state = { row: row.number, p, why, columns };
    const line = (k) => {
      const before = number(was[k], true),
        now = number(p[k], true);
      return html(
        'div',
        {},
        html('span', {}, names[k] + (k === row.is ? ' (its class)' : '')),
        html('i', { style: `--w:${(100 * p[k]).toFixed(2)}%` }),
        html('b', {}, before === now ? now : `${before} → ${now}`),
      );
    };
    answers.replaceChildren(...ranked(p).slice(0, CLASSES).map(line));
    redraw();
  };
  const field = ({ name, place, levels }) => {
    const set = (value) => {
      values[place] = value;
      answer();
    };
    if (!levels) {
      const input = html('input', { type: 'number', step: 'any', placeholder: 'missing', 'data-name': name });
      input.value = values[place] ?? '';
      input.oninput = () => {
        if (!input.validity.badInput) set(input.value === '' ? null : Number(input.value));
      };
      return html('label', {}, html('span', {}, name), input);
    }
    // Levels that the model does not know are missing to it.
    const options = [...levels, 'missing or unknown'].map((level, at) => html('option', { value: at }, level));
    const list = html('select', { 'data-name': name }, ...options);
    list.value = values[place] ?? levels.length;
    list.onchange = () => set(Number(list.value) === levels.length ? null : Number(list.value));
    return html('label', {}, html('span', {}, name), list);
  };
  const pick = (at) => {
    row = rows[at];
    values = row.values.slice();
    was = probabilities(values);
    fields.replaceChildren(...inputs.map(field));
    answer();
  };
  const title = ({ number: n, is, values }) => {
    const named = ranked(probabilities(values))[0],
      own = is === null ? '' : `${names[is]}, `;
    return `row ${n}: ${own}${is === named ? 'answered right' : `taken for ${names[named]}`}`;
  };
  host.append(
    html(
      'div',
      { class: 'controls' },
      selection('row', rows.map(title), pick),
      choice(
        ['the answer', 'second', 'third'].slice(0, names.length),
        (at) => {
          rank = at;
          answer();
        },
        'Class that is explained',
      ),
      html('button', { type: 'button', onclick: () => pick(rows.indexOf(row)) }, 'as it was'),
    ),
  );
  const redraw = waterfall(host, names, () => why);
  const others = columns.length - inputs.length;
  host.append(
    html('h3', {}, 'Probabilities'),
    answers,
    html('h3', {}, 'Values'),
    fields,
    others ? html('p', {}, `${others} other column${others > 1 ? 's' : ''} stay${others > 1 ? '' : 's'} as in the row.`) : '',
  );
  pick(0);
};
