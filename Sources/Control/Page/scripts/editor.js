// The text of a manifest, with its faults under the cursor.

import {cloneOf, draw, h, patchKids} from './elements.js';
import {clean, mono, plural, say} from './text.js';
import {api} from './host.js';
import {badge} from './parts.js';

// A line's height and a character's width, in pixels.
const [LINE, CELL] = [20, 7.5];
const PAUSE = 300;

/** What is right instead of a fault, in parts. */
export const faultText = one => [h('div', say(`found ${one.found}`)), h('div', say(`expected ${one.expected}`)), one.hint && h('div.muted', say(one.hint))];

/** The place of a fault in a text: columns count whole characters, a JavaScript string has two units for some. */
export function placeOf(text, {line, column}) {
	const lines = text.split('\n');
	const at = Math.min(Math.max(line, 1), lines.length);
	const before = lines.slice(0, at - 1).reduce((sum, one) => sum + one.length + 1, 0);
	const start = before + [...lines[at - 1]].slice(0, column - 1).join('').length;
	// All of the word, string or number that begins there.
	const [what] = /^(?:"(?:[^"\\\n]|\\.)*"?|[\w.+-]+|[^\n]|)/.exec(text.slice(start));
	return [start, start + what.length];
}

/** One of the text as a whole has no place. */
const placed = faults => faults.map(one => ({...one, line: one.line ?? 1, column: one.column ?? 1}));

/** A field for a manifest: `changed` is called when somebody edits it. The host's check follows what is typed; without `faults` it begins with one. */
export function makeEditor(path, text, known, {isReadOnly, changed}) {
	const box = cloneOf('text');
	const [gutter, field] = box.children;
	let timer = null, asked = 0, problem = null, isChecking = !known, line = 0;
	let faults = placed(known ?? []);
	field.value = text;
	field.readOnly = isReadOnly;

	function number() {
		const bad = new Map(faults.map(one => [one.line, one.isError]));
		patchKids(gutter, field.value.split('\n').map((_, at) => h('div', {class: !bad.has(at + 1) ? '' : bad.get(at + 1) ? 'bad' : 'warn'}, at + 1)));
		gutter.scrollTop = field.scrollTop;
	}
	async function check() {
		const turn = ++asked;
		try {
			const answer = await api('/manifest/check', {method: 'POST', body: {path, text: field.value}});
			if (turn !== asked) return;
			[faults, problem] = [placed(answer.faults), null];
		} catch (error) {
			if (turn !== asked) return;
			problem = error;
		}
		isChecking = false;
		number();
		draw();
	}
	function look() {
		const at = field.value.slice(0, field.selectionStart).split('\n').length;
		if (at === line) return;
		line = at;
		draw();
	}
	function select(fault) {
		const [from, to] = placeOf(field.value, fault);
		field.focus();
		field.setSelectionRange(from, to);
		field.scrollTop = Math.max(0, (fault.line - 6) * LINE);
		field.scrollLeft = Math.max(0, (fault.column - 12) * CELL);
		look();
	}
	field.onscroll = () => { gutter.scrollTop = field.scrollTop; };
	field.onselect = field.onkeyup = field.onclick = look;
	field.oninput = () => {
		clearTimeout(timer);
		// What is said of lines before is said of others now.
		isChecking = true;
		timer = setTimeout(check, PAUSE);
		changed?.(field.value);
		number();
		look();
		draw();
	};
	number();
	if (!known) check();
	const sentence = () => {
		const [errors, all] = [faults.filter(one => one.isError).length, faults.length];
		if (problem) return badge('bang', 'bad', clean(problem.message));
		if (isChecking) return badge('ring', 'info', 'checking…');
		return !all ? badge('check', 'good', 'no faults') : badge(errors ? 'cross' : 'bang', errors ? 'bad' : 'warn', [errors > 0 && plural(errors, 'error'), all > errors && plural(all - errors, 'warning')].filter(Boolean).join(', '));
	};
	return {
		get text() { return field.value; },
		close: () => clearTimeout(timer),
		/** Faults that somebody else found, such as the one who was to write it. */
		show(found) {
			clearTimeout(timer);
			[faults, problem, isChecking] = [placed(found), null, false];
			asked++;
			number();
			draw();
		},
		render: () => [h('div', {node: box}), h('p', {role: 'status'}, sentence()),
			faults.length > 0 && h('ol.faults', faults.map(one => h('li', {class: one.line === line ? 'here' : ''},
				h('button.quiet', {onclick: () => select(one), label: `Go to line ${one.line}, column ${one.column}`}, `${one.line}:${one.column}`),
				h('div', badge(one.isError ? 'cross' : 'bang', one.isError ? 'bad' : 'warn', mono(one.path)), faultText(one)))))],
	};
}
