// Figures that change with the rounds: a slider, a button that plays, and a picture of each stage.
function scrubber(host, rounds, see) {
  const last = rounds.length - 1;
  let timer = null;
  const slider = html('input', { type: 'range', min: 0, max: last, value: last, 'aria-label': 'round' });
  const out = html('output', {});
  const go = (at) => {
    slider.value = at;
    out.textContent = `round ${rounds[at].toLocaleString('en')}`;
    see(at);
  };
  const stop = () => {
    clearInterval(timer);
    timer = null;
    play.textContent = '▶ play';
  };
  const play = html(
    'button',
    {
      type: 'button',
      onclick: () => {
        if (timer) return stop();
        if (Number(slider.value) === last) go(0);
        play.textContent = '❚❚ stop';
        timer = setInterval(() => {
          const at = Number(slider.value) + 1;
          if (at > last) stop();
          else go(at);
        }, 380);
      },
    },
    '▶ play',
  );
  slider.oninput = () => {
    stop();
    go(Number(slider.value));
  };
  host.append(html('div', { class: 'controls' }, play, html('label', { class: 'wide' }, slider), out));
  return () => go(last);
}

figures.margins = (host, { rounds, reach, bars, positive }) => {
  let stage = rounds.length - 1;
  const begin = scrubber(host, rounds, (at) => {
    stage = at;
    redraw();
    words.textContent = `${number(positive[at], true)} have a positive margin`;
  });
  const redraw = drawing(
    host,
    (width) => (width < 500 ? 220 : 280),
    (picture, width, height) => {
      const box = { left: 54, right: width - 12, top: 30, bottom: height - 46 };
      const counts = bars[stage],
        most = Math.max(...counts),
        n = counts.length;
      const x = (margin) => box.left + ((box.right - box.left) * (margin / reach + 1)) / 2;
      const y = (share) => box.bottom - ((box.bottom - box.top) * share) / most;
      axes(picture, box, x, y, ticks(-reach, reach, width < 500 ? 4 : 8), ticks(0, most, 4), ['margin', 'share'], true);
      counts.forEach((share, at) => {
        const from = reach * ((2 * at) / n - 1),
          to = reach * ((2 * (at + 1)) / n - 1);
        const bar = svg('rect', {
          x: x(from) + 0.5,
          width: Math.max(0.5, x(to) - x(from) - 1),
          y: y(share),
          height: box.bottom - y(share),
          rx: 1.5,
          fill: at < n / 2 ? 'var(--warm)' : 'var(--accent)',
        });
        picture.append(hint(bar, `margin ${number(from)} to ${number(to)}\n${number(share, true)}`));
      });
      picture.append(svg('line', { class: 'axis', x1: x(0), x2: x(0), y1: box.top, y2: box.bottom }));
    },
  );
  const words = html('div', { class: 'legend' });
  host.append(words);
  begin();
};

figures.plane = (host, { rounds, names, of, points, words }) => {
  let stage = rounds.length - 1,
    only = null,
    dots = [];
  const begin = scrubber(host, rounds, (at) => {
    stage = at;
    move();
  });
  let place = null;
  const move = () =>
    dots.forEach((dot, row) => {
      const [x, y] = place(points[stage][2 * row] / 1000, points[stage][2 * row + 1] / 1000);
      dot.setAttribute('cx', x);
      dot.setAttribute('cy', y);
    });
  const fade = () =>
    dots.forEach((dot, row) => dot.setAttribute('opacity', only === null || of[row] === only ? 0.75 : 0.06));
  drawing(
    host,
    (width) => Math.min(width, 560),
    (picture, width, height) => {
      const longest = Math.max(...words.map(([x, y]) => Math.hypot(x, y)));
      // As large as all stages and the names beside them allow.
      const ends = words.map(([x, y]) => [x / longest, y / longest]),
        all = [[0, 0], ...ends, ...points.flatMap((stage) => of.map((_, row) => [stage[2 * row] / 1000, stage[2 * row + 1] / 1000]))];
      const bounds = [0, 1].map((axis) => {
        const values = all.map((point) => point[axis]);
        return [Math.min(...values), Math.max(...values)];
      });
      const named = names.length <= 30,
        most = Math.min(12, Math.max(...names.map((name) => name.length))),
        aside = named ? Math.min(20 + 7 * most, width * 0.17) : 12;
      const scale = Math.min(
        (width - 2 * aside) / (bounds[0][1] - bounds[0][0] || 1),
        (height - 44) / (bounds[1][1] - bounds[1][0] || 1),
      );
      const middle = [0, 1].map((axis) => (bounds[axis][0] + bounds[axis][1]) / 2);
      place = (x, y) => [width / 2 + scale * (x - middle[0]), height / 2 - scale * (y - middle[1])];
      const [x1, y1] = place(0, 0);
      words.forEach(([x, y], k) => {
        const far = Math.hypot(x, y) / longest,
          angle = Math.atan2(y, x);
        if (far < 0.02) return;
        const [ex, ey] = place(Math.cos(angle) * far * 1.0, Math.sin(angle) * far * 1.0);
        picture.append(
          svg('line', {
            x1,
            y1,
            x2: ex,
            y2: ey,
            stroke: colour(k),
            'stroke-width': 1.5,
            'stroke-dasharray': '5 5',
            opacity: 0.8,
          }),
        );
        if (named)
          fitted(
            picture,
            aside - 9,
            {
              class: 'strong halo',
              x: ex + 9 * Math.cos(angle),
              y: ey - 9 * Math.sin(angle) + 4,
              'text-anchor': Math.cos(angle) > 0.3 ? 'start' : Math.cos(angle) < -0.3 ? 'end' : 'middle',
            },
            names[k],
          );
      });
      dots = of.map((k) =>
        hint(svg('circle', { r: 3.2, fill: colour(k), opacity: 0.75, style: 'transition:cx .35s,cy .35s' }), names[k]),
      );
      picture.append(...dots);
      move();
      fade();
    },
  );
  host.append(
    classLegend(names, 'dot', (picked) => {
      only = picked;
      fade();
    }),
  );
  begin();
};
