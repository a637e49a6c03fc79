// The fleet that the host is in: its hosts, what they run, and what waits for any of them.

import {draw, h} from './elements.js';
import {absolute, clean, mono, ms, now, number, path, plural, query, say, taskLink, when} from './text.js';
import {get} from './host.js';
import {gateOf, levelOf} from './words.js';
import {isBroken} from './stream.js';
import {shown} from './route.js';
import {Resource, state} from './state.js';
import {button} from './actions.js';
import {badge, banner, col, fact, facts, fitsText, gateIcon, notFoundView, page, section, table, textFilter, timeColumn, viewOf} from './parts.js';

const ORDER = ['live', 'gone', 'left'];
const MARKS = {leased: ['ring', 'info'], waiting: ['clock', 'calm'], quarantined: ['bang', 'warn']};
const pairs = labels => Object.entries(labels).map(pair => pair.join('='));
const labelled = labels => pairs(labels).map((text, at) => [at > 0 && ', ', mono(text)]);

/** The live hosts first, each with the requests that it holds. */
function arranged(fleet) {
	const hosts = fleet.hosts.map(one => ({...one, held: fleet.requests.filter(held => held.host === one.name)}));
	return {...fleet, hosts: hosts.sort((a, b) => ORDER.indexOf(a.state) - ORDER.indexOf(b.state))};
}

/** No host gets it before then. Of one that a host holds it is the end of the lease, and a time in the past says nothing. */
const later = one => (one.state !== 'leased' && ms(one.notBefore) > now() ? one.notBefore : null);
const lease = one => ['lease ', ms(one.leaseEnds) < now() ? 'ended ' : 'ends ', when(one.leaseEnds)];

/** The conditions of a host's machine that are known. Those that hold work back are first, in another shape and color. */
const conditions = found => Object.entries(found).filter(([, value]) => value !== 'unknown').map(([word, value]) => {
	const text = [word, ' ', h('b', say(value))];
	const level = levelOf(word, value);
	return [level, level > 0 ? badge('bang', level > 1 ? 'bad' : 'warn', text) : h('span.phrase', gateIcon(gateOf(word)), h('span', text))];
}).sort((a, b) => b[0] - a[0]).map(one => one[1]);

function hostCard(one, asked) {
	const known = conditions(one.conditions);
	const rest = one.leases - Math.min(one.held.length, 8);
	return h('article.card', {key: one.name, 'data-row': '', label: clean(one.name), class: one.state === 'gone' ? 'warned' : one.draining ? 'suspended' : one.state === 'live' && 'running'},
		h('div.row', h('h2', h('a', {href: path('fleet') + query({q: one.name}), title: 'What it holds'}, h('bdi.name', clean(one.name)))), h('span.grow'), h('span.tag', one.state, one.draining && ', draining')),
		h('p.muted', one.name === asked && 'this host · ', say(one.version), one.lastSeen && [' · seen ', when(one.lastSeen)], one.draining && ' · it gets no new requests'),
		facts(
			fact('Conditions', known.length > 0 && h('div.row', known)),
			fact('Labels', labelled(one.labels)),
			fact(one.state === 'live' ? 'Runs' : 'Holds', one.leases > 0 ? [h('ul.meters', one.held.slice(0, 8).map(held => h('li', {key: held.request}, taskLink(held.identifier), h('small', lease(held))))), rest > 0 && h('small', `and ${number(rest)} more`)] : h('span.muted', 'nothing'))));
}

const queue = requests => table('Open requests of the fleet', requests, [
	col('Request', 'wide', one => [
		taskLink(one.identifier), h('small', h('code', 'taskhost why ', h('b', one.request), h('span', ' --fleet'))), Object.keys(one.labels).length > 0 && h('small', 'asks for ', labelled(one.labels)),
		h('small.p', one.host && ['on ', say(one.host), ' · '], later(one) && ['not before ', when(later(one)), ' · '], when(one.submitted)),
	], 'identifier'),
	col('State', 'word state', one => badge(...(MARKS[one.state] ?? MARKS.waiting), one.state, [one.leaseEnds && h('span', lease(one)), one.losses > 0 && h('span', `${one.leaseEnds ? ' · ' : ''}${plural(one.losses, 'lease')} lost`)].filter(Boolean)), 'state'),
	col('Host', 'term m', one => (one.host ? say(one.host) : '–'), 'host'),
	col('Try', 'num l', one => [one.attempt, one.priority !== 0 && h('small', `priority ${one.priority}`)], 'attempt'),
	col('Not before', 'time l', one => when(later(one)), later),
	timeColumn('Submitted', 'submitted', 'time m'),
], {key: one => one.request, none: 'No request fits.'});

export function fleetView() {
	const fleet = new Resource(async () => {
		const {fleet} = state.host.value ?? (await get('/v1/host'));
		return fleet && arranged(await get('/v1/fleet'));
	});
	// What changes in the database is no event of the host's, which has to ask: every 5 s while somebody looks, at once when
	// somebody looks again, and not otherwise.
	const ask = () => !document.hidden && !isBroken() && fleet.soon();
	const timer = setInterval(ask, 5000);
	document.addEventListener('visibilitychange', ask);
	const missing = notFoundView();
	const present = viewOf('Fleet', [fleet], () => {
		const {host, reached, asOf, hosts, requests, more} = fleet.value;
		const fits = one => fitsText(one.request, one.identifier, one.state, one.host, pairs(one.labels));
		const chosen = requests.filter(fits);
		const cards = hosts.filter(one => fitsText(one.name, one.state, one.draining ? 'draining' : '', pairs(one.labels)) || one.held.some(fits));
		const most = shown.get('hosts') ?? 50;
		return page('Fleet', [textFilter('Filter hosts and requests'), h('span.muted', `${number(hosts.filter(one => one.state === 'live').length)} of ${plural(hosts.length, 'host')} live`)],
			!reached && banner('database', 'bad', 'bang', h('span', 'The database does not answer', asOf ? [`; this is what it said at ${absolute(asOf)}, `, when(asOf), '.'] : ', and has not since the host started.')),
			asOf && [
				h('div.cards', cards.slice(0, most).map(one => hostCard(one, host))),
				cards.length > most && h('p.more', button('Show more', () => { shown.set('hosts', most + 100); draw(); })),
				!cards.length && h('p.none', 'No host fits.'),
				section('Queue',
					requests.length ? queue(chosen) : h('div.empty', h('p', 'Nothing waits in the fleet.'), h('p.muted', 'Share a request: ', h('code', 'taskhost submit ID --fleet'))),
					more && h('p.muted', 'There are more than these: ', h('code', 'taskhost pending --fleet'))),
			]);
	}, {
		countsDown: () => fleet.value?.requests.some(one => one.leaseEnds),
		close() {
			clearInterval(timer);
			document.removeEventListener('visibilitychange', ask);
			fleet.close();
		},
	});
	const which = () => (state.host.value && !state.host.value.fleet ? missing : present);
	return {...present, get title() { return which().title; }, render: () => which().render()};
}
