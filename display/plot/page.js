(id) => {
	// The colours of the drawing, and those of the page.
	const colours = { "#22313f": "var(--gw-ink)", "#d8dee4": "var(--gw-faint)", "#ffffff": "none" };
	["#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#5b5b5b"].forEach((c, i) => { colours[c] = `var(--gw-${i})`; });
	const ns = "http://www.w3.org/2000/svg";
	const up = { 0: "⁰", 1: "¹", 2: "²", 3: "³", 4: "⁴", 5: "⁵", 6: "⁶", 7: "⁷", 8: "⁸", 9: "⁹", "-": "⁻" };

	const digits = (v, n) => {
		const a = Math.abs(v);
		if (a !== 0 && (a >= 1e6 || a < 1e-4)) {
			const [m, e] = v.toExponential(n - 1).split("e");
			const power = "10" + String(+e).replace(/./g, (c) => up[c]);
			const mantissa = String(+m);
			return mantissa === "1" ? power : mantissa + "·" + power;
		}
		return String(+v.toPrecision(n));
	};

	// An axis maps numbers to positions: [lo, hi, from, to, log].
	const axis = ([lo, hi, from, to, log]) => {
		const f = log ? Math.log : (v) => v;
		const g = log ? Math.exp : (v) => v;
		return {
			lo, hi, from, to, log,
			at: (v) => from + (f(v) - f(lo)) / (f(hi) - f(lo)) * (to - from),
			value: (p) => g(f(lo) + (p - from) / (to - from) * (f(hi) - f(lo))),
		};
	};

	const ticks = (a) => {
		const list = [];
		if (a.log && a.hi / a.lo > 20) {
			const first = Math.ceil(Math.log10(a.lo) - 1e-9), last = Math.floor(Math.log10(a.hi) + 1e-9);
			const every = Math.floor((last - first) / 9) + 1;
			for (let e = first; e <= last; e++) {
				if ((e - first) % every === 0) {
					list.push(10 ** e);
				}
			}
			return list;
		}
		let step = 10 ** Math.floor(Math.log10((a.hi - a.lo) / 4));
		step *= [1, 2, 5, 10].find((m) => (a.hi - a.lo) / (step * m) <= 7) || 10;
		for (let i = Math.ceil(a.lo / step - 1e-9); i <= a.hi / step + 1e-9; i++) {
			list.push(step < 1 ? i / Math.round(1 / step) : i * step);
		}
		return list;
	};

	const element = (parent, name, attributes, text) => {
		const e = document.createElementNS(ns, name);
		Object.entries(attributes).forEach(([k, v]) => e.setAttribute(k, v));
		e.textContent = text || "";
		parent.append(e);
		return e;
	};

	const interact = (box, svg) => {
		const tip = document.createElement("div");
		tip.className = "gw-tip";
		tip.hidden = true;
		box.append(tip);
		const facts = JSON.parse(svg.dataset.gw || "null");
		const size = svg.viewBox.baseVal;
		// The pointer's position in the drawing.
		const pointer = (event) => {
			const r = svg.getBoundingClientRect();
			return [(event.clientX - r.left) * size.width / r.width, (event.clientY - r.top) * size.height / r.height];
		};
		const say = (event, text) => {
			tip.textContent = text;
			tip.hidden = !text;
			if (text) {
				const r = box.getBoundingClientRect();
				const x = event.clientX - r.left, y = event.clientY - r.top;
				tip.style.left = (x + 14 + tip.offsetWidth > r.width ? Math.max(0, x - 14 - tip.offsetWidth) : x + 14) + "px";
				tip.style.top = Math.max(0, y - tip.offsetHeight - 6) + "px";
			}
		};
		svg.addEventListener("pointerleave", () => say(null, ""));
		if (!facts) {
			svg.addEventListener("pointermove", (event) => say(event, event.target.dataset.tip || ""));
			return;
		}
		const [left, top, right, bottom] = facts.frame;
		const field = svg.querySelector("g.field"), axes = svg.querySelector("g.axes");
		const whole = { x: axis(facts.x), y: axis(facts.y) };
		let now = whole;
		const inside = ([x, y]) => x >= left && x <= right && y >= top && y <= bottom;

		// The shapes of the plot area, as drawn first.
		const shapes = [...(field ? field.querySelectorAll("polyline,polygon,circle,rect,image,line,path") : [])].map((e) => ({
			e, points: (e.getAttribute("points") || e.getAttribute("d") || "").match(/-?[\d.]+/g)?.map(Number),
			at: Object.fromEntries(["x", "y", "width", "height", "cx", "cy", "x1", "y1", "x2", "y2"].filter((k) => e.hasAttribute(k)).map((k) => [k, +e.getAttribute(k)])),
		}));
		const points = [...svg.querySelectorAll("g.series")].map((g) => {
			const list = [...g.querySelectorAll("polyline")].flatMap((l) => l.getAttribute("points").split(" ").map((p) => p.split(",").map(Number)));
			const dots = list.length ? list : [...g.querySelectorAll("circle")].map((c) => [+c.getAttribute("cx"), +c.getAttribute("cy")]);
			const xs = (g.dataset.x || "").split(" "), ys = (g.dataset.y || "").split(" ");
			return { name: g.dataset.name, dots: xs.length === dots.length ? dots : xs.length > 1 ? xs.map((x, i) => [whole.x.at(+x), whole.y.at(+ys[i])]) : dots, xs, ys };
		});
		const moveX = (p) => now.x.at(whole.x.value(p)), moveY = (p) => now.y.at(whole.y.value(p));

		const draw = () => {
			for (const { e, points, at } of shapes) {
				if (points) {
					const list = points.map((p, i) => (i % 2 ? moveY(p) : moveX(p)).toFixed(1));
					if (e.hasAttribute("points")) {
						e.setAttribute("points", list.join(" "));
					} else {
						let i = 0;
						e.setAttribute("d", e.getAttribute("d").replace(/-?[\d.]+/g, () => list[i++]));
					}
				}
				for (const [k, v] of Object.entries(at)) {
					const across = /x|width/.test(k);
					const v2 = k === "width" ? moveX(at.x + v) - moveX(at.x) : k === "height" ? moveY(at.y + v) - moveY(at.y) : across ? moveX(v) : moveY(v);
					e.setAttribute(k, v2);
				}
			}
			if (now === whole) {
				axes.innerHTML = first;
				return;
			}
			axes.textContent = "";
			const ink = "var(--gw-ink)", faint = "var(--gw-faint)";
			let taken = 0;
			for (const t of ticks(now.x)) {
				const x = now.x.at(t), label = digits(t, 6), half = label.length * 3.4;
				if (grid) {
					element(axes, "line", { x1: x, y1: top, x2: x, y2: bottom, stroke: faint });
				}
				element(axes, "line", { x1: x, y1: bottom, x2: x, y2: bottom + 4, stroke: ink });
				if (x - half >= taken) {
					element(axes, "text", { x, y: bottom + 18, "text-anchor": "middle" }, label);
					taken = x + half + 4;
				}
			}
			for (const t of ticks(now.y)) {
				const y = now.y.at(t);
				if (grid) {
					element(axes, "line", { x1: left, y1: y, x2: right, y2: y, stroke: faint });
				}
				element(axes, "line", { x1: left - 4, y1: y, x2: left, y2: y, stroke: ink });
				element(axes, "text", { x: left - 8, y: y + 4, "text-anchor": "end" }, digits(t, 6));
			}
		};
		const first = axes.innerHTML, grid = first.includes("--gw-faint");

		const zoom = (x1, y1, x2, y2) => {
			const limit = (a, p, q) => axis([a.value(p), a.value(q), a.from, a.to, a.log]);
			const next = { x: limit(now.x, x1, x2), y: now.y.from > now.y.to ? limit(now.y, y2, y1) : limit(now.y, y1, y2) };
			const ok = (a, w) => Math.abs(a.hi - a.lo) > 1e-9 * Math.max(Math.abs(w.hi), Math.abs(w.lo));
			if (ok(next.x, whole.x) && ok(next.y, whole.y)) {
				now = next;
				draw();
			}
		};

		const mark = element(svg, "circle", { r: 5, fill: "none", stroke: "var(--gw-ink)", "stroke-width": 1.5, visibility: "hidden", "pointer-events": "none" });
		const nearest = ([px, py]) => {
			let best = null, distance = 30 * 30;
			for (const s of points) {
				s.dots.forEach(([x, y], i) => {
					const dx = moveX(x) - px, dy = moveY(y) - py, d = dx * dx + dy * dy;
					if (d < distance) {
						distance = d;
						best = { x: px + dx, y: py + dy, text: (s.name ? s.name + "\n" : "") + "x  " + digits(s.xs.length > 1 || s.xs[0] ? +s.xs[i] : whole.x.value(x), 7) + "\ny  " + digits(s.ys.length > 1 || s.ys[0] ? +s.ys[i] : whole.y.value(y), 7) };
					}
				});
			}
			return best;
		};
		const cells = field?.querySelector("image[data-cells]");
		const [columns, rows, data] = (cells?.dataset.cells || "").split(" ");
		const values = data && new Float32Array(Uint8Array.from(atob(data), (c) => c.charCodeAt(0)).buffer);
		const cell = ([px, py]) => {
			const b = cells.getBoundingClientRect(), r = svg.getBoundingClientRect();
			const x = (px * r.width / size.width - (b.left - r.left)) / b.width, y = (py * r.height / size.height - (b.top - r.top)) / b.height;
			const column = Math.min(columns - 1, Math.floor(x * columns)), row = Math.min(rows - 1, Math.floor(y * rows));
			const v = values[row * columns + column];
			return `column ${column}, row ${row}\n${Number.isFinite(v) ? digits(v, 7) : v}`;
		};

		let from = null, band = null;
		svg.addEventListener("pointermove", (event) => {
			const p = pointer(event);
			if (from) {
				const x = Math.min(from[0], p[0]), y = Math.min(from[1], p[1]);
				Object.entries({ x, y, width: Math.abs(p[0] - from[0]), height: Math.abs(p[1] - from[1]) }).forEach(([k, v]) => band.setAttribute(k, v));
				return;
			}
			const near = inside(p) ? nearest(p) : null;
			mark.setAttribute("visibility", near ? "visible" : "hidden");
			if (near) {
				mark.setAttribute("cx", near.x);
				mark.setAttribute("cy", near.y);
			}
			say(event, near ? near.text : event.target.dataset.tip || (values && inside(p) ? cell(p) : ""));
		});
		svg.addEventListener("pointerleave", () => mark.setAttribute("visibility", "hidden"));
		svg.addEventListener("pointerdown", (event) => {
			const p = pointer(event);
			if (event.button === 0 && inside(p)) {
				event.preventDefault();
				from = p;
				band = element(svg, "rect", { fill: "var(--gw-0)", "fill-opacity": 0.15, stroke: "var(--gw-0)" });
				svg.setPointerCapture(event.pointerId);
			}
		});
		svg.addEventListener("pointerup", (event) => {
			if (!from) {
				return;
			}
			const p = pointer(event), clip = (v, a, b) => Math.min(b, Math.max(a, v));
			const x = [from[0], p[0]].map((v) => clip(v, left, right)).sort((a, b) => a - b);
			const y = [from[1], p[1]].map((v) => clip(v, top, bottom)).sort((a, b) => a - b);
			band.remove();
			from = null;
			if (x[1] - x[0] > 5 && y[1] - y[0] > 5) {
				zoom(x[0], y[0], x[1], y[1]);
			}
		});
		svg.addEventListener("dblclick", () => { now = whole; draw(); });
		svg.addEventListener("wheel", (event) => {
			const p = pointer(event);
			if (event.ctrlKey && inside(p)) {
				event.preventDefault();
				const f = event.deltaY < 0 ? 0.8 : 1.25;
				zoom(p[0] - (p[0] - left) * f, p[1] - (p[1] - top) * f, p[0] + (right - p[0]) * f, p[1] + (bottom - p[1]) * f);
			}
		}, { passive: false });
	};

	for (const box of document.querySelectorAll(`.gw-chart[id="${id}"]`)) {
		const img = box.querySelector("img");
		if (!img) {
			continue;
		}
		let text = new TextDecoder().decode(Uint8Array.from(atob(img.src.split(",")[1]), (c) => c.charCodeAt(0)));
		text = text.replace(/"(#[0-9a-f]{6})"/g, (all, c) => `"${colours[c] || c}"`).replace(/([#"])field\b(?=[)"])/g, `$1field-${id}`);
		const svg = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
		svg.querySelectorAll(`[class="field-${id}"]`).forEach((e) => e.setAttribute("class", "field"));
		// Scripts of pages, such as MkDocs Material's, take every element with href for a link, whose property can be set.
		svg.querySelectorAll("image[href]").forEach((e) => {
			e.setAttributeNS("http://www.w3.org/1999/xlink", "xlink:href", e.getAttribute("href"));
			e.removeAttribute("href");
		});
		svg.setAttribute("aria-label", img.alt);
		img.replaceWith(svg);
		interact(box, svg);
	}
}
