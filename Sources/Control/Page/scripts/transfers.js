// Background transfers.

import {h} from './elements.js';
import {appLink, bytes, mono, say, span, when} from './text.js';
import {get, idPath} from './host.js';
import {isOpenTransfer} from './words.js';
import {isLive} from './stream.js';
import {route, setQuery} from './route.js';
import {Resource} from './state.js';
import {action} from './actions.js';
import {badge, col, fitsText, form, meter, page, section, table, textFilter, timeColumn, viewOf} from './parts.js';

const markOfTransfer = one => (one.error ? ['cross', 'bad'] : one.state === 'running' ? ['ring', 'info'] : isOpenTransfer(one) ? ['clock', 'calm'] : ['check', 'good']);

export function transfersView() {
	const transfers = new Resource(() => get('/v1/transfers', {open: route.query.all ? undefined : 'true', limit: 200}).then(one => one.transfers), ['transfer.added', 'transfer.changed', 'transfer.ended']);
	// Progress is no event: while bytes move, and somebody looks, it is asked for.
	const timer = setInterval(() => !document.hidden && isLive() && transfers.value?.some(one => one.state === 'running') && transfers.soon(), 1000);
	const act = (one, label, verb) => action(label, {name: `transfer ${one.id}`, path: idPath('transfers', one.id, verb), done: `${label}: transfer ${one.id}`, after: () => transfers.soon()});
	const add = form('download', ({application, url, sha256}) => ({path: '/v1/transfers', body: {application: application.value, url: url.value, ...(sha256.value && {sha256: sha256.value})}, done: answer => `Transfer ${answer.id} is recorded`, after: () => transfers.soon()}));
	return viewOf('Transfers', [transfers], () => page('Transfers', [textFilter('Filter transfers'), h('button', {'aria-pressed': String(!!route.query.all), onclick: () => { setQuery({all: route.query.all ? '' : 'yes'}); transfers.reload(); }}, 'Past ones too')],
		table('Transfers', transfers.value.filter(one => fitsText(one.application, one.url, one.session)), [
			col('Transfer', 'wide', one => [mono(one.url), h('small', `${one.kind} ${one.id} · `, appLink(one.application), ' · ', say(one.session))], 'url'),
			col('State', 'word', one => [badge(...markOfTransfer(one), one.error ?? one.state),
				one.waitsFor && h('small', `waits for ${one.waitsFor}`, one.waitsUntil && [' ', when(one.waitsUntil)]), one.sentence && h('small', say(one.sentence))], 'state'),
			col('Bytes', 'wide m', one => {
				const moved = one.kind === 'upload' ? one.sent : one.received;
				return meter(`${bytes(moved)}${one.total ? ` of ${bytes(one.total)}` : ''}`, one.rate > 0 && [`${bytes(one.rate)}/s`, one.total && `, ${span((one.total - moved) / one.rate)} left`], one.total ? moved / one.total : null,
					{level: 'done', aria: one.total && {label: `Bytes of transfer ${one.id}`, 'aria-valuemax': one.total, 'aria-valuenow': moved}});
			}),
			col('Attempts', 'num l', 'attempts'), timeColumn('Created', 'createdAt', 'time l'),
			col('', 'acts', one => isOpenTransfer(one) && [one.waitsFor === 'person' ? act(one, 'Resume', 'resume') : act(one, 'Pause', 'pause'), act(one, 'Cancel', 'cancel')]),
		], {key: one => one.id, none: 'No transfer is open.'}), section('Add one', add())), {close: () => { clearInterval(timer); transfers.close(); }});
}
