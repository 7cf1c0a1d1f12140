// What is in a column: bars of the rows of the page, by class where these have colours, and marks where training rows are.
figures.columns = (host, { names, columns }) => {
  let column = columns[0];
  const about = html('div', { class: 'legend' });
  const redraw = () => draw();
  host.append(
    html(
      'div',
      { class: 'controls' },
      selection(
        'column',
        columns.map((one) => one.name),
        (at) => {
          column = columns[at];
          redraw();
        },
      ),
    ),
  );
  const draw = drawing(
    host,
    (width) => (width < 500 ? 240 : 290),
    (picture, width, height) => {
      const { bars: made, groups, before } = column,
        count = groups[0].length - 1;
      const all = groups.flat().reduce((a, b) => a + b, 0) || 1,
        sums = groups[0].map((_, bar) => groups.reduce((sum, group) => sum + group[bar], 0) / all);
      // The last bar, with some room before it, is what is missing; it is there if anything is.
      const missing = sums[count] > 0 || (before?.[count] ?? 0) > 0,
        slots = count + (missing ? 1.6 : 0);
      const box = { left: 54, right: width - 20, top: 26, bottom: height - 48 };
      const most = Math.max(...sums, ...(before ?? []), 1e-9);
      const slot = (box.right - box.left) / slots,
        x = (bar) => box.left + slot * (bar === count ? count + 0.6 : bar),
        y = (share) => box.bottom - ((box.bottom - box.top) * share) / most;
      axes(picture, box, x, y, [], ticks(0, most, 4), [shortened(column.name, Math.floor(width / 9)), 'share of rows'], true);
      const label = (at, text) => picture.append(svg('text', { x: at, y: box.bottom + 17, 'text-anchor': 'middle' }, text));
      if (made.levels) {
        const every = Math.ceil(58 / slot);
        made.levels.forEach((level, bar) => {
          if (bar % every === 0) label(x(bar) + slot / 2, shortened(level, Math.max(3, Math.floor((slot * every) / 7.5))));
        });
      } else {
        const [low, high] = [made.edges[0], made.edges[count]];
        for (const mark of ticks(low, high, width < 500 ? 3 : 7)) {
          const at = box.left + (slot * count * (mark - low)) / (high - low);
          if (mark >= low && mark <= high) label(at, short(mark));
        }
      }
      if (missing) label(Math.min(x(count) + slot / 2, box.right - 6), width < 500 ? '–' : 'missing');
      sums.forEach((share, bar) => {
        if (bar === count && !missing) return;
        const range =
          bar === count ? 'missing' : made.levels ? made.levels[bar] : `${number(made.edges[bar])} to ${number(made.edges[bar + 1])}`;
        const parts = groups.length > 1 ? groups.map((group, k) => `${names[k]}: ${number(group[bar])}`) : [];
        const told = [range, `${number(share, true)} of the rows`, ...(before ? [`${number(before[bar], true)} in training`] : []), ...parts].join('\n');
        let foot = 0;
        groups.forEach((group, k) => {
          const part = group[bar] / all;
          picture.append(
            svg('rect', {
              x: x(bar) + 0.5,
              width: Math.max(1, slot - 1),
              y: y(foot + part),
              height: Math.max(0, y(foot) - y(foot + part)),
              fill: groups.length > 1 ? colour(k) : 'var(--accent)',
            }),
          );
          foot += part;
        });
        if (before)
          picture.append(
            svg('line', { x1: x(bar), x2: x(bar) + slot, y1: y(before[bar]), y2: y(before[bar]), stroke: 'var(--ink)', 'stroke-width': 2 }),
          );
        picture.append(hint(svg('rect', { x: x(bar), width: slot, y: box.top, height: box.bottom - box.top, fill: 'transparent' }), told));
      });
    },
  );
  about.append(
    ...names.map((name, k) => html('span', {}, html('i', { class: 'dot', style: `--c:${colour(k)}` }), name)),
    columns[0].before ? html('span', {}, html('i', { style: '--c:var(--ink)' }), 'training rows') : '',
  );
  host.append(about);
};
