(id, pause) => {
	for (const box of document.querySelectorAll(`.gw-player[id="${id}"]`)) {
		const [img, controls] = box.children;
		if (!controls.hidden) {
			continue;
		}
		const frames = JSON.parse(box.querySelector('script[type="application/json"]').textContent);
		const [button, slider, place] = controls.children;
		let timer = 0;
		const show = (i) => {
			img.src = frames[i];
			slider.value = i;
			place.textContent = `${i} of ${frames.length - 1}`;
		};
		const stop = () => {
			clearInterval(timer);
			timer = 0;
			button.textContent = "Play";
		};
		const play = () => {
			timer = setInterval(() => (box.isConnected ? show((+slider.value + 1) % frames.length) : stop()), pause);
			button.textContent = "Pause";
		};
		button.onclick = () => (timer ? stop() : play());
		slider.oninput = () => {
			stop();
			show(+slider.value);
		};
		controls.hidden = false;
		show(0);
		if (matchMedia("(prefers-reduced-motion: reduce)").matches) {
			stop();
		} else {
			play();
		}
	}
}
