// Past runs.

import {draw, h, icon} from './elements.js';
import {clean, instant, number, plural, say} from './text.js';
import {note} from './notes.js';
import {api, get, idPath, Problem} from './host.js';
import {ORDERS, words} from './words.js';
import {route, setQuery, shown} from './route.js';
import {button, cancelling, changing, retrying} from './actions.js';
import {banner, filterField, page, save} from './parts.js';
import {runTable} from './runs.js';

const WORDS = ['outcome', 'app', 'id', 'kind', 'since', 'until', 'unlike', 'sort'];
// What people ask most.
const CHOICES = [['24 h', {since: '-24h'}], ['7 days', {since: '-7d'}], ['Slowest of 7 days', {since: '-7d', sort: 'time'}], ['Unlike themselves', {unlike: 'yes'}]];

/** The words of a filter: `outcome:failed app:com.example since:-24h attempt>1`; the rest is text. */
function readFilter(text) {
	const filter = Object.fromEntries([...WORDS, 'attempt', 'q'].map(word => [word, '']));
	for (const word of text.split(/\s+/)) {
		const [, key, value] = /^(\w+)[:>](.+)$/.exec(word) ?? [];
		if (key in filter && key !== 'q') filter[key] = value;
		else filter.q = `${filter.q} ${word}`.trim();
	}
	return filter;
}

/** Another order than the host's is of a column, and no word of the filter. */
const isWord = (word, filter) => filter[word] && (word !== 'sort' || Object.hasOwn(ORDERS, filter.sort));
const filterText = filter => [...WORDS.map(word => isWord(word, filter) && `${word}:${filter[word]}`), filter.attempt && `attempt>${filter.attempt}`, filter.q].filter(Boolean).join(' ');

