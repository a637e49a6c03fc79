// The conditions of the machine, now and in the past.

import {h} from './elements.js';
import {absolute, DAY, ms, now, say, taskLink, when} from './text.js';
import {get, idPath} from './host.js';
import {choicesOf, gateOf, gateSymbol, levelOf} from './words.js';
import {isLive} from './stream.js';
import {mayChange, ON_WAITS, Resource, state} from './state.js';
import {perform} from './actions.js';
import {col, gateIcon, lanes, page, section, table, timeColumn, viewOf} from './parts.js';

/** Past values of the last day, newest first. */
export async function deviceLog() {
	const entries = [];
	for (let before, page = 0; page < 5; page++) {
		const part = await get('/v1/device/log', {limit: 1000, before});
		entries.push(...part.entries);
		before = part.next;
		if (before == null || ms(part.entries.at(-1).at) < now() - DAY) break;
	}
	return entries;
}

/** The values of a condition as parts of a lane. Before the first one that is known it is not known. */
export function conditionParts(log, word, value, present) {
	const parts = [];
	let to = present;
	for (const one of log) {
		if (one.condition !== word) continue;
		parts.unshift([ms(one.at), to, one.value]);
		to = ms(one.at);
	}
	if (!parts.length) parts.push([present - DAY, present, value]);
	return parts.map(([from, to, value]) => {
		const place = levelOf(word, value);
		return {from: Math.max(from, present - DAY), to, label: value, class: value === 'unknown' ? 'unknown' : place > 0 ? `off${Math.min(place, 2)}` : 'on', text: `${value} from ${absolute(Math.max(from, present - DAY))}`};
	});
}

export function deviceView() {
	const log = new Resource(() => deviceLog(), ['device']);
	// Which pending requests each condition holds, and which it alone holds.
	const holds = new Resource(async () => {
		const {requests} = await get('/v1/requests');
		return (await Promise.all(requests.slice(0, 40).map(one => get(idPath('tasks', one.identifier, 'why')).catch(() => null)))).filter(Boolean)
			.map(why => ({identifier: why.identifier, gates: why.gates.filter(gate => gate.holds).map(gate => gate.gate)}));
	}, ON_WAITS, 500);
	return viewOf('Device', [state.device, log, holds], () => {
		const present = now();
		const {conditions} = state.device.value;
		const rows = Object.entries(conditions).map(([word, one]) => ({word, ...one, held: holds.value.filter(why => why.gates.includes(gateOf(word)))}));
		return page('Device', null, table('Conditions of the machine', rows, [
			col('Condition', 'word', one => h('span.phrase', gateIcon(gateOf(one.word)), one.word), 'word'),
			col('Value', 'word', one => [h('b', say(one.value)), one.overridden && h('small', 'overridden; observed ', say(one.observed)), one.next && h('small', 'until ', when(one.next))], 'value'),
			mayChange() && col('Override', 'word', one => h('select', {label: `Override ${one.word}`, disabled: !isLive(), onchange: event => {
				const value = event.target.value;
				event.target.value = '';
				if (value) perform({method: 'PATCH', path: '/v1/device', body: {[one.word]: value}, done: `${one.word} is ${value} for the host`, undo: {method: 'PATCH', path: '/v1/device', body: {[one.word]: one.value}, done: `${one.word} is ${one.value} again`}});
			}}, h('option', {value: ''}, one.overridden ? `${one.value}` : 'as observed'), choicesOf(one.word).map(value => h('option', {value}, value)))),
			col('Holds', 'wide m', one => (one.held.length ? one.held.slice(0, 8).map(why => [taskLink(why.identifier), h('small', why.gates.length === 1 ? 'it alone: would be released' : `and ${why.gates.length - 1} more`)]) : '–')),
			col('Source', 'wide l', one => h('small', say(one.source ?? 'none'))),
			timeColumn('Since', 'since', 'time m'),
		], {key: one => one.word}), section('Last 24 hours', lanes('Last 24 hours', present - DAY, present, rows.map(one => ({label: one.word, icon: gateSymbol(gateOf(one.word)), parts: conditionParts(log.value, one.word, one.value, present)})))));
	}, {close: () => [log, holds].forEach(one => one.close())});
}
