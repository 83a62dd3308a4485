async function (id) {
  'use strict';
  const root = document.getElementById(id);
  if (!root || typeof DecompressionStream === 'undefined') return;
  const packed = Uint8Array.from(atob(root.querySelector('.gw-data').textContent), c => c.charCodeAt(0));
  const unpacked = new Blob([packed]).stream().pipeThrough(new DecompressionStream('gzip'));
  const t = await new Response(unpacked).json();

  // Okabe and Ito's colours, which people with colour vision deficiencies can tell apart; the cells have the line's number as well.
  const colours = ['#56b4e9', '#e69f00', '#2fbf9a', '#f0e442', '#cc79a7', '#8fa8ff', '#ff9d76', '#b5d66b', '#c9a3e0', '#7fd8d8'];
  const colour = line => colours[line % colours.length];
  const make = (tag, className, text) => {
    const e = document.createElement(tag);
    if (className) e.className = className;
    if (text !== undefined) e.textContent = text;
    return e;
  };
  const threads = t.block[0] * t.block[1] * t.block[2];
  const threadAt = n => [n % t.block[0], Math.floor(n / t.block[0]) % t.block[1], Math.floor(n / t.block[0] / t.block[1])];
  const threadName = n => '(' + threadAt(n).join(',') + ')';
  const lanesOf = mask => { const list = []; for (let i = 0; i < 32; i++) if (mask >>> i & 1) list.push(i); return list; };

  // expand returns the accesses of a step with one entry for each lane.
  function expand(a) {
    const lanes = lanesOf(a.k);
    const stepped = a.d !== undefined;
    return lanes.map((lane, i) => ({
      lane, memory: a.m, op: a.o,
      word: stepped ? a.i[0] + i * a.d : a.i[i],
      value: a.v.length === 1 ? a.v[0] : a.v[i],
    }));
  }

  // The steps of each block by tick, and the history of each word.
  const blocks = t.blocks.map((block, number) => {
    const at = block.warps.map(w => {
      const steps = new Map();
      w.ticks.forEach((tick, i) => steps.set(tick, { line: w.lines[i], mask: w.masks[i], accesses: [] }));
      for (const a of w.accesses) steps.get(w.ticks[a.s]).accesses.push(a);
      return steps;
    });
    const barriers = block.barriers || [];
    const epoch = tick => { let n = 0; while (n < barriers.length && barriers[n] <= tick) n++; return n; };
    const history = t.memory.map(() => new Map());
    at.forEach((steps, warp) => {
      for (const [tick, step] of steps)
        for (const a of step.accesses) {
          if (a.m < 0) continue;
          for (const x of expand(a)) {
            const words = history[a.m];
            if (!words.has(x.word)) words.set(x.word, []);
            words.get(x.word).push({ tick, warp, thread: warp * 32 + x.lane, op: x.op, value: x.value, line: step.line });
          }
        }
    });
    for (const words of history) for (const list of words.values()) list.sort((a, b) => a.tick - b.tick || a.warp - b.warp);
    // Words that two threads use between the same barriers, at the lines that check mode has found.
    const racing = new Set((t.findings || []).filter(f => f.kind === 'race').map(f => f.line));
    const races = history.map(() => new Map());
    if (racing.size > 0) history.forEach((words, m) => words.forEach((list, word) => {
      for (let i = 0; i < list.length; i++) for (let k = i + 1; k < list.length && k < i + 64; k++) {
        const a = list[i], b = list[k];
        if (a.thread === b.thread || a.op === 'r' && b.op === 'r' || a.op === 'a' && b.op === 'a') continue;
        if (epoch(a.tick) !== epoch(b.tick)) break;
        if (!racing.has(t.lines[a.line].line) && !racing.has(t.lines[b.line].line)) continue;
        if (!races[m].has(word)) races[m].set(word, [a, b]);
      }
    }));
    return { at, barriers, epoch, history, races, ticks: block.ticks, index: block.index, number };
  });

  if (!blocks.length) return; // the text says so
  let block = blocks[0], tick = 0, timer = null;
  root.querySelector('.gw-text').hidden = true;
  const view = root.appendChild(make('div', 'gw-view'));

  // The bar: block, buttons and slider.
  const bar = view.appendChild(make('div', 'gw-bar'));
  bar.append(make('b', '', t.title));
  const choice = make('select');
  choice.setAttribute('aria-label', 'block');
  blocks.forEach((b, i) => { const o = make('option', '', 'block (' + b.index.join(',') + ')'); o.value = i; choice.append(o); });
  bar.append(choice);
  const button = (text, label, act) => { const b = make('button', '', text); b.title = label; b.setAttribute('aria-label', label); b.onclick = act; bar.append(b); return b; };
  button('first', 'first step', () => go(0));
  button('back', 'step back', () => go(tick - 1));
  const play = button('play', 'play', () => {
    if (timer) return stop();
    if (tick >= block.ticks - 1) go(0);
    play.textContent = 'stop';
    timer = setInterval(() => { if (!root.isConnected || tick >= block.ticks - 1) stop(); else go(tick + 1, true); }, 250);
  });
  button('next', 'step forward', () => go(tick + 1));
  button('last', 'last step', () => go(block.ticks - 1));
  const slider = make('input');
  slider.type = 'range'; slider.min = 0; slider.setAttribute('aria-label', 'step');
  slider.oninput = () => go(Number(slider.value));
  const label = make('span', 'gw-tick');
  bar.append(slider, label);
  function stop() { clearInterval(timer); timer = null; play.textContent = 'play'; }
  choice.onchange = () => { stop(); block = blocks[Number(choice.value)]; layMemory(); go(Math.min(tick, block.ticks - 1)); };

  const panes = view.appendChild(make('div', 'gw-panes'));

  // The source with counts.
  const sourcePane = panes.appendChild(make('div', 'gw-source'));
  const rows = new Map();
  for (const file of Object.keys(t.sources).sort()) {
    const table = make('table', 'gw-code');
    const head = table.insertRow();
    for (const text of ['line', 'warps', 'threads', '']) head.append(make('th', 'gw-n', text));
    head.lastChild.textContent = t.names[file];
    head.lastChild.style.textAlign = 'left';
    const ran = new Map();
    t.lines.forEach((l, i) => { if ((l.file || '') === file && l.line > 0) ran.set(l.line, i); });
    const numbers = [...ran.keys()];
    const source = t.sources[file] || [];
    const first = source.length ? Math.max(1, Math.min(...numbers) - 2) : 1, last = source.length ? Math.min(source.length, Math.max(...numbers) + 1) : Math.max(...numbers);
    const faults = new Map((t.findings || []).filter(f => (f.file || '') === file).map(f => [f.line, f]));
    for (let n = first; n <= last; n++) {
      const row = table.insertRow();
      let warps = 0, lanes = 0;
      const i = ran.get(n);
      if (i !== undefined) {
        rows.set(i, row);
        row.style.setProperty('--gw-line', colour(n));
        for (const b of t.blocks) for (const w of b.warps) w.lines.forEach((l, k) => { if (l === i) { warps++; lanes += lanesOf(w.masks[k]).length; } });
        row.title = 'go to the next step of line ' + n;
        row.onclick = () => next(i);
      }
      row.append(make('td', 'gw-n', n), make('td', 'gw-n', warps || ''), make('td', 'gw-n', lanes || ''), make('td', 'gw-c', (source[n - 1] || '').replaceAll('\t', '    ')));
      if (faults.has(n)) { row.classList.add('gw-fault'); row.title = faults.get(n).message; }
    }
    sourcePane.append(table);
  }

  const right = panes.appendChild(make('div', 'gw-right'));

  // The threads, a row for each warp.
  right.append(make('h4', '', 'threads, a row for each warp'));
  // A lane has the number of its line, if it is wide enough for the digits of all.
  const digits = String(Math.max(...t.lines.map(l => l.line))).length;
  const grid = right.appendChild(make('div', 'gw-threads gw-digits' + Math.min(digits, 4)));
  const lanes = [];
  const warps = Math.ceil(threads / 32);
  for (let w = 0; w < warps; w++) {
    grid.append(make('span', 'gw-w', 'warp ' + w));
    for (let l = 0; l < 32; l++) { const cell = make('span', 'gw-lane'); grid.append(cell); lanes.push(cell); }
  }
  const key = right.appendChild(make('div', 'gw-note'));

  // The memory.
  const memoryPane = view.appendChild(make('div'));
  let cells = [];
  function indexOf(m, word) {
    const perElement = Math.max(1, m.elem / m.word);
    let n = Math.floor(word / perElement);
    const part = perElement > 1 ? '.' + (word % perElement) : '';
    const dims = m.dims || [];
    let text = '';
    for (let i = dims.length - 1; i > 0; i--) { text = '[' + n % dims[i] + ']' + text; n = Math.floor(n / dims[i]); }
    return '[' + n + ']' + text + part;
  }
  function layMemory() {
    memoryPane.textContent = '';
    cells = t.memory.map((m, number) => {
      if (m.block >= 0 && m.block !== block.number) return null;
      const title = memoryPane.appendChild(make('h4', '', m.name + ' · ' + m.space + (m.type ? ' ' + m.type : '') + ' · ' + m.size + (m.size === 1 ? ' word' : ' words')));
      const area = memoryPane.appendChild(make('div', 'gw-memory' + (m.space === 'shared' ? ' gw-banks' : ' gw-sectors')));
      const found = new Map();
      if (m.space === 'shared' && m.word === 4) {
        const head = area.appendChild(make('div', 'gw-row'));
        head.append(make('span', 'gw-index', 'bank'));
        const bank0 = Math.floor(m.start / 4) % 32;
        for (let i = 0; i < 32; i++) { const c = make('span', 'gw-word', (bank0 + i) % 32); c.style.background = 'none'; c.style.color = 'var(--gw-soft)'; head.append(c); }
      }
      m.rows.forEach((first, r) => {
        const row = area.appendChild(make('div', 'gw-row'));
        row.append(make('span', 'gw-index', indexOf(m, first)));
        for (let i = 0; i < m.rowWords && first + i < m.size; i++) {
          const cell = make('span', 'gw-word');
          row.append(cell);
          found.set(first + i, { cell, start: m.values[r * m.rowWords + i], text: '', className: 'gw-word' });
        }
      });
      const note = memoryPane.appendChild(make('div', 'gw-note'));
      return { words: found, note, number };
    });
  }

  const short = v => {
    if (v === null || v === undefined) return '·';
    if (typeof v !== 'number' || Number.isInteger(v) && Math.abs(v) < 1e6) return String(v);
    return String(Number(v.toPrecision(4)));
  };

  // requests describes the accesses of a tick to a memory: the sectors or the bank conflicts of each warp's.
  function requests(m, list) {
    const texts = list.slice(0, 3).map(({ warp, access }) => {
      const words = new Set(expand(access).map(x => x.word));
      const verb = { r: 'reads', w: 'writes', a: 'changes atomically' }[access.o];
      const head = 'warp ' + warp + ': ' + lanesOf(access.k).length + (lanesOf(access.k).length === 1 ? ' lane, ' : ' lanes, ') + verb + ' ' + words.size + (words.size === 1 ? ' word' : ' words');
      if (m.space === 'shared') {
        const banks = new Map();
        for (const w of words) { const bank = Math.floor((m.start + w * m.word) / 4) % 32; banks.set(bank, (banks.get(bank) || 0) + 1); }
        const most = Math.max(...banks.values());
        return head + (most > 1 && m.word === 4 ? ', ' + most + '-way bank conflict' : ', no bank conflict');
      }
      const sectors = new Set([...words].map(w => Math.floor((m.start + w * m.word) / 32)));
      return head + ', ' + sectors.size + (sectors.size === 1 ? ' sector' : ' sectors') + ' of 32 bytes';
    });
    return texts.join('; ') + (list.length > 3 ? '; and ' + (list.length - 3) + ' more requests' : '');
  }

  function drawThreads() {
    const strays = new Set();
    const seen = new Map();
    block.at.forEach((steps, w) => {
      const step = steps.get(tick);
      let later = false, before = false;
      if (!step) for (const k of steps.keys()) { if (k > tick) later = true; else before = true; }
      for (let l = 0; l < 32; l++) {
        const cell = lanes[w * 32 + l], n = w * 32 + l;
        let name = 'gw-lane', text = '';
        if (n >= threads) name += ' gw-none';
        else if (step && step.mask >>> l & 1) {
          name += ' gw-on';
          const line = t.lines[step.line].line;
          cell.style.setProperty('--gw-line', colour(line));
          text = line || '';
          seen.set(step.line, (seen.get(step.line) || 0) + 1);
        } else if (!step && later && before) name += ' gw-wait';
        cell.className = name;
        cell.textContent = text;
        cell.title = n < threads ? 'thread ' + threadName(n) + (step && step.mask >>> l & 1 ? ': line ' + t.lines[step.line].line : step ? ': inactive' : later ? ': waits' : ': has ended') : '';
      }
      if (step) for (const a of step.accesses) if (a.m < 0) for (const l of lanesOf(a.k)) strays.add(w * 32 + l);
    });
    for (const n of strays) { lanes[n].classList.add('gw-mark'); lanes[n].title += ', accesses memory that it may not use'; }
    for (const [i, row] of rows) row.classList.toggle('gw-now', seen.has(i));
    const active = [...seen.values()].reduce((a, b) => a + b, 0);
    key.textContent = active + ' of ' + threads + ' threads run' + (seen.size ? ', line ' + [...seen.keys()].map(i => t.lines[i].line).sort((a, b) => a - b).join(', ') : '') +
      (strays.size ? '; ' + strays.size + ' access memory that they may not use' : '');
    const current = [...seen.keys()].map(i => rows.get(i)).find(Boolean);
    if (current && !sourcePane.matches(':hover')) {
      const top = current.offsetTop - sourcePane.offsetTop;
      if (top < sourcePane.scrollTop || top > sourcePane.scrollTop + sourcePane.clientHeight - 30) sourcePane.scrollTop = Math.max(0, top - 60);
    }
  }

  function drawMemory() {
    cells.forEach((shown, number) => {
      if (!shown) return;
      const m = t.memory[number], history = block.history[number], races = block.races[number];
      for (const [word, x] of shown.words) {
        const list = history.get(word);
        let value = x.start, writer = null, reads = false, written = false;
        if (list) for (const e of list) {
          if (e.tick > tick) break;
          if (e.op === 'r') { if (value === null) value = e.value; } else { value = e.value; writer = e; }
          if (e.tick === tick) { if (e.op !== 'w') reads = true; if (e.op !== 'r') written = true; }
        }
        const race = races.get(word);
        const className = 'gw-word' + (written ? ' gw-wr' : '') + (reads ? ' gw-r' : '') + (race && race[0].tick <= tick ? ' gw-race' : '');
        if (x.className !== className) { x.cell.className = className; x.className = className; }
        const text = short(value);
        if (x.text !== text) { x.cell.textContent = text; x.text = text; }
        x.cell.title = m.name + indexOf(m, word) + ' = ' + (value === null || value === undefined ? 'unknown' : value) +
          (writer ? ', written by thread ' + threadName(writer.thread) + ' in line ' + t.lines[writer.line].line : '') +
          (race ? '; a race of thread ' + threadName(race[0].thread) + ' in line ' + t.lines[race[0].line].line + ' and thread ' + threadName(race[1].thread) + ' in line ' + t.lines[race[1].line].line : '');
      }
      const list = [];
      block.at.forEach((steps, warp) => { const step = steps.get(tick); if (step) for (const access of step.accesses) if (access.m === number) list.push({ warp, access }); });
      shown.note.textContent = list.length ? requests(m, list) : '';
    });
  }

  function go(n, playing) {
    if (!playing) stop();
    tick = Math.max(0, Math.min(block.ticks - 1, n));
    slider.max = Math.max(0, block.ticks - 1);
    slider.value = tick;
    const n0 = block.epoch(tick);
    label.textContent = 'step ' + (tick + 1) + ' of ' + block.ticks + (block.barriers.length ? ', after ' + n0 + ' of ' + block.barriers.length + ' barriers' : '');
    drawThreads();
    drawMemory();
  }

  // next goes to the next step in which a warp runs a line, from the beginning again after the last one.
  function next(line) {
    const ticks = new Set();
    for (const steps of block.at) for (const [k, step] of steps) if (step.line === line) ticks.add(k);
    const sorted = [...ticks].sort((a, b) => a - b);
    if (sorted.length) go(sorted.find(k => k > tick) ?? sorted[0]);
  }

  for (const f of t.findings || []) {
    const e = view.appendChild(make('div', 'gw-finding', 'line ' + f.line + ': ' + f.kind + ': ' + f.message));
    const i = t.lines.findIndex(l => l.line === f.line && (l.file || '') === (f.file || ''));
    if (i >= 0) e.onclick = () => next(i);
  }
  const legend = view.appendChild(make('div', 'gw-note'));
  const entry = (style, text) => { const k = make('span', 'gw-key'); k.style.cssText = style; legend.append(k, text); };
  entry('box-shadow: inset 0 0 0 2px var(--gw-read)', 'read');
  entry('background: var(--gw-write)', 'written');
  entry('background: repeating-linear-gradient(45deg, var(--gw-idle) 0 3px, var(--gw-edge) 3px 5px)', 'waits at a barrier');
  entry('box-shadow: inset 0 0 0 2px var(--gw-bad)', 'defect');
  for (const note of t.notes || []) view.append(make('div', 'gw-note', note));

  view.tabIndex = 0;
  view.addEventListener('keydown', e => {
    const by = { ArrowLeft: -1, ArrowRight: 1, PageUp: -10, PageDown: 10, Home: -Infinity, End: Infinity }[e.key];
    if (by === undefined || e.target === slider || e.target === choice) return;
    go(tick + by);
    e.preventDefault();
    e.stopPropagation();
  });
  layMemory();
  go(t.start);
}