export function historyView() {
	let rows = null, next = null, problem = null, isBusy = false, timer = null;
	const fresh = new Set();
	const select = new Set();
	const filter = () => route.query;
	const order = () => ORDERS[filter().sort];
	const matches = run => (!filter().outcome || filter().outcome.split(',').includes(run.outcome)) && (!filter().app || run.application === filter().app) && (!filter().kind || filter().kind === run.kind) && !filter().until && (!filter().unlike || run.unlikeItself?.length > 0)
		&& (!filter().id || [run.identifier, run.application].includes(filter().id)) && run.attempt > +(filter().attempt ?? 0) && (!filter().q || `${run.identifier} ${run.application}`.toLowerCase().includes(filter().q.toLowerCase()));

	/** At least so many rows from a place on, in the host's order: attempts are not a filter of the host's. */
	async function read(before, count) {
		const {outcome, app, id, kind, since, until, q, attempt, unlike} = filter();
		const times = {since: since && instant(since), until: until && instant(until)};
		for (const [word, text] of [['since', since], ['until', until]]) if (text && !times[word]) throw new Problem(400, `${word}:${text} is no time; the filter; write -24h or 2026-11-24T06:00`);
		const found = [];
		do {
			const part = await get('/v1/runs', {outcome, application: app, identifier: id, kind, q, ...times, sort: order(), unlike: unlike && 'true', before, limit: attempt ? 1000 : Math.min(count, 1000)});
			found.push(...part.runs.filter(run => run.attempt > +(attempt ?? 0)));
			before = part.next;
		} while (before != null && found.length < count);
		// In an order of the host's only the host knows where the next portion begins.
		return found.length > count && !order() ? [found.slice(0, count), found[count - 1].run] : [found, before];
	}
	async function load(isMore) {
		if (isBusy && isMore) return;
		const asked = (load.last = {});
		isBusy = true;
		try {
			const [found, rest] = await read(isMore ? next : undefined, 100);
			if (asked !== load.last) return;
			rows = isMore ? [...rows, ...found] : found;
			shown.set('Runs', rows.length);
			next = rest;
			problem = null;
			if (!isMore) fresh.clear();
		} catch (error) {
			if (asked !== load.last) return;
			problem = error;
			rows ??= [];
		}
		isBusy = false;
		draw();
	}
	const change = changes => { clearTimeout(timer); setQuery(changes); select.clear(); load(); };
	async function each(label, act, allow) {
		const chosen = rows.filter(one => select.has(one.run) && allow(one));
		const refused = [];
		for (const run of chosen) await api(act(run).path, {method: 'POST'}).catch(one => refused.push(one.message));
		select.clear();
		note(`${label}: ${chosen.length - refused.length} of ${plural(chosen.length, 'run')}${refused.length ? `; ${refused[0]}` : ''}`, {isBad: refused.length > 0});
	}
	const batch = (label, act, allow) => changing(label, () => each(label, act, allow));
	async function exportAll() {
		try {
			const [runs, rest] = await read(undefined, 10000);
			if (rest != null) note('There are more: the newest 10,000 runs are in the file; the filter since: and until: takes others');
			save(JSON.stringify({runs}, null, 2), 'application/json', 'runs.json');
		} catch (error) {
			note(error.message, {isBad: true});
		}
	}
	const pick = (word, values) => h('select', {label: word, onchange: event => change({[word]: event.target.value})}, h('option', {value: ''}, `any ${word}`), values.map(one => h('option', {value: one, selected: filter()[word] === one}, one)));
	load();
	return {
		title: 'History', close: () => clearTimeout(timer), countsDown: () => false,
		again() {
			if (!rows?.length) load();
			// Those in progress may have ended while nobody told.
			rows?.forEach(async (one, at) => {
				if (one.outcome) return;
				const run = await get(idPath('runs', one.run)).catch(() => one);
				if (rows[at] === one) rows[at] = run;
				draw();
			});
		},
		event(event, run) {
			if (event === 'run.started' || event === 'run.expired') {
				const one = rows?.find(one => one.run === run.run);
				if (one) Object.assign(one, event === 'run.started' ? {state: 'running', startedAt: run.at} : {state: 'expiring'});
			} else if (event === 'run.ended') {
				const at = rows?.findIndex(one => one.run === run.run) ?? -1;
				if (at >= 0) rows[at] = run;
				else if (matches(run)) fresh.add(run.run);
			} else if (event === 'run.submitted' && !filter().outcome && !filter().kind && matches(run)) fresh.add(run.run);
		},
		render: () => page('History', [
			filterField('outcome: app: id: kind: since: until: attempt>1', filterText(filter()), text => { clearTimeout(timer); timer = setTimeout(() => change(readFilter(text)), 300); }, {class: 'long', onkeydown: event => { if (event.key === 'Enter') change(readFilter(event.target.value)); }}),
			pick('outcome', words.outcomes.map(one => one.outcome)), pick('kind', words.kinds.map(one => one.kind)), button('Export JSON', exportAll)],
		h('div.row.choices', {key: 'choices'}, CHOICES.map(([label, choice]) => {
			const isOn = Object.keys({since: '', sort: '', unlike: ''}).every(word => (isWord(word, filter()) ? filter()[word] : '') === (choice[word] ?? ''));
			return h('button', {'aria-pressed': String(isOn), onclick: () => change({since: '', sort: '', unlike: '', ...(isOn ? {} : choice)})}, label);
		})),
		h('div.row.chips', {key: 'chips'}, [...WORDS, 'attempt', 'q'].filter(word => isWord(word, filter())).map(word => h('button.chip', {key: word, label: `Without ${word}`, onclick: () => change({[word]: ''})}, `${word === 'q' ? 'text' : word}: ${clean(filter()[word])}`, icon('cross'))),
			fresh.size > 0 && h('button.primary.fresh', {onclick: () => { load(); scrollTo(0, 0); }}, `${number(fresh.size)} new`),
			select.size > 0 && [h('span', `${select.size} selected`), batch('Retry', retrying, run => run.outcome), batch('Cancel', cancelling, run => !run.outcome), h('button.quiet', {onclick: () => { select.clear(); draw(); }}, 'Clear')]),
		problem && banner('problem', 'bad', 'bang', h('span', say(problem.message))),
		rows ? runTable('Runs', rows, {select, sortBy: sort => change({sort})}) : h('p.none', 'Loading…'),
		next != null && h('p.more', button(order() ? 'More' : 'Older', () => load(true)))),
	};
}
