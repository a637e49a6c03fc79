// Manifests and their faults.

import {h, icon} from './elements.js';
import {appLink, mono, plural, say} from './text.js';
import {get} from './host.js';
import {Resource} from './state.js';
import {action} from './actions.js';
import {col, fitsText, page, table, textFilter, viewOf} from './parts.js';

/** A fault of a manifest, taken apart: `file:line:column: path: found …; expected …; hint`. */
function fault(text) {
	const [, place, where, found, right, hint] = /^(.*?:\d+:\d+): (.*?): (found .*?); (expected .*?)(?:; (.*))?$/s.exec(text) ?? [];
	if (!found) return h('li', say(text));
	return h('li', h('div', mono(place.split('/').pop()), ' ', mono(where)), h('div', say(found)), h('div', say(right)), hint && h('div.muted', say(hint)));
}

export function manifestsView() {
	const manifests = new Resource(() => get('/v1/manifests'), ['journal'], 500);
	return viewOf('Manifests', [manifests], () => {
		const {manifests: files, diagnostics} = manifests.value;
		return page('Manifests', [textFilter('Filter manifests'), action('Reload', {path: '/v1/reload', done: answer => `Read ${plural(answer.loaded, 'application')}, ${plural(answer.diagnostics.length, 'fault')}`, after: () => manifests.reload()})],
			diagnostics.length > 0 && h('ul.banner.warn', {key: 'all'}, diagnostics.map(fault)),
			table('Manifests', files.filter(one => fitsText(one.path, one.application)).sort((a, b) => b.faults.length - a.faults.length), [
				col('', 'tick', one => icon(one.faults.length ? 'cross' : 'check', one.faults.length ? 'bad' : 'good')),
				col('File', 'wide', one => [h('b', mono(one.path.split('/').pop())), h('small', mono(one.path.slice(0, one.path.lastIndexOf('/')))), one.faults.length > 0 && h('ul.faults', one.faults.map(fault))], 'path'),
				col('Application', 'wide m', one => ([one.application ? appLink(one.application) : 'unreadable', !one.isUsed && h('small.bad', 'not used')]), 'application'),
				col('Faults', 'num', one => one.faults.length, one => one.faults.length),
			], {key: one => one.path, none: 'No manifest fits.'}));
	});
}
