function (id) {
  'use strict';
  const root = document.getElementById(id);
  if (!root) return;
  const t = JSON.parse(root.querySelector('.gw-data').textContent);
  const left = 104, rowHeight = 22, axis = 22, least = 20; // the last in nanoseconds
  const make = (tag, className, text) => {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const draw = (parent, tag, attributes, text) => {
    const e = document.createElementNS('http://www.w3.org/2000/svg', tag);
    for (const [name, value] of Object.entries(attributes)) e.setAttribute(name, value);
    if (text !== undefined) e.textContent = text;
    parent.append(e);
    return e;
  };

  // time returns nanoseconds as text, with a unit that suits a step.
  function time(ns, step = ns) {
    const units = [[1e9, 's'], [1e6, 'ms'], [1e3, 'µs'], [1, 'ns']];
    const [size, unit] = units.find(([size]) => Math.abs(ns) >= size) || units[3];
    const digits = Math.max(0, Math.min(6, Math.ceil(-Math.log10(step / size) + (step === ns ? 3 : 0) - 1e-9)));
    return `${+(ns / size).toFixed(digits)} ${unit}`;
  }

  const old = root.querySelector('.gw-view');
  if (old) old.remove();
  root.querySelector('.gw-text').style.display = 'none';
  const view = root.appendChild(make('div', 'gw-view'));
  const bar = view.appendChild(make('div', 'gw-bar'));
  const button = (text, label, f) => {
    const b = bar.appendChild(make('button', '', text));
    b.type = 'button';
    b.title = label;
    b.setAttribute('aria-label', label);
    b.onclick = f;
  };
  let from = 0, to = t.length;
  function show(a, b) {
    const width = Math.min(Math.max(b - a, least), t.length);
    from = Math.min(Math.max(a + (b - a - width) / 2, 0), t.length - width);
    to = from + width;
    paint();
  }
  const zoom = (factor, at = (from + to) / 2) => show(at - (at - from) * factor, at + (to - at) * factor);
  const move = part => show(from + part * (to - from), to + part * (to - from));
  button('◀', 'earlier', () => move(-0.5));
  button('▶', 'later', () => move(0.5));
  button('+', 'zoom in', () => zoom(0.5));
  button('−', 'zoom out', () => zoom(2));
  button('all', 'show all', () => show(0, t.length));
  for (const [name, text] of [['kernel', 'kernels'], ['copy', 'copies and fills'], ['range', 'ranges']]) {
    const key = bar.appendChild(make('span'));
    key.append(make('i', `gw-key gw-${name}`), text);
  }
  const svg = draw(view, 'svg', { tabindex: 0, role: 'img', 'aria-label': `Timeline of ${time(t.length)}; + and − zoom, arrow keys move, 0 shows all` });
  const note = view.appendChild(make('div', 'gw-note'));
  note.setAttribute('aria-live', 'polite');
  const hint = 'Drag over a part to enlarge it, double-click to see all; Ctrl and wheel zoom.';
  note.textContent = hint;
  let width = 800;
  const x = ns => left + (ns - from) / (to - from) * (width - left);
  const at = e => {
    const box = svg.getBoundingClientRect();
    return from + Math.min(Math.max((e.clientX - box.left) * width / box.width - left, 0) / (width - left), 1) * (to - from);
  };

  function grid(height) {
    const rough = (to - from) / Math.max((width - left) / 110, 1);
    const power = 10 ** Math.floor(Math.log10(rough));
    const step = power * [1, 2, 5, 10].find(n => n * power >= rough * 0.999);
    for (let n = Math.ceil(from / step); n * step <= to; n++) {
      const px = x(n * step);
      draw(svg, 'line', { class: 'gw-grid', x1: px, x2: px, y1: axis - 4, y2: height });
      const anchor = px > width - 30 ? 'end' : px < left + 20 ? 'start' : 'middle';
      draw(svg, 'text', { class: 'gw-soft', x: px, y: axis - 8, 'text-anchor': anchor }, n === 0 ? '0' : time(n * step, step));
    }
  }

  function paint() {
    const height = axis + t.rows.length * rowHeight + 2;
    svg.setAttribute('viewBox', `0 0 ${width} ${height}`);
    svg.replaceChildren();
    grid(height);
    t.rows.forEach((row, number) => {
      const y = axis + number * rowHeight;
      if (row.label) draw(svg, 'text', { x: 0, y: y + 15 }, row.label);
      let painted = left - 1; // the end of the last bar: narrower ones within the same pixel are not drawn
      for (const b of row.bars) {
        const begin = Math.max(x(b[0]), left), end = Math.min(x(b[0] + b[1]), width);
        if (end < left || begin > width || Math.max(end, begin + 1) <= painted + 0.5) continue;
        const size = Math.max(end - begin, 1), kind = row.ranges ? 'range' : b[4] ? 'copy' : 'kernel';
        const rect = draw(svg, 'rect', { class: `gw-${kind}`, x: begin, y: y + 1, width: size, height: rowHeight - 4 });
        rect.gwBar = b;
        painted = begin + size;
        const name = t.texts[b[2]], room = Math.floor((size - 6) / 7);
        if (room >= Math.min(name.length, 3))
          draw(svg, 'text', { class: `gw-in-${kind}`, x: begin + 4, y: y + 14 }, name.length <= room ? name : name.slice(0, room - 1) + '…');
      }
    });
  }

  let marked, start, part;
  const mark = rect => {
    if (marked) marked.classList.remove('gw-on');
    marked = rect;
    if (!rect) { note.textContent = hint; return; }
    rect.classList.add('gw-on');
    const b = rect.gwBar;
    note.textContent = `${t.texts[b[2]]}: ${time(b[1])} from ${time(b[0])} on; ${t.texts[b[3]]}`;
  };
  svg.addEventListener('pointermove', e => {
    if (start === undefined) { mark(e.target.gwBar ? e.target : undefined); return; }
    const [a, b] = [x(start), x(at(e))].sort((a, b) => a - b);
    if (!part) part = draw(svg, 'rect', { class: 'gw-part', y: 0, height: axis + t.rows.length * rowHeight });
    part.setAttribute('x', a);
    part.setAttribute('width', b - a);
  });
  svg.addEventListener('pointerdown', e => {
    if (e.button !== 0) return;
    start = at(e);
    svg.setPointerCapture(e.pointerId);
  });
  svg.addEventListener('pointerup', e => {
    const end = at(e), begin = start, wide = part && +part.getAttribute('width') > 4;
    start = undefined;
    if (part) part.remove();
    part = undefined;
    if (wide) show(Math.min(begin, end), Math.max(begin, end));
  });
  svg.addEventListener('pointercancel', () => { start = undefined; if (part) part.remove(); part = undefined; });
  svg.addEventListener('pointerleave', () => { if (start === undefined) mark(undefined); });
  svg.addEventListener('dblclick', () => show(0, t.length));
  svg.addEventListener('wheel', e => {
    if (!e.ctrlKey) return;
    e.preventDefault();
    zoom(e.deltaY > 0 ? 1.25 : 0.8, at(e));
  }, { passive: false });
  svg.addEventListener('keydown', e => {
    const keys = { ArrowLeft: () => move(-0.25), ArrowRight: () => move(0.25), '+': () => zoom(0.5), '=': () => zoom(0.5), '-': () => zoom(2), 0: () => show(0, t.length) };
    if (!keys[e.key]) return;
    e.preventDefault();
    e.stopPropagation();
    keys[e.key]();
  });
  const resize = () => {
    const wide = svg.getBoundingClientRect().width;
    if (wide > 0 && wide !== width) { width = Math.max(wide, 240); paint(); }
  };
  paint();
  resize();
  new ResizeObserver(resize).observe(svg);
}
