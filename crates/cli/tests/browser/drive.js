// Given to a page by browser.rs: uses all controls, and says what is wrong. `cases` are what `predict` and `explain` say of rows.
async (wanted, cases) => {
  const wrong = [];
  const check = (fine, what) => {
    if (!fine) wrong.push(what);
  };
  const wait = (time) => new Promise((done) => setTimeout(done, time));
  await wait(100);
  for (const id of wanted) check(document.getElementById(id)?.matches('section'), `no section ${id}`);
  for (const link of document.querySelectorAll('nav a'))
    check(document.querySelector(link.getAttribute('href')), `${link.textContent} leads nowhere`);
  check(document.documentElement.scrollWidth <= innerWidth, 'the page is wider than the window');
  check(document.scripts.length === 2, 'a script has come from data');
  const tip = document.getElementById('tip');
  const look = (node) => {
    const { left, top, width, height } = node.getBoundingClientRect();
    node.dispatchEvent(
      new PointerEvent('pointermove', { clientX: left + width / 2, clientY: top + height / 2, bubbles: true }),
    );
  };
  const bad = (figure) => /NaN|undefined|Infinity|\[object/.test(figure.outerHTML);
  for (const figure of document.querySelectorAll('.figure')) {
    const name = `${figure.id} (${figure.dataset.figure})`,
      picture = () => figure.querySelector('svg, pre')?.outerHTML;
    check(picture(), `${name} is empty`);
    // Two rows of the explorer may look alike.
    const seen = () => `${picture()}${figure.state?.row}`;
    for (const list of figure.querySelectorAll('select')) {
      const before = seen();
      for (let at = list.options.length - 1; at >= 0; at--) {
        list.value = at;
        list.dispatchEvent(new Event('change'));
        check(!bad(figure), `${name}: option ${at} draws what is no number`);
        if (!('name' in list.dataset) && at === list.options.length - 1 && at > 0) check(seen() !== before, `${name}: its list changes nothing`);
      }
    }
    for (const slider of figure.querySelectorAll('input[type=range]')) {
      const states = new Set();
      for (let at = 0; at <= Number(slider.max); at++) {
        slider.value = at;
        slider.dispatchEvent(new Event('input'));
        states.add(figure.querySelector('output').textContent);
        check(!bad(figure), `${name}: stage ${at} draws what is no number`);
      }
      check(states.size === Number(slider.max) + 1, `${name}: its slider does not say where it is`);
      slider.value = 0;
      slider.dispatchEvent(new Event('input'));
      const play = figure.querySelector('.controls button');
      if (!play) continue;
      play.click();
      await wait(500);
      check(Number(slider.value) > 0, `${name} does not play`);
      play.click();
    }
    for (const button of [...figure.querySelectorAll('button[aria-pressed]')].slice(0, 12)) {
      const before = button.getAttribute('aria-pressed');
      button.click();
      check(!bad(figure), `${name}: "${button.textContent}" draws what is no number`);
      if (button.closest('.group') === null)
        check(button.getAttribute('aria-pressed') !== before, `${name}: "${button.textContent}" stays as it was`);
      else check(button.getAttribute('aria-pressed') === 'true', `${name}: "${button.textContent}" is not pressed`);
    }
    // No words are cut off at the edges of a picture.
    for (const picture of figure.querySelectorAll('svg')) {
      const frame = picture.getBoundingClientRect();
      for (const text of picture.querySelectorAll('text')) {
        const { left, right, top, bottom } = text.getBoundingClientRect();
        const inside = left > frame.left - 2 && right < frame.right + 2 && top > frame.top - 3 && bottom < frame.bottom + 3;
        check(inside || frame.width === 0, `${name}: "${text.textContent}" is cut off`);
      }
    }
    // Something in every picture answers the pointer.
    if (figure.querySelector('svg')) {
      tip.hidden = true;
      figure.querySelectorAll('svg rect, svg circle').forEach(look);
      check(!tip.hidden && tip.textContent.length > 0, `${name} says nothing at the pointer`);
      check(!/NaN|undefined/.test(tip.textContent), `${name} says "${tip.textContent}"`);
    }
  }
  // The model in the page against `predict --proba` and `explain`: rows as they are, and with other values.
  const explorer = document.querySelector('[data-figure=explorer]');
  const fields = new Set();
  for (const { changes, probabilities, reasons } of cases) {
    const rows = explorer.querySelector('select');
    for (let at = 0; at < rows.options.length; at++) {
      rows.value = at;
      rows.dispatchEvent(new Event('change'));
      for (const [column, value] of changes) {
        // Columns that the model does not look at have no field.
        const field = explorer.querySelector(`[data-name="${column}"]`);
        if (field === null) continue;
        const level = [...(field.options ?? [])].find((option) => option.textContent === value);
        field.value = field.options ? (level ? level.value : field.options.length - 1) : value;
        field.dispatchEvent(new Event(field.options ? 'change' : 'input'));
        fields.add(column);
      }
      const { row, p, why, columns } = explorer.state,
        where = `row ${row} with ${JSON.stringify(changes)}`;
      const far = (a, b) => !(Math.abs(a - b) <= 1e-9);
      p.forEach((x, k) => check(!far(x, probabilities[row - 1][k]), `${where}: p ${x}, not ${probabilities[row - 1][k]}`));
      // Reasons are what is expected, and then what each column adds.
      const wanted = reasons[row - 1];
      check(!far(why.expected, wanted['(expected)'][why.class_]), `${where}: another expectation`);
      columns.forEach(({ name }, at) =>
        check(!far(why.sums[at], wanted[name][why.class_]), `${where}: ${name} adds ${why.sums[at]}, not ${wanted[name][why.class_]}`),
      );
    }
  }
  if (cases.length) check(fields.size > 0, 'no value can be changed');
  return wrong;
}
