// Parts of which views consist.

import {cloneOf, draw, h, icon, isShown} from './elements.js';
import {absolute, asClock, clean, mono, number, path, relative, say, taskLink, when} from './text.js';
import {note} from './notes.js';
import {gateSymbol, markOf, signalOf} from './words.js';
import {route, setQuery, shown} from './route.js';
import {mayChange} from './state.js';
import {perform} from './actions.js';

export const banner = (key, level, shape, ...content) => h('div.banner', {key, class: level, role: level === 'bad' ? 'alert' : null}, icon(shape), content);

export const badge = (shape, level, word, more) => h('span.outcome', {class: level}, icon(shape), h('span', word), more?.length > 0 && h('small', more));
/** Why a run ended as it did, in words: its reason, and how its program ended. */
const ending = run => [run.reason, run.outcome && (run.signal ? signalOf(run.signal) : run.exitStatus > 0 && `exit status ${run.exitStatus}`)].filter(Boolean).join(', ');
const ODD = {longer: 'longer', shorter: 'shorter', larger: 'larger', moreOften: 'more often', lessOften: 'less often'};
/** In what a run is unlike those before it: words such as `longer ×4`, with the sentence behind them. */
export const oddities = run => [
	...(run.unlikeItself ?? []).map(({is, value, usual, text}) => {
		const times = value / usual;
		return {word: ODD[is] + (Number.isFinite(times) && (times >= 1.5 || times <= 0.67) ? ` ×${times >= 10 ? number(times) : +times.toPrecision(times < 1 ? 1 : 2)}` : ''), text};
	}),
	...(run.wroteErrors ? [{word: 'wrote errors', text: 'It succeeded, and wrote to standard error.'}] : []),
];
/** An outcome: shape, color and word; below it the reason of a failure, what the run printed last, and in what it is unlike itself. */
export const outcome = run => {
	const odd = oddities(run);
	return badge(...markOf(run), run.outcome ?? run.state, [ending(run) && h('span', ending(run)), run.lastLine && h('span.said', {title: clean(run.lastLine)}, mono(run.lastLine.slice(0, 200))), odd.length > 0 && h('span.row', odd.map(one => h('span.odd', {title: clean(one.text)}, one.word)))].filter(Boolean));
};
/** Outcomes as a row of marks, oldest first; each leads to its run. */
export const marks = runs => h('span.marks', [...runs].reverse().map(run => {
	const text = `${run.outcome ?? run.state}, ${relative(run.endedAt ?? run.startedAt ?? run.submittedAt)}`;
	return h('a.mark', {key: run.run, href: path('runs', run.run), class: markOf(run)[1], title: text, label: text}, icon(markOf(run)[0]));
}));

/** A column. Of `kind`: `wide`, `word`, `time`, `num`, `acts`; with ` m` or ` l` it is left out where the screen is too narrow. `asks`: the order that the host is asked for, instead of one of the rows that are here. */
const key = one => (typeof one === 'string' ? row => row[one] : one);
export const col = (title, kind, cell, sort = typeof cell === 'string' && cell, asks = null) => ({title, kind, cell: key(cell), sort: key(sort), asks});

export const taskColumn = col('Task', 'wide', one => taskLink(one.identifier), 'identifier');
export const timeColumn = (title, key, kind = 'time') => col(title, kind, one => when(one[key]), key);

/** A table that sorts by the URL's `sort`, figures from the largest; long ones show more on request. */
export function table(caption, rows, columns, {key = row => row.identifier, none = 'Nothing here.', rowClass, sortBy = sort => setQuery({sort})} = {}) {
	if (!rows.length) return h('p.none', none);
	columns = columns.filter(Boolean);
	const isDown = route.query.sort?.startsWith('-');
	const by = columns.find(one => (one.asks ? one.asks === route.query.sort : one.sort && one.title === route.query.sort?.replace(/^-/, '')));
	if (by && !by.asks) {
		const compare = (a, b) => (a == null ? 1 : b == null ? -1 : a === b ? 0 : (a < b) === !isDown ? -1 : 1);
		rows = rows.map(row => [by.sort(row), row]).sort((a, b) => compare(a[0], b[0])).map(pair => pair[1]);
	}
	const next = one => {
		if (one.asks) return one === by ? '' : one.asks;
		const [first, second] = one.kind.startsWith('num') ? ['-', ''] : ['', '-'];
		return one !== by ? first + one.title : route.query.sort === first + one.title ? second + one.title : '';
	};
	const most = shown.get(caption) ?? 100;
	return [
		h('div.sheet', h('table', h('caption.hidden', caption),
			h('thead', h('tr', columns.map(one => h('th', {scope: 'col', class: one.kind, 'aria-sort': one === by ? (isDown || by.asks ? 'descending' : 'ascending') : null},
				one.sort || one.asks ? h('button.sort', {onclick: () => sortBy(next(one))}, one.title, one === by && (isDown || by.asks ? ' ↓' : ' ↑')) : one.title || h('span.hidden', 'Actions'))))),
			h('tbody', rows.slice(0, most).map(row => h('tr', {key: key(row), 'data-row': '', class: rowClass?.(row)}, columns.map(one => h('td', {class: one.kind}, one.cell(row)))))))),
		rows.length > most && h('p.more', h('button', {onclick: () => { shown.set(caption, most + 200); draw(); }}, `Show more of ${number(rows.length)}`)),
	];
}

