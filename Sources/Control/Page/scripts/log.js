// The log of a run.

import {cloneOf, draw, h, patchKids} from './elements.js';
import {asClock, clean, keep, number, plural, stored} from './text.js';
import {note, refusal} from './notes.js';
import {api, get, idPath} from './host.js';
import {filterField, save} from './parts.js';

const LINE = 20;
// Browsers lay out no element that is higher than some 16 million pixels.
const HIGHEST = 8e6;

/** A log of any length: only the lines in sight are in the document. */
export function makeLog(id) {
	let lines = [], rows = [], next = 0, isBusy = false, isDirty = false, isOver = false, last = 0, find = '';
	const choice = {follow: true, times: false, wrap: stored('wrap', '') === 'yes'};
	const box = cloneOf('lines');
	const tall = box.firstElementChild;
	const list = tall.firstElementChild;

	// Lines fall into rows of one height, so that the place of each is known without a look at it.
	const width = () => Math.max(20, Math.floor((box.clientWidth - (choice.times ? 190 : 30)) / 7.3));
	const cells = character => (character.codePointAt(0) >= 0x1100 ? 2 : 1);
	function addRows(from) {
		const wide = choice.wrap ? width() : 4000;
		for (let at = from; at < lines.length; at++) {
			const text = clean(lines[at].text);
			if (find && !text.toLowerCase().includes(find)) continue;
			let begin = 0, used = 0, place = 0;
			if (text.length * 2 > wide) {
				for (const character of text) {
					if (used + cells(character) > wide) {
						rows.push([at, text.slice(begin, place)]);
						[begin, used] = [place, 0];
					}
					used += cells(character);
					place += character.length;
				}
			}
			rows.push([at, text.slice(begin)]);
		}
	}
	function lay(from = 0) {
		if (!from) rows = [];
		addRows(from);
		tall.style.height = `${Math.min(HIGHEST, rows.length * LINE)}px`;
		box.style.height = `${Math.max(48, Math.min(420, rows.length * LINE + 18))}px`;
		if (choice.follow) box.scrollTop = box.scrollHeight;
		last = box.scrollTop;
		show();
	}
	function show() {
		const total = rows.length * LINE;
		// Beyond the highest element the way of the thumb stands for more than its pixels.
		const over = total > HIGHEST ? (total - box.clientHeight) / (HIGHEST - box.clientHeight) : 1;
		const first = Math.max(0, Math.floor((box.scrollTop * over) / LINE) - 10);
		const count = Math.ceil(box.clientHeight / LINE) + 20;
		list.style.transform = `translateY(${over === 1 ? first * LINE : box.scrollTop - (box.scrollTop * over - first * LINE)}px)`;
		patchKids(list, rows.slice(first, first + count).map(([at, text], row) => {
			const {at: time, stream: from} = lines[at];
			return h('div.line-of', {class: from ?? ''}, choice.times && h('span.at', rows[first + row - 1]?.[0] === at ? '' : `${time ? `${asClock(time)}.${time.slice(20, 23)}` : ''} ${from ?? ''}`), h('bdi', text));
		}));
	}
	box.onscroll = () => {
		if (box.scrollTop < last - 1 && choice.follow) {
			choice.follow = false;
			draw();
		}
		last = box.scrollTop;
		requestAnimationFrame(show);
	};
	const watcher = new ResizeObserver(() => (choice.wrap ? lay() : show()));
	watcher.observe(box);

	async function grow() {
		isDirty = true;
		if (isBusy) return;
		isBusy = true;
		try {
			while (isDirty && !isOver) {
				isDirty = false;
				const part = await get(idPath('runs', id, 'log'), {offset: next});
				let from = lines.length;
				const [open, rest] = [lines.at(-1), part.lines[0]];
				// The last line went on.
				if (rest && open && !open.isWhole && open.stream === rest.stream) {
					Object.assign(open, {text: open.text + rest.text, isWhole: rest.isWhole});
					part.lines.shift();
					from--;
					while (rows.length && rows.at(-1)[0] >= from) rows.pop();
				}
				lines = lines.concat(part.lines);
				isOver = part.next === null;
				// There may be more: an answer has as much as fits.
				isDirty ||= !!rest;
				next = part.next ?? next;
				if (rest) lay(from);
			}
		} catch (problem) {
			note(problem.message, {isBad: true});
		}
		isBusy = false;
		draw();
	}
	const toggle = (key, label) => h('button', {'aria-pressed': String(choice[key]), onclick: () => { choice[key] = !choice[key]; if (key === 'wrap') keep('wrap', choice.wrap ? 'yes' : ''); lay(); draw(); }}, label);
	grow();
	return {
		grow, close: () => watcher.disconnect(),
		render: () => [h('div.row.tools', toggle('follow', 'Follow'), toggle('times', 'Times'), toggle('wrap', 'Wrap'),
			filterField('Find in the log', find, text => { find = text.toLowerCase(); lay(); draw(); }), find && h('span.muted', `${number(rows.length)} of ${plural(lines.length, 'line')}`), h('span.grow'), h('span.muted', plural(lines.length, 'line')),
			h('button', {onclick: () => api(idPath('runs', id, 'log'), {as: 'text'}).then(text => save(text, 'text/plain', `${id}.log`), refusal)}, 'Download')),
		h('div', {node: box})],
	};
}
