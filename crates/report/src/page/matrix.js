// A confusion matrix: what is right in one colour, what is wrong in another, as deep as its share of the class.
figures.matrix = (host, { names, rows }) => {
  let shares = false;
  const pick = (at) => {
    shares = at === 1;
    redraw();
  };
  host.append(
    html('div', { class: 'controls' }, choice(['rows', 'share of the class'], pick, 'Numbers'), '↓ is, → taken for'),
  );
  const n = names.length,
    totals = rows.map((row) => row.reduce((a, b) => a + b, 0));
  const longest = Math.min(11, Math.max(...names.map((name) => name.length)));
  const cut = (name) => (name.length > longest ? name.slice(0, longest - 1) + '…' : name);
  const layout = (width) => {
    const beside = 14 + longest * 7.2,
      // Names above are aslant, and lean over the edge of the last cell.
      aslant = 8 + longest * 3.6,
      // Few classes have large cells.
      side = Math.max(2, Math.min(n <= 4 ? 96 : n <= 10 ? 62 : 46, (width - beside - aslant) / n));
    // Where cells are small, only every second, fifth or tenth line has its name.
    return { left: beside, top: 16 + longest * 7, side, every: [1, 2, 5, 10, 20, 50].find((every) => every * side >= 12) };
  };
  const redraw = drawing(
    host,
    (width) => layout(width).top + 4 + n * layout(width).side,
    (picture, width) => {
      const { left, top, side, every } = layout(width),
        gap = Math.min(1, side / 8);
      names.forEach((name, k) => {
        if (k % every) return;
        fitted(picture, left - 8, { x: left - 6, y: top + side * (k + 0.5) + 4, 'text-anchor': 'end' }, cut(name));
        const x = left + side * (k + 0.5) + 4;
        fitted(picture, longest * 7.2, { x, y: top - 6, transform: `rotate(-60 ${x} ${top - 6})` }, cut(name));
      });
      rows.forEach((row, is) =>
        row.forEach((count, named) => {
          const share = totals[is] ? count / totals[is] : 0,
            right = is === named;
          const x = left + side * named,
            y = top + side * is;
          // Few wrong answers must be seen too: deeper than their share.
          const depth = count === 0 ? 0 : right ? 0.12 + 0.7 * share : 0.15 + 0.75 * Math.sqrt(share);
          const cell = svg('rect', {
            x: x + gap / 2,
            y: y + gap / 2,
            width: side - gap,
            height: side - gap,
            rx: Math.min(3, side / 6),
            fill: count === 0 ? 'var(--back)' : right ? 'var(--accent)' : 'var(--warm)',
            'fill-opacity': count === 0 ? 1 : depth,
          });
          picture.append(
            hint(
              cell,
              `${names[is]} ${right ? 'answered right' : `taken for ${names[named]}`}\n${number(count)} of ${number(totals[is])} (${number(share, true)})`,
            ),
          );
          const text = shares ? String(Math.round(100 * share)) : number(count);
          if (count > 0 && side >= 20 && text.length * Math.max(7, Math.min(12, side / 7)) < side)
            picture.append(
              svg(
                'text',
                {
                  class: 'strong',
                  x: x + side / 2,
                  y: y + side / 2 + Math.max(4, Math.min(7, side / 12)),
                  'text-anchor': 'middle',
                  style: `pointer-events:none;font-size:${Math.max(12, Math.min(20, side / 4))}px`,
                },
                text,
              ),
            );
        }),
      );
    },
  );
};