/** A meter: a label, its value in words, and a track that is filled by `share`. */
export function meter(label, text, share, {level, notch, aria} = {}) {
	return h('div.meter', h('span.label', label), h('span.value', text), h('div.track', {class: share == null ? 'endless' : level, ...(aria && {role: 'progressbar', 'aria-valuemin': 0, ...aria})},
		share != null && h('div.fill', {style: {width: `${Math.max(0, Math.min(1, share)) * 100}%`}}), notch > 0 && notch < 1 && h('i.notch', {title: 'the warning', style: {left: `${notch * 100}%`}})));
}

const STEPS = [1, 5, 15, 60, 300, 900, 3600, 10800, 21600, 86400].map(s => s * 1000);

/** Lanes over a stretch of time. A lane has a `label` and `parts` with `from`, `to`, `class` and `text`. */
export function lanes(title, from, to, list, present) {
	const place = time => Math.max(0, Math.min(100, ((time - from) / (to - from)) * 100));
	const step = STEPS.find(one => (to - from) / one <= 9) ?? (to - from) / 8;
	const ticks = [];
	for (let time = Math.ceil(from / step) * step; time < to; time += step) if (place(time) < 94 && Math.abs(place(time) - place(present ?? to)) > 4) ticks.push(time);
	return h('div.lanes', {role: 'group', label: title}, list.map(lane => h('div.lane', {key: lane.label}, h('div.label', lane.icon && icon(lane.icon), say(lane.label)),
		h('div.strip', {role: 'img', label: `${clean(lane.label)}: ${lane.parts.slice(-8).map(part => clean(part.text)).join('; ') || 'nothing'}`},
			lane.parts.filter(part => part.to >= from && part.from <= to).map(part => h('i', {class: part.class, title: clean(part.text), style: {left: `${place(part.from)}%`, width: `${place(part.to) - place(part.from)}%`}}, part.label && h('span', clean(part.label)))),
			present && h('b.now', {style: {left: `${place(present)}%`}})))),
		h('div.lane.axis', {'aria-hidden': 'true'}, h('div.label'), h('div.strip', ticks.map(time => h('span', {style: {left: `${place(time)}%`}}, asClock(time, step < 6e4 ? 'medium' : 'short'))),
			present && h('span.now', {style: {left: `${place(present)}%`}}, 'now'))));
}

export const fact = (term, ...text) => text.flat(Infinity).some(isShown) && [h('dt', term), h('dd', text)];
export const facts = (...list) => h('dl.facts', list);
export const section = (title, ...content) => h('section.block', {key: title}, h('h2', title), content);
export const page = (title, tools, ...content) => [h('div.head', {key: 'head'}, h('h1', title), h('div.row', tools)), content];
export const problemBanner = resource => resource.problem?.status > 0 && banner('problem', 'bad', 'bang', h('span', say(resource.problem.message)));

export const gateIcon = gate => icon(gateSymbol(gate));
/** What a request waits for: the symbol of the first gate, and the words. */
export const phrase = one => h('span.phrase', gateIcon(one.heldBy[0] ?? 'capacity'), say(one.waiting?.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, absolute) ?? 'its turn'));

/** A search field. */
export const filterField = (label, value, oninput, more) => h('label.field', {key: 'filter', class: more?.class}, icon('search'), h('input', {type: 'search', placeholder: label, label: label, value: value ?? '', oninput: event => oninput(event.target.value), ...more}));

/** The text filter of a view, in its URL. */
export const textFilter = label => filterField(label, route.query.q, q => setQuery({q}));
export const fitsText = (...texts) => texts.join(' ').toLowerCase().includes((route.query.q ?? '').toLowerCase());

/** A form of index.html; it lives as long as the view. `send` makes an action of its fields. */
export function form(id, send, fill) {
	const node = cloneOf(id);
	fill?.(node.elements);
	node.onsubmit = event => {
		event.preventDefault();
		try {
			perform(send(node.elements));
		} catch (error) {
			note(`${error.message}; the form; correct it`, {isBad: true});
		}
	};
	return () => (mayChange() || id === 'whatif') && h('form', {node});
}

export const base64 = text => (text ? btoa(String.fromCharCode(...new TextEncoder().encode(text))) : undefined);

// A view has a `title` and `render`; if need be `event` (an event came), `again` (read everything anew), `countsDown`
// (its clocks have to move) and `close`.

/** A view over resources of its own, which live as long as it. */
export function viewOf(title, resources, render, more) {
	for (const one of resources) one.reload();
	return {
		title, close: () => resources.forEach(one => one.close()), ...more,
		render: () => [resources.map(problemBanner), resources.every(one => one.value !== null) ? render() : page(clean(title), null, !resources.some(one => one.problem) && h('p.none', 'Loading…'))],
	};
}

export const notFoundView = () => ({title: 'Not found', render: () => page('Not found', null, h('p.none', 'There is no such view.'))});
/** Gives the browser a file to save. */
export function save(text, type, file) {
	const href = URL.createObjectURL(new Blob([text], {type}));
	Object.assign(document.createElement('a'), {href, download: file}).click();
	setTimeout(() => URL.revokeObjectURL(href), 1000);
}
