"""Line plots as SVG, by hand: no library to install."""
from html import escape

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 720, 420, 64, 150, 44, 48
COLOURS = ["#2f6fb5", "#c8553d", "#3b8f5a", "#8458a8", "#b8862b", "#4d9aa8"]


def ticks(low, high, count=6):
    """Round numbers from low to high."""
    step = 10.0 ** len(str(int((high - low) / count))) / 10
    for factor in (0.1, 0.2, 0.5, 1, 2, 5, 10):
        if (high - low) / (step * factor) <= count:
            step *= factor
            break
    first = int(-(-low // step))
    return [i * step for i in range(first, int(high // step) + 1)]


def lines(path, title, x_label, y_label, series):
    """Writes {name: [(x, y), …]} as lines with their points."""
    xs = [x for points in series.values() for x, _ in points]
    ys = [y for points in series.values() for _, y in points]
    (x0, x1), (y0, y1) = (min(xs), max(xs)), (min(ys), max(ys))
    x1, y1 = max(x1, x0 + 1), max(y1, y0 + 1)
    right = lambda x: LEFT + (x - x0) / (x1 - x0) * (WIDTH - LEFT - RIGHT)
    up = lambda y: HEIGHT - BOTTOM - (y - y0) / (y1 - y0) * (HEIGHT - TOP - BOTTOM)
    text = lambda x, y, what, more="": f'<text x="{x:.1f}" y="{y:.1f}" {more}>{escape(what)}</text>'
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" font-family="sans-serif" font-size="13" fill="#333">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>', text(LEFT, 26, title, 'font-size="16"')]
    for y in ticks(y0, y1):
        out.append(f'<path d="M{LEFT} {up(y):.1f}H{WIDTH - RIGHT}" stroke="#e4e4e4"/>')
        out.append(text(LEFT - 8, up(y) + 4, f"{y:g}", 'text-anchor="end"'))
    for x in ticks(x0, x1, 10):
        out.append(text(right(x), HEIGHT - BOTTOM + 20, f"{x:g}", 'text-anchor="middle"'))
    out.append(text((LEFT + WIDTH - RIGHT) / 2, HEIGHT - 8, x_label, 'text-anchor="middle"'))
    out.append(text(16, HEIGHT / 2, y_label, f'text-anchor="middle" transform="rotate(-90 16 {HEIGHT / 2})"'))
    ends = []
    for colour, (name, points) in zip(COLOURS, series.items()):
        route = " ".join(f"{right(x):.1f},{up(y):.1f}" for x, y in points)
        out.append(f'<polyline points="{route}" fill="none" stroke="{colour}" stroke-width="2"/>')
        out += [f'<circle cx="{right(x):.1f}" cy="{up(y):.1f}" r="3" fill="{colour}"><title>{escape(name)}: {x:g}, {y:.4g}</title></circle>'
                for x, y in points]
        ends.append([up(points[-1][1]), right(points[-1][0]), name, colour])
    # Names stand at the ends of their lines, apart from one another.
    below = TOP
    for y, x, name, colour in sorted(ends):
        below = max(y, below)
        out.append(text(x + 10, below + 4, name, f'fill="{colour}"'))
        below += 16
    with open(path, "w") as file:
        file.write("\n".join([*out, "</svg>\n"]))
