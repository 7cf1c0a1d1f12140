// Which class is answered where, in the plane of two columns, after each round; several boosters side by side.
figures.regions = (host, { columns, names, x: across, y: up, side, panels, points, of }) => {
  // Each booster shows the last of its rounds that is not after the one that is picked.
  const rounds = [...new Set(panels.flatMap((panel) => panel.rounds))].sort((a, b) => a - b);
  let round = rounds[rounds.length - 1],
    dots = true;
  const begin = scrubber(host, rounds, (at) => {
    round = rounds[at];
    draws.forEach((draw) => draw());
  });
  host.append(
    html('div', { class: 'controls' }, html('button', {
      type: 'button',
      'aria-pressed': true,
      onclick: (event) => {
        dots = !dots;
        event.currentTarget.setAttribute('aria-pressed', dots);
        draws.forEach((draw) => draw());
      },
    }, 'rows')),
  );
  const cells = (text) => {
    const all = [];
    for (const run of text.split(' ')) {
      const [class_, shade] = [parseInt(run[0], 36), parseInt(run[1], 36)];
      for (let left = parseInt(run.slice(2), 36); left > 0; left--) all.push([class_, shade]);
    }
    return all;
  };
  const place = html('div', { class: 'panels' });
  host.append(place);
  const draws = panels.map((panel) => {
    const own = html('div', { 'aria-label': `${panel.name}: the answer at each place` });
    place.append(own);
    return drawing(
      own,
      (width) => Math.min(width, 420) + 24,
      (picture, width, height) => {
        const at = panel.rounds.findLastIndex((one) => one <= round),
          stage = cells(panel.stages[at]);
        const box = { left: 44, top: 26, bottom: height - 44 };
        box.right = Math.min(width - 12, box.left + (box.bottom - box.top) * 1.15);
        const cell = { w: (box.right - box.left) / side, h: (box.bottom - box.top) / side };
        // A path for each class and shade, of runs within a line.
        const paths = new Map();
        for (let line = 0; line < side; line++)
          for (let from = 0, to; from < side; from = to) {
            const [class_, shade] = stage[line * side + from];
            for (to = from + 1; to < side && String(stage[line * side + to]) === `${class_},${shade}`; ) to++;
            const key = `${class_} ${shade}`;
            const run = `M${(box.left + from * cell.w).toFixed(1)},${(box.top + line * cell.h).toFixed(1)}h${((to - from) * cell.w).toFixed(1)}v${(cell.h + 0.2).toFixed(1)}h${(-(to - from) * cell.w).toFixed(1)}z`;
            paths.set(key, (paths.get(key) ?? '') + run);
          }
        for (const [key, d] of paths) {
          const [class_, shade] = key.split(' ').map(Number);
          picture.append(svg('path', { d, fill: colour(class_), 'fill-opacity': 0.12 + 0.11 * shade }));
        }
        const x = (value) => box.left + ((box.right - box.left) * (value - across[0])) / (across[1] - across[0]),
          y = (value) => box.bottom - ((box.bottom - box.top) * (value - up[0])) / (up[1] - up[0]);
        const marks = (low, high, many) => ticks(low, high, many).filter((mark) => mark >= low && mark <= high);
        axes(picture, box, x, y, marks(...across, width < 330 ? 3 : 5), marks(...up, 5), [columns[0], '']);
        const title = { class: 'strong', x: box.right, y: 11, 'text-anchor': 'end' };
        const taken = fitted(picture, box.right * 0.7, title, `${panel.name}, round ${panel.rounds[at]}`).getComputedTextLength();
        fitted(picture, box.right - taken - 12, { x: 2, y: 11 }, columns[1]);
        const inside = (share) => share >= 0 && share <= 1000;
        if (dots)
          of.forEach((class_, row) => {
            const [a, b] = [points[2 * row], points[2 * row + 1]];
            if (class_ === null || !inside(a) || !inside(b)) return;
            picture.append(
              svg('circle', {
                cx: box.left + ((box.right - box.left) * a) / 1000,
                cy: box.bottom - ((box.bottom - box.top) * b) / 1000,
                r: 2.6,
                fill: colour(class_),
                stroke: 'var(--paper)',
                'stroke-width': 0.8,
                style: 'pointer-events:none',
              }),
            );
          });
        const look = (event) => {
          const frame = picture.getBoundingClientRect(),
            scale = width / frame.width;
          const i = Math.floor(((event.clientX - frame.left) * scale - box.left) / cell.w),
            j = Math.floor(((event.clientY - frame.top) * scale - box.top) / cell.h);
          const [class_, shade] = stage[Math.max(0, Math.min(side - 1, j)) * side + Math.max(0, Math.min(side - 1, i))];
          show(event, `${names[class_]}\nprobability ${20 * shade} to ${20 * shade + 20} %`);
        };
        picture.append(
          put(
            svg('rect', { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, fill: 'transparent' }),
            { onpointermove: look, onpointerdown: look, onpointerleave: hide },
            [],
          ),
        );
      },
    );
  });
  host.append(
    html('div', { class: 'legend' }, ...names.map((name, k) => html('span', {}, html('i', { class: 'dot', style: `--c:${colour(k)}` }), name))),
  );
  begin();
};
