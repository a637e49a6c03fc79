// The tasks that used most.

import {h} from './elements.js';
import {appLink, bytes, instant, number, plural, query, span, taskLink} from './text.js';
import {get} from './host.js';
import {route, setQuery} from './route.js';
import {Resource} from './state.js';
import {col, fitsText, page, table, textFilter, viewOf} from './parts.js';

const SPANS = [['24 h', '-24h'], ['7 days', '-7d']];
/** Since when, by the address: a day unless it says another time. */
const since = () => route.query.since ?? '-24h';
/** Buttons of the time that a view looks back on; `again` reads it anew. */
export const spans = again => SPANS.map(([label, value]) => h('button', {'aria-pressed': String(since() === value), onclick: () => { setQuery({since: value}); again(); }}, label));
/** Something about the time since then. */
export const readSince = path => get(path, {since: instant(since()) ?? instant('-24h')});

export function usageView() {
	const usage = new Resource(() => readSince('/v1/usage'), ['run.ended'], 2000);
	const runs = (one, more) => '#/runs' + query({id: one.identifier, since: since(), ...more});
	return viewOf('Usage', [usage], () => {
		const rows = usage.value.tasks.filter(one => fitsText(one.identifier, one.application));
		return page('Usage', [textFilter('Filter tasks'), spans(() => usage.reload()), h('span.muted', plural(rows.length, 'task'))],
			h('p.muted.lead', {key: 'about'}, 'What runs that ended since then used, the most processor time first.'),
			table('What tasks used', rows, [
				col('Task', 'wide', one => [taskLink(one.identifier), h('small', appLink(one.application))], 'identifier'),
				col('CPU', 'num', one => span(one.cpuTime), 'cpuTime'),
				col('Memory', 'num', one => h('a', {href: runs(one, {sort: 'memory'}), title: 'The most that one run had'}, bytes(one.peakMemory)), 'peakMemory'),
				col('Time', 'num m', one => h('a', {href: runs(one, {sort: 'time'})}, span(one.wallTime)), 'wallTime'),
				col('Runs', 'num m', one => h('a', {href: runs(one)}, number(one.runs)), 'runs'),
				col('Failures', 'num m', one => one.failures && h('b.bad', number(one.failures)), 'failures'),
			], {none: 'No run ended since then.'}));
	});
}
