// What changed: how tasks ended, and what manifests say.

import {h} from './elements.js';
import {appLink, mono, path, runLink, say} from './text.js';
import {Resource} from './state.js';
import {badge, col, fitsText, outcome, page, section, table, taskColumn, textFilter, timeColumn, viewOf} from './parts.js';
import {readSince, spans} from './usage.js';

export function changesView() {
	const changes = new Resource(() => readSince('/v1/changes'), ['run.ended', 'journal'], 2000);
	return viewOf('Changes', [changes], () => {
		const {outcomes, definitions} = changes.value;
		return page('Changes', [textFilter('Filter changes'), spans(() => changes.reload())],
			section('Outcomes', table('Tasks that end otherwise than before', outcomes.filter(one => fitsText(one.identifier, one.application)), [
				taskColumn,
				col('Before', 'word m', one => (one.before ? outcome({outcome: one.before}) : badge('dash', 'calm', 'none'))),
				col('Now', 'word', one => [runLink(one.run, outcome({outcome: one.now, lastLine: one.lastLine})), h('small.p', one.before ? `was ${one.before}` : 'its first')]),
				timeColumn('At', 'at'),
			], {none: 'Every task ended as before.'})),
			section('Definitions', table('Manifests that changed', definitions.filter(one => fitsText(one.path, one.application)), [
				col('Manifest', 'wide', one => [one.change === 'removed' ? h('b', mono(one.path.split('/').pop())) : h('a', {href: path('manifests', one.path)}, mono(one.path.split('/').pop())), one.application && h('small', appLink(one.application))], 'path'),
				col('Change', 'word', one => [badge(...{added: ['check', 'good'], changed: ['dot', 'info'], removed: ['cross', 'warn']}[one.change] ?? ['dot', 'info'], one.change), h('ul.p', one.keys.slice(0, 4).map(key => h('li', h('small', mono(key)))))], 'change'),
				col('Keys', 'wide m', one => (one.keys.length ? h('ul', one.keys.slice(0, 40).map(key => h('li', mono(key)))) : say('–'))),
				timeColumn('At', 'at'),
			], {key: one => `${one.path} ${one.at}`, none: 'No manifest changed.'})));
	});
}
