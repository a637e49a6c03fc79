// Text: times, sizes, names and links, as people read them.

import {h, isShown} from './elements.js';

/** Text without what could reorder or hide its neighbors: marks of direction and control characters become visible. */
export const clean = text => String(text ?? '').replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu, mark => {
	const code = mark.codePointAt(0);
	return code < 32 ? String.fromCharCode(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
});

/** Text that a manifest, a handler or a user chose. */
export const say = text => h('bdi', clean(text));
/** The same for an identifier, a path or output. */
export const mono = text => h('bdi.mono', clean(text));

export const number = n => Math.round(n).toLocaleString('en-US');
export const plural = (n, word) => `${number(n)} ${word}${n === 1 ? '' : 's'}`;

export function bytes(n) {
	if (n == null) return '–';
	let unit = 0;
	for (; n >= 1024 && unit < 4; unit++) n /= 1024;
	return `${Math.floor(n * 10) / 10} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][unit]}`;
}

/** A duration in seconds, as the command line writes it: `776 ms`, `18.2 s`, `4 m 5 s`, `1 h 10 m`, `2 d 3 h`. */
export function span(s) {
	if (s == null) return '–';
	const figures = n => Math.floor(n * (n < 10 ? 100 : n < 100 ? 10 : 1) + 1e-6) / (n < 10 ? 100 : n < 100 ? 10 : 1);
	if (s < 1) return s < 0.001 ? `${figures(s * 1e6)} ${s ? 'us' : 's'}` : `${figures(s * 1000)} ms`;
	if (s < 60) return `${figures(s)} s`;
	const [big, small, a, b] = s < 3600 ? [60, 1, 'm', 's'] : s < 86400 ? [3600, 60, 'h', 'm'] : [86400, 3600, 'd', 'h'];
	const rest = Math.floor((s % big) / small);
	return `${Math.floor(s / big)} ${a}${rest ? ` ${rest} ${b}` : ''}`;
}

/** One that moves: tenths of a second are as much as an eye follows. */
export const moving = s => span(Math.floor(s * 10) / 10);

export let zone = stored('zone', 'local');
export function setZone(value) {
	zone = value;
}

const formats = new Map();
function inZone(time, options) {
	const key = zone + JSON.stringify(options);
	// Swedish dates are those of ISO 8601.
	if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat('sv-SE', {...options, ...(zone === 'utc' && {timeZone: 'UTC'})}));
	return formats.get(key).format(new Date(time));
}

export const asDate = time => inZone(time, {dateStyle: 'short'});
export const asClock = (time, timeStyle = 'medium') => inZone(time, {timeStyle});
export const absolute = time => `${asDate(time)} ${asClock(time)}${zone === 'utc' ? ' UTC' : ''}`;

export const ms = Date.parse;

/** The host's clock, in milliseconds: what it is ahead of the browser's, which may be another machine's; a virtual one stands still. */
export const clock = {skew: 0, virtual: null};

/** The host's present in milliseconds. */
export const now = () => clock.virtual ?? Date.now() + clock.skew;
export const DAY = 864e5;

export function relative(time) {
	const distance = (ms(time) - now()) / 1000;
	const s = Math.abs(distance);
	if (s >= 86400) return `${asDate(time)} ${asClock(time, 'short')}`;
	const text = s < 59.5 ? `${Math.round(s)} s` : s < 3570 ? `${Math.round(s / 60)} min` : `${Math.round(s / 3600)} h`;
	return s < 1 ? 'now' : distance > 0 ? `in ${text}` : `${text} ago`;
}

/** A time as people say it, with the exact one behind it. */
export const when = (time, none = '–') => (time ? h('time', {datetime: time, title: absolute(time)}, relative(time)) : none);

/** `-24h`, `-15m`, `-7d`, a date or a time, as ISO 8601; undefined when it is none of them. */
export function instant(text) {
	const back = /^-?(\d+)([smhd])$/.exec(text);
	if (back) return new Date(now() - back[1] * {s: 1e3, m: 6e4, h: 36e5, d: DAY}[back[2]]).toISOString();
	// Without an offset it is meant in the chosen zone; a date alone would be taken for UTC.
	const isNaive = /^\d{4}-\d\d-\d\d(T[\d:.]+)?$/.test(text);
	const time = new Date(isNaive ? `${text}${text.includes('T') ? '' : 'T00:00'}${zone === 'utc' ? 'Z' : ''}` : text);
	return Number.isNaN(+time) ? undefined : time.toISOString();
}

/** Choices of this browser. Where it keeps none, they hold for the visit. */
export function stored(key, otherwise) {
	try {
		return localStorage.getItem('taskhost.' + key) ?? otherwise;
	} catch {
		return otherwise;
	}
}

export function keep(key, value) {
	try {
		localStorage.setItem('taskhost.' + key, value);
	} catch { /* as above */ }
}

/** An identifier; its last part tells tasks apart and stands out. */
export function name(identifier) {
	const parts = clean(identifier).split('.');
	return h('bdi.name', {title: clean(identifier)}, parts.slice(0, -1).map(part => [h('span.stem', part + '.'), h('wbr')]), h('span.last', parts.at(-1)));
}

export const path = (...parts) => '#/' + parts.map(encodeURIComponent).join('/');
export const query = parameters => {
	const text = new URLSearchParams(Object.entries(parameters).filter(([, value]) => isShown(value))).toString();
	return text && '?' + text;
};

export const taskLink = id => h('a', {href: path('tasks', id)}, name(id));
export const appLink = (id, text) => h('a', {href: path('apps', id)}, text ? say(text) : name(id));
export const runLink = (run, text) => h('a', {href: path('runs', run)}, text ?? mono(run.slice(0, 8)));
