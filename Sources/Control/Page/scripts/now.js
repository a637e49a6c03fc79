// Now: what runs, what waits, and what failed last.

import {byId, h} from './elements.js';
import {runLink, taskLink, when} from './text.js';
import {listed} from './host.js';
import {route} from './route.js';
import {failedLately, ON_WAITS, Resource, state} from './state.js';
import {action, drop, retrying, runNow} from './actions.js';
import {col, outcome, page, phrase, section, table, taskColumn, timeColumn, viewOf} from './parts.js';
import {card} from './runs.js';

export function nowView() {
	const requests = new Resource(() => listed('requests', '/v1/requests'), ON_WAITS);
	let isAt = route.query.show !== 'waiting';
	return viewOf('Now', [requests], () => {
		const runs = [...state.runs.values()].sort((a, b) => (a.run < b.run ? -1 : 1));
		const waiting = [...requests.value].sort((a, b) => ((a.next ?? '9') < (b.next ?? '9') ? -1 : 1));
		if (!isAt) isAt = setTimeout(() => byId('waiting').scrollIntoView(), 50);
		return page('Now', null,
			runs.length ? h('div.cards', runs.slice(0, 100).map(card)) : h('div.empty', h('p', 'Nothing runs.'), waiting[0]?.next && h('p.muted', 'Next: ', taskLink(waiting[0].identifier), ' ', when(waiting[0].next))),
				h('section.block', {id: 'waiting'}, h('h2', 'Waiting'), table('Requests that wait', waiting, [
				taskColumn,
				col('Waits for', 'wide', one => [phrase(one), one.next && h('small.p', when(one.next))], 'waiting'),
				col('Next', 'time m', one => when(one.next, 'unknown'), 'next'),
				col('Attempt', 'num l', 'attempt'),
				col('', 'acts', one => [runNow(one.identifier), drop(one)]),
			], {none: 'No request waits.'})),
			section('Failed last', table('Runs that failed last', (failedLately() ?? []).slice(0, 10), [
				taskColumn,
				col('Outcome', 'wide', one => [runLink(one.run, outcome(one)), h('small.p', when(one.endedAt))]),
				timeColumn('Ended', 'endedAt', 'time m'),
				col('', 'acts', one => action('Retry', retrying(one))),
			], {key: one => one.run, none: 'No run failed in the last 24 hours.'})));
	}, {countsDown: () => state.runs.size > 0});
}
