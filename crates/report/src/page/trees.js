// The first hypotheses: trees from left to right, yes up and no down.
figures.trees = (host, { trees }) => {
  const place = html('div', { class: 'scroll' });
  const draw = (at) =>
    place.replaceChildren(trees[at].root.text ? html('pre', {}, trees[at].root.text) : picture(trees[at].root));
  host.append(
    html(
      'div',
      { class: 'controls' },
      trees.length > 1
        ? selection(
            'hypothesis',
            trees.map((tree) => tree.name),
            draw,
          )
        : trees[0].name,
    ),
    place,
  );
  const line = 44,
    // Where missing values go is said when one asks.
    words = (node) => (node.test || node.answer || node.more).replace(/ or missing\?$/, '?'),
    cut = (text, most) => (text.length > most ? text.slice(0, most - 1) + '…' : text);
  const picture = (root) => {
    // Room for the longest words, within reason.
    const longest = (node, tests) =>
      Math.max(
        Boolean(node.test) === tests ? words(node).length : 0,
        ...(node.test ? [longest(node.yes, tests), longest(node.no, tests)] : []),
      );
    const test = Math.min(34, longest(root, true)),
      leaf = Math.min(60, longest(root, false)),
      step = Math.max(110, test * 6.9 + 22),
      first = step - 14,
      room = 24 + leaf * 6.9;
    // Leaves are numbered downwards; a test is half way between its sides.
    let leaves = 0,
      deepest = 0;
    const lay = (node, depth) => {
      deepest = Math.max(deepest, depth);
      if (!node.test) return { node, depth, y: leaves++ };
      const yes = lay(node.yes, depth + 1),
        no = lay(node.no, depth + 1);
      return { node, depth, yes, no, y: (yes.y + no.y) / 2 };
    };
    const top = lay(root, 0),
      width = first + deepest * step + room,
      height = leaves * line + 10;
    const out = svg('svg', {
      viewBox: `0 0 ${width} ${height}`,
      width,
      height,
      style: `width:${width}px`,
      role: 'img',
      'aria-label': 'tree',
    });
    const all = root.rows || 1,
      x = (spot) => first + spot.depth * step,
      y = (spot) => 26 + spot.y * line;
    const branch = (from, to) => {
      const [x1, y1, x2, y2] = [x(from), y(from), x(to), y(to)],
        bend = x1 + 26;
      const thick = 1 + (7 * to.node.rows) / all;
      out.prepend(
        svg('path', {
          d: `M${x1},${y1} C${bend},${y1} ${bend - 16},${y2} ${bend + 16},${y2} L${x2},${y2}`,
          fill: 'none',
          stroke: 'var(--accent)',
          'stroke-width': thick,
          opacity: to.node.rows ? 0.35 : 0.15,
        }),
      );
    };
    const draw = (spot) => {
      const { node } = spot;
      if (spot.yes) {
        branch(spot, spot.yes);
        branch(spot, spot.no);
      }
      const text = node.test || node.answer || node.more,
        shown = cut(words(node), node.test ? test : leaf);
      const beside = node.test
        ? { class: 'strong', x: x(spot) + 4, y: y(spot) - 10, 'text-anchor': 'end' }
        : { x: x(spot) + 7, y: y(spot) + 4 };
      const label = svg('text', beside, shown);
      const dot = svg('circle', {
        cx: x(spot),
        cy: y(spot),
        r: node.test ? 4.5 : 3,
        fill: node.test ? 'var(--accent)' : 'var(--soft)',
      });
      const told = `${text}\n${number(node.rows)} of ${number(all)} rows`;
      out.append(hint(dot, told), hint(label, told));
      if (spot.yes) {
        draw(spot.yes);
        draw(spot.no);
      }
    };
    if (root.test)
      out.prepend(
        svg('line', {
          x1: 4,
          x2: first,
          y1: y(top),
          y2: y(top),
          stroke: 'var(--accent)',
          'stroke-width': 8,
          opacity: 0.35,
        }),
      );
    draw(top);
    return out;
  };
  draw(0);
  reachable(place);
};
