// A class against all others at each threshold: ROC on the left, precision and recall on the right, the threshold on both.
figures.thresholds = (host, { classes }) => {
  let { curve } = classes[0],
    per = 50;
  const out = html('output', {}),
    about = html('div', { class: 'legend', 'aria-live': 'polite' });
  const slider = html('input', { type: 'range', min: 0, max: 100, value: per, 'aria-label': 'threshold in per cent' });
  const precision = (at) => {
    const [has, not] = [curve.has[at] * curve.all[0], curve.not[at] * curve.all[1]];
    return has + not > 0 ? has / (has + not) : 1;
  };
  const update = () => {
    out.textContent = `${per} %`;
    // The last point that is not below the threshold.
    const at = curve.p.findLastIndex((p) => 100 * p >= per),
      i = Math.max(0, at);
    const named = curve.has[i] * curve.all[0] + curve.not[i] * curve.all[1];
    about.textContent =
      `recall ${number(curve.has[i], true)}, precision ${named > 0 ? number(precision(i), true) : '–'}, false alarms ` +
      `${number(curve.not[i], true)}; ${number(Math.round(named))} rows named. Area under the ROC curve: ${number(curve.area)}`;
    redraw(i);
  };
  slider.oninput = () => {
    per = Number(slider.value);
    update();
  };
  host.append(
    html(
      'div',
      { class: 'controls' },
      selection(
        'class',
        classes.map((one) => one.name),
        (at) => {
          curve = classes[at].curve;
          update();
        },
      ),
      html('label', { class: 'wide' }, 'threshold', slider),
      out,
    ),
  );
  let at = 0;
  const draw = drawing(
    host,
    (width) => (width < 560 ? 2 * Math.min(width, 340) : Math.min(width / 2, 360)),
    (picture, width, height) => {
      const below = width < 560,
        tall = below ? height / 2 : height,
        wide = below ? width : width / 2;
      const pane = (left, top, names, x, y) => {
        const box = { left: left + 54, right: left + Math.min(wide, tall + 40) - 22, top: top + 26, bottom: top + tall - 44 };
        const px = (share) => box.left + (box.right - box.left) * share,
          py = (share) => box.bottom - (box.bottom - box.top) * share;
        for (const mark of [0, 0.25, 0.5, 0.75, 1]) {
          picture.append(
            svg('line', { class: 'grid', x1: px(0), x2: px(1), y1: py(mark), y2: py(mark) }),
            svg('text', { x: box.left - 8, y: py(mark) + 4, 'text-anchor': 'end' }, short(mark, true)),
            svg('text', { x: px(mark), y: box.bottom + 17, 'text-anchor': 'middle' }, short(mark, true)),
          );
        }
        picture.append(
          svg('text', { x: left + 2, y: top + 12 }, names[1]),
          svg('text', { x: (px(0) + px(1)) / 2, y: box.bottom + 35, 'text-anchor': 'middle' }, names[0]),
          svg('polyline', {
            class: 'curve',
            stroke: 'var(--accent)',
            points: curve.p.map((_, i) => `${px(x(i)).toFixed(1)},${py(y(i)).toFixed(1)}`).join(' '),
          }),
        );
        curve.p.forEach((p, i) =>
          picture.append(
            hint(
              svg('circle', { cx: px(x(i)), cy: py(y(i)), r: i === at ? 6 : 5, fill: i === at ? 'var(--warm)' : 'transparent' }),
              `threshold ${number(p, true)}\n${names[0]} ${number(x(i), true)}\n${names[1]} ${number(y(i), true)}`,
            ),
          ),
        );
        return [px, py];
      };
      const [px, py] = pane(0, 0, ['false alarms', 'recall'], (i) => curve.not[i], (i) => curve.has[i]);
      picture.append(svg('line', { class: 'cross', x1: px(0), y1: py(0), x2: px(1), y2: py(1) }));
      pane(below ? 0 : wide, below ? tall : 0, ['recall', 'precision'], (i) => curve.has[i], precision);
    },
  );
  const redraw = (point) => {
    at = point;
    draw();
  };
  host.append(about);
  update();
};
