// Curves by round: groups of lines, of which one group is shown; a log axis where values fall far.
figures.lines = (host, { groups }) => {
  let group = groups[0], log = false;
  const values = () => group.lines.flatMap((line) => line.y).filter((y) => y !== null);
  const falls = () => { const all = values().filter((y) => y > 0); return Math.max(...all) / Math.min(...all) > 8; };
  const axis = html('button', { type: 'button', onclick: () => { log = !log; update(); } }, 'log axis');
  const legend = html('div', { class: 'legend' });
  const update = () => {
    axis.setAttribute('aria-pressed', log);
    legend.replaceChildren(...group.lines.map((line) => html('span', {},
      html('i', { class: line.dots ? 'dot' : line.dash ? 'dash' : '', style: `--c:${colour(line.colour)}` }), line.name)));
    redraw();
  };
  const pick = (at) => { group = groups[at]; log = falls(); update(); };
  const names = groups.map((one) => one.name);
  host.append(html('div', { class: 'controls' }, groups.length > 1 ? choice(names, pick, 'What is drawn') : null, axis));
  log = falls();
  const redraw = drawing(host, (width) => width < 500 ? 260 : 360, (picture, width, height) => {
    const box = { left: 54, right: width - 12, top: 30, bottom: height - 46 };
    const all = values(), last = Math.max(2, ...group.lines.flatMap((line) => line.x));
    const positive = all.filter((y) => y > 0);
    let low = log ? Math.min(...positive) : Math.min(0, ...all), high = Math.max(...all, log ? low * 10 : 1e-9);
    if (!Number.isFinite(low)) { low = log ? 0.1 : 0; high = 1; }
    // On a log axis nothing is at the foot of it.
    const floor = log ? low / 1.6 : low;
    const x = (round) => box.left + (box.right - box.left) * (round - 1) / (last - 1);
    const y = (value) => {
      const part = log ? Math.log(Math.max(value, floor) / floor) / Math.log(high / floor) : (value - low) / (high - low);
      return box.bottom - (box.bottom - box.top) * Math.max(0, Math.min(1, part));
    };
    const rounds = ticks(0, last, width < 500 ? 4 : 8).filter((round) => round > 1 && Number.isInteger(round));
    axes(picture, box, x, y, [1, ...rounds.filter((round) => x(round) - x(1) > 24)], log ? powers(floor, high) : ticks(low, high, 5), ['round', group.name], group.percent);
    for (const line of group.lines) {
      const points = line.x.map((round, at) => [round, line.y[at]]).filter((point) => point[1] !== null);
      if (line.dots) points.forEach(([round, value]) => picture.append(svg('circle', { cx: x(round), cy: y(value), r: 3.5, fill: colour(line.colour) })));
      else picture.append(svg('polyline', { class: 'curve', stroke: colour(line.colour), 'stroke-dasharray': line.dash ? '6 5' : null, points: points.map(([round, value]) => `${x(round).toFixed(1)},${y(value).toFixed(1)}`).join(' ') }));
    }
    const cross = svg('line', { class: 'cross', y1: box.top, y2: box.bottom, visibility: 'hidden' });
    const look = (event) => {
      const at = (event.clientX - picture.getBoundingClientRect().left) * (width / picture.clientWidth);
      const wanted = Math.max(1, Math.min(last, Math.round(1 + (at - box.left) / (box.right - box.left) * (last - 1))));
      const near = (line) => line.x.reduce((best, round, i) => Math.abs(round - wanted) < Math.abs(line.x[best] - wanted) ? i : best, 0);
      const shown = group.lines.map((line) => { const i = near(line); return `${line.name}${line.x[i] === wanted ? '' : ` (round ${line.x[i]})`}: ${number(line.y[i], group.percent)}`; });
      put(cross, { x1: x(wanted), x2: x(wanted), visibility: 'visible' }, []);
      show(event, [`round ${wanted}`, ...shown].join('\n'));
    };
    const pane = svg('rect', { x: box.left, y: box.top, width: box.right - box.left, height: box.bottom - box.top, fill: 'transparent' });
    put(pane, { onpointermove: look, onpointerdown: look, onpointerleave: () => { hide(); cross.setAttribute('visibility', 'hidden'); } }, []);
    picture.append(cross, pane);
  });
  host.append(legend);
  update();
};
