// Ensembles of stumps: what each value of a feature adds to the score of each class.
figures.shapes = (host, { names, features }) => {
  let feature = features[0],
    only = null;
  host.append(
    html(
      'div',
      { class: 'controls' },
      selection(
        'feature',
        features.map((one) => one.name),
        (at) => {
          feature = features[at];
          redraw();
        },
      ),
    ),
  );
  const redraw = drawing(
    host,
    (width) => (width < 500 ? 250 : 330),
    (picture, width, height) => {
      const box = { left: 54, right: width - 12, top: 30, bottom: height - 46 };
      const { at, levels, scores } = feature,
        all = scores.flat();
      const low = Math.min(0, ...all),
        high = Math.max(0, ...all, low + 1e-9);
      const y = (value) => box.bottom - ((box.bottom - box.top) * (value - low)) / (high - low);
      // Pieces from one edge to the next: ranges of numbers, or a step for each level.
      let edges, x;
      if (levels) {
        edges = scores.map((_, piece) => piece).concat(scores.length);
        x = (value) => box.left + ((box.right - box.left) * value) / scores.length;
        axes(picture, box, x, y, [], ticks(low, high, 5), [feature.name, 'adds to the score']);
        const every = Math.ceil(levels.length / Math.max(1, Math.floor((box.right - box.left) / 62)));
        levels.forEach((level, piece) => {
          if (piece % every === 0)
            picture.append(
              svg('text', { x: x(piece + 0.5), y: box.bottom + 18, 'text-anchor': 'middle' }, level.slice(0, 9)),
            );
        });
      } else {
        const span = feature.to - feature.from || 1,
          a = feature.from - 0.03 * span,
          b = feature.to + 0.03 * span;
        edges = [a, ...at, b];
        x = (value) => box.left + ((box.right - box.left) * (value - a)) / (b - a);
        axes(picture, box, x, y, ticks(a, b, width < 500 ? 4 : 8), ticks(low, high, 5), [
          feature.name,
          'adds to the score',
        ]);
      }
      picture.append(svg('line', { class: 'axis', x1: box.left, x2: box.right, y1: y(0), y2: y(0) }));
      names.forEach((name, k) => {
        const points = scores.flatMap((piece, i) => [
          `${x(edges[i]).toFixed(1)},${y(piece[k]).toFixed(1)}`,
          `${x(edges[i + 1]).toFixed(1)},${y(piece[k]).toFixed(1)}`,
        ]);
        picture.append(
          svg('polyline', {
            class: 'curve',
            stroke: colour(k),
            opacity: only === null ? 0.85 : only === k ? 1 : 0.1,
            'stroke-width': only === k ? 3 : 1.6,
            points: points.join(' '),
          }),
        );
      });
      const look = (event) => {
        const place = (event.clientX - picture.getBoundingClientRect().left) * (width / picture.clientWidth);
        const piece = Math.max(
          0,
          Math.min(scores.length - 1, edges.findIndex((edge, i) => i > 0 && x(edge) >= place) - 1),
        );
        const range = levels
          ? levels[piece]
          : piece === 0
            ? `up to ${number(edges[1])}`
            : piece === scores.length - 1
              ? `above ${number(edges[piece])}`
              : `${number(edges[piece])} to ${number(edges[piece + 1])}`;
        const best = names
          .map((name, k) => [scores[piece][k], name, k])
          .sort((p, q) => q[0] - p[0])
          .filter(([, , k], rank) => (only === null ? rank < 5 : k === only));
        show(
          event,
          [
            `${feature.name}: ${range}`,
            ...best.map(([value, name]) => `${name} ${value > 0 ? '+' : ''}${number(value)}`),
          ].join('\n'),
        );
      };
      picture.append(
        put(
          svg('rect', {
            x: box.left,
            y: box.top,
            width: box.right - box.left,
            height: box.bottom - box.top,
            fill: 'transparent',
          }),
          { onpointermove: look, onpointerdown: look, onpointerleave: hide },
          [],
        ),
      );
    },
  );
  host.append(
    classLegend(names, '', (picked) => {
      only = picked;
      redraw();
    }),
  );
};
