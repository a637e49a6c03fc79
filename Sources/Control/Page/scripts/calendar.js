// What ran and what will run, by day and hour.

import {h} from './elements.js';
import {asClock, asDate, clean, DAY, ms, now, number, path, plural, say, span, zone} from './text.js';
import {api, get, runsOf} from './host.js';
import {markOf} from './words.js';
import {route, setQuery} from './route.js';
import {Resource} from './state.js';
import {button} from './actions.js';
import {banner, col, form, gateIcon, page, section, table, taskColumn, viewOf} from './parts.js';

const HOUR_HEIGHT = 36;
// A task that runs more often than this in a day is one mark at its top.
const OFTEN = 24;
const PAST_AT_MOST = 5000;

export function calendarView() {
	let trace = '';
	// A phone shows a day.
	const days = () => Math.min(31, Math.max(1, Math.round(+route.query.days) || (innerWidth < 860 ? 1 : 7)));
	const shift = () => Math.round(+route.query.shift) || 0;
	/** Midnight of a day from today on, in the chosen zone; days are not all 24 hours long. */
	function midnight(offset) {
		const date = new Date(now());
		return zone === 'utc' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + offset) : +new Date(date.getFullYear(), date.getMonth(), date.getDate() + offset);
	}
	const hourOf = time => {
		const date = new Date(time);
		return zone === 'utc' ? date.getUTCHours() + date.getUTCMinutes() / 60 : date.getHours() + date.getMinutes() / 60;
	};
	const forecast = new Resource(() => {
		const far = Math.max(1, Math.min(366, days() + shift()));
		return trace ? api('/v1/forecast', {method: 'POST', body: {days: far, trace}}) : get('/v1/forecast', {days: far});
	}, ['journal', 'request.submitted', 'request.cancelled', 'request.skipped'], 3000);
	const past = new Resource(async () => {
		const from = midnight(shift());
		return from >= now() ? [] : runsOf({since: new Date(from).toISOString(), until: new Date(Math.min(now(), midnight(shift() + days()))).toISOString(), limit: PAST_AT_MOST});
	}, ['run.ended'], 1000);
	const again = () => { forecast.reload(); past.reload(); };
	const go = changes => { setQuery(changes); again(); };
	const whatIf = form('whatif', fields => ({method: 'POST', path: '/v1/forecast', body: {days: days(), trace: fields.trace.value}, done: 'Played the trace', after: () => { trace = fields.trace.value; forecast.reload(); }}));

	/** What a day has: single marks, in as many columns as overlap, and tasks that run often. */
	function dayOf(offset, entries) {
		const [from, to] = [midnight(offset), midnight(offset + 1)];
		const byTask = new Map();
		for (const one of entries) if (one.time >= from && one.time < to) byTask.set(one.identifier, [...(byTask.get(one.identifier) ?? []), one]);
		const often = [...byTask.values()].filter(list => list.length > OFTEN);
		const marks = [...byTask.values()].filter(list => list.length <= OFTEN).flat().sort((a, b) => a.time - b.time);
		const ends = [];
		let cluster = [];
		for (const mark of marks) {
			mark.top = hourOf(mark.time) * HOUR_HEIGHT;
			mark.height = Math.max(17, Math.min((mark.seconds / 3600) * HOUR_HEIGHT, 24 * HOUR_HEIGHT - mark.top));
			if (ends.every(end => end <= mark.top)) [cluster, ends.length] = [[], 0];
			const column = ends.findIndex(end => end <= mark.top);
			mark.column = column < 0 ? ends.length : column;
			ends[mark.column] = mark.top + mark.height;
			cluster.push(mark);
			for (const one of cluster) one.columns = ends.length;
		}
		return {from, often, marks};
	}
	const markOfDay = one => h('a.event', {key: one.identifier + one.time, href: one.href, class: one.level, 'data-at': new Date(one.time).toISOString(), title: `${clean(one.identifier)}\n${one.text}, ${span(one.seconds)}`,
		style: {top: `${one.top}px`, height: `${one.height - 1}px`, left: `${(one.column / one.columns) * 100}%`, width: `${100 / one.columns}%`}}, h('bdi', clean(one.identifier.split('.').pop())), ' ', asClock(one.time, 'short'));
	const oftenOfDay = list => h('a.event', {key: list[0].identifier, href: list[0].href, 'data-count': list.length, title: `${clean(list[0].identifier)}\n${list.length} times from ${asClock(list[0].time)} to ${asClock(list.at(-1).time)}`}, h('span', `${list.length} × `, h('bdi', clean(list[0].identifier.split('.').pop()))));

	return viewOf('Calendar', [forecast, past], () => {
		const {runs, waiting, complete, conditions, overridden} = forecast.value;
		const entry = ({identifier}, from, seconds, more) => ({identifier, time: ms(from), seconds, ...more});
		const entries = [
			...past.value.filter(run => run.outcome).map(run => entry(run, run.startedAt ?? run.submittedAt, run.wallTime ?? 0, {href: path('runs', run.run), level: markOf(run)[1] + ' past', text: run.outcome})),
			...runs.map(run => entry(run, run.at, (ms(run.until) - ms(run.at)) / 1000, {href: path('tasks', run.identifier), level: run.stopped ? 'warn' : '',
				text: ['forecast', run.waits.length > 0 && `waited for ${[...new Set(run.waits.map(wait => wait.gate))].join(', ')}`, run.stopped && `stopped: ${run.stopped}`].filter(Boolean).join('; ')})),
		];
		const week = Array.from({length: days()}, (_, at) => dayOf(shift() + at, entries));
		const title = day => new Date(day.from).toLocaleDateString('en-US', {weekday: 'short', day: 'numeric', month: 'short', timeZone: zone === 'utc' ? 'UTC' : undefined});
		const isToday = day => day.from <= now() && now() < day.from + DAY;
		const move = (label, by) => button(label, () => go({shift: by && shift() + by * days()}));
		return page('Calendar', [move('Earlier', -1), move('Today', 0), move('Later', 1), [1, 7, 14].map(one => h('button', {'aria-pressed': String(days() === one), onclick: () => go({days: one})}, plural(one, 'day')))],
		// A day of the week is one click away.
		days() === 1 && h('div.row.choices', {key: 'week'}, Array.from({length: 7}, (_, at) => h('button', {'aria-pressed': String(shift() === at), onclick: () => go({shift: at})}, new Date(midnight(at)).toLocaleDateString('en-US', {weekday: 'short', day: 'numeric', timeZone: zone === 'utc' ? 'UTC' : undefined})))),
		trace && banner('trace', 'warn', 'bolt', h('span', 'This is what the trace gives. '), button('Back', () => { trace = ''; forecast.reload(); })),
		h('p.muted.lead', {key: 'about'}, `Forecast over ${{trace: 'the trace', recorded: 'recorded conditions', steady: 'a steady day'}[conditions]}`, Object.keys(overridden).length > 0 && `, ${Object.keys(overridden).join(', ')} overridden`, complete ? '.' : '; there would be more runs.', past.value.length >= PAST_AT_MOST && ` Of the past only the last ${number(PAST_AT_MOST)} runs are shown.`),
		h('div.sheet.calendar', {key: 'grid', tabindex: 0, role: 'group', label: 'Days and hours'},
			h('div.days', {style: {'grid-template-columns': `3rem repeat(${week.length}, minmax(0, 1fr))`}},
				h('div'), week.map(day => h('div.day', {class: isToday(day) ? 'today' : ''}, h('h2', title(day)), day.often.map(oftenOfDay))),
				h('div.hours', {style: {height: `${24 * HOUR_HEIGHT}px`}}, Array.from({length: 23}, (_, hour) => h('span', {style: {top: `${(hour + 1) * HOUR_HEIGHT}px`}}, `${String(hour + 1).padStart(2, '0')}:00`))),
				week.map(day => h('div.column', {class: isToday(day) ? 'today' : '', 'data-day': asDate(day.from)}, day.marks.map(markOfDay), isToday(day) && h('b.now', {style: {top: `${hourOf(now()) * HOUR_HEIGHT}px`}}))))),
		section('Would not run', table('Tasks that would not run', waiting, [
			taskColumn,
			col('Held by', 'wide', one => (one.gates.length ? one.gates.map(gate => h('span.phrase', gateIcon(gate.gate), say(`${gate.found}; opens by ${gate.opens}`))) : say(one.summary))),
		], {none: 'Every task runs.'})),
		section('What if', whatIf()));
	}, {again});
}
