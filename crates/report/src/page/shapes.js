// What each value of a feature adds to the score of each class (stumps), or does to its probability.
figures.shapes = (host, { names, about, percent, features }) => {
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
      const { at, levels, points, scores } = feature,
        all = scores.flat();
      const low = Math.min(0, ...all),
        high = Math.max(0, ...all, low + 1e-9);
      const y = (value) => box.bottom - ((box.bottom - box.top) * (value - low)) / (high - low);
      // Pieces from one edge to the next: ranges of numbers, or a step for each level.
      let edges, x;
      if (levels) {
        edges = scores.map((_, piece) => piece).concat(scores.length);
        x = (value) => box.left + ((box.right - box.left) * value) / scores.length;
        axes(picture, box, x, y, [], ticks(low, high, 5), [feature.name, `adds to the ${about}`], percent);
        const every = Math.ceil(levels.length / Math.max(1, Math.floor((box.right - box.left) / 62)));
        levels.forEach((level, piece) => {
          if (piece % every === 0)
            picture.append(
              svg('text', { x: x(piece + 0.5), y: box.bottom + 18, 'text-anchor': 'middle' }, level.slice(0, 9)),
            );
        });
      } else if (points) {
        edges = points;
        const span = points[points.length - 1] - points[0] || 1;
        x = (value) => box.left + ((box.right - box.left) * (value - points[0])) / span;
        const marks = ticks(points[0], points[points.length - 1], width < 500 ? 4 : 8);
        axes(picture, box, x, y, marks, ticks(low, high, 5), [feature.name, `adds to the ${about}`], percent);
      } else {
        const span = feature.to - feature.from || 1,
          a = feature.from - 0.03 * span,
          b = feature.to + 0.03 * span;
        edges = [a, ...at, b];
        x = (value) => box.left + ((box.right - box.left) * (value - a)) / (b - a);
        axes(picture, box, x, y, ticks(a, b, width < 500 ? 4 : 8), ticks(low, high, 5), [
          feature.name,
          `adds to the ${about}`,
        ]);
      }
      picture.append(svg('line', { class: 'axis', x1: box.left, x2: box.right, y1: y(0), y2: y(0) }));
      names.forEach((name, k) => {
        const ends = (i) => (points ? [edges[i]] : [edges[i], edges[i + 1]]);
        const line = scores.flatMap((piece, i) => ends(i).map((edge) => `${x(edge).toFixed(1)},${y(piece[k]).toFixed(1)}`));
        picture.append(
          svg('polyline', {
            class: 'curve',
            stroke: colour(k),
            opacity: only === null ? 0.85 : only === k ? 1 : 0.1,
            'stroke-width': only === k ? 3 : 1.6,
            points: line.join(' '),
          }),
        );
      });
      const look = (event) => {
        const place = (event.clientX - picture.getBoundingClientRect().left) * (width / picture.clientWidth);
        const nearest = (best, edge, i) => (Math.abs(x(edge) - place) < Math.abs(x(edges[best]) - place) ? i : best);
        const behind = edges.findIndex((edge, i) => i > 0 && x(edge) >= place);
        const piece = points ? edges.reduce(nearest, 0) : Math.max(0, Math.min(scores.length, behind < 0 ? scores.length : behind) - 1);
        const range = levels
          ? levels[piece]
          : points
          ? number(points[piece])
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
            ...best.map(([value, name]) => `${name} ${value > 0 ? '+' : ''}${number(value, percent)}`),
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
