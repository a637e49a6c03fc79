// What happened.

import {draw, h} from './elements.js';
import {mono, say} from './text.js';
import {refusal} from './notes.js';
import {get} from './host.js';
import {shown} from './route.js';
import {Resource} from './state.js';
import {button} from './actions.js';
import {col, fitsText, page, table, textFilter, timeColumn, viewOf} from './parts.js';

export function journalView() {
	let fresh = 0;
	let older = [];
	let next = null;
	const newest = new Resource(async () => {
		const part = await get('/v1/journal', {limit: 100});
		[fresh, older, next] = [0, [], part.next];
		return part.entries;
	});
	async function more() {
		const before = next;
		const part = await get('/v1/journal', {limit: 100, before}).catch(refusal);
		if (before !== next || !part) return;
		older = [...older, ...part.entries];
		next = part.next;
		shown.set('Journal', 100 + older.length);
		draw();
	}
	return viewOf('Journal', [newest], () => {
		const rows = [...newest.value, ...older].filter(one => fitsText(one.kind, one.subject, one.text));
		return page('Journal', [textFilter('Filter the journal'), fresh > 0 && h('button.primary', {onclick: () => newest.reload()}, `${fresh} new`)],
			table('Journal', rows, [timeColumn('At', 'at'), col('Kind', 'word', 'kind'), col('Subject', 'wide m', one => (one.subject ? mono(one.subject) : '–'), 'subject'), col('Text', 'wide', one => say(one.text))], {key: one => `${one.at} ${one.kind} ${one.subject} ${one.text}`, none: 'No entry fits.'}),
			next != null && h('p.more', button('Older', more)));
	}, {event: event => { if (event === 'journal') fresh++; }});
}
