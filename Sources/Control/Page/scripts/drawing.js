// When the page is drawn.

let isDue = false;
/** What the page consists of: `frame` draws all of it. */
export const canvas = {frame() {}};

/** Draws everything before the next frame. */
export function draw() {
	if (isDue) return;
	isDue = true;
	requestAnimationFrame(() => {
		isDue = false;
		canvas.frame();
	});
}
