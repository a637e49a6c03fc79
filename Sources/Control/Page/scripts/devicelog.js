// Past values of the conditions of the machine.

import {absolute, DAY, ms, now} from './text.js';
import {get} from './host.js';
import {levelOf} from './words.js';

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
