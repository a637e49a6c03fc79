// What was done, with a way back. Refusals stay until they are dismissed.

import {draw} from './elements.js';

/** What was done, with a way back. Refusals stay until they are dismissed. */
export const notes = [];
export function note(text, more) {
	const one = {key: (note.number = (note.number ?? 0) + 1), text, ...more};
	notes.push(one);
	if (notes.length > 4) notes.shift();
	if (!one.isBad) setTimeout(dismiss, 15000, one);
	draw();
}

export function dismiss(one) {
	if (notes.includes(one)) notes.splice(notes.indexOf(one), 1);
	draw();
}

export const refusal = problem => note(problem.message, {isBad: true});
