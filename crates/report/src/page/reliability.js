// Reliability: predicted probability across, share of rows that are as predicted up; below, how many rows there are.
figures.reliability = (host, { names, first, whole, classes }) => {
  let data = whole;
  const about = html('div', { class: 'legend' });
  const pick = (at) => { data = at === 0 ? whole : classes[at - 1]; update(); };
  const update = () => { about.textContent = `mean distance: ${number(100 * data.error)} points`; redraw(); };
  host.append(html('div', { class: 'controls' }, selection('probability of', [first, ...names], pick)));
  const redraw = drawing(host, (width) => Math.min(width, 430), (picture, width, height) => {
    const box = { left: 54, right: Math.min(width - 24, height + 60), top: 30, bottom: height - 96 }, most = Math.max(...data.rows);
    const x = (p) => box.left + (box.right - box.left) * p, y = (share) => box.bottom - (box.bottom - box.top) * share;
    const marks = [0, 0.25, 0.5, 0.75, 1];
    for (const mark of marks) {
      picture.append(svg('line', { class: 'grid', x1: x(0), x2: x(1), y1: y(mark), y2: y(mark) }));
      picture.append(svg('text', { x: box.left - 8, y: y(mark) + 4, 'text-anchor': 'end' }, short(mark, true)));
      picture.append(svg('text', { x: x(mark), y: height - 24, 'text-anchor': 'middle' }, short(mark, true)));
    }
    picture.append(svg('text', { x: 2, y: 12 }, 'share of rows'), svg('text', { x: (x(0) + x(1)) / 2, y: height - 6, 'text-anchor': 'middle' }, 'probability'));
    picture.append(svg('line', { class: 'cross', x1: x(0), y1: y(0), x2: x(1), y2: y(1) }));
    picture.append(svg('polyline', { class: 'curve', stroke: 'var(--accent)', points: data.p.map((p, at) => `${x(p)},${y(data.share[at])}`).join(' ') }));
    data.p.forEach((p, at) => {
      const tall = 38 * data.rows[at] / most, foot = height - 42, slot = Math.min(9, Math.floor(p * 10));
      const text = `probability ${number(p, true)}\n${number(data.share[at], true)} are as predicted\n${number(data.rows[at])} rows`;
      picture.append(hint(svg('rect', { x: x(slot / 10) + 1, width: x(0.1) - x(0) - 2, y: foot - tall, height: tall, fill: 'var(--tint)' }), text));
      picture.append(hint(svg('circle', { cx: x(p), cy: y(data.share[at]), r: 5, fill: 'var(--accent)', stroke: 'var(--paper)', 'stroke-width': 1.5 }), text));
    });
  });
  host.append(about);
  update();
};
