// Manifests and their faults, one of them in an editor, and new ones.

import {draw, h, icon} from './elements.js';
import {appLink, mono, path, plural, say} from './text.js';
import {note} from './notes.js';
import {api, get} from './host.js';
import {mayChange, Resource} from './state.js';
import {action, button, changing} from './actions.js';
import {banner, col, fitsText, form, page, table, textFilter, viewOf} from './parts.js';
import {makeEditor} from './editor.js';

/** A fault of a manifest, taken apart: `file:line:column: path: found …; expected …; hint`. */
function fault(text) {
	const [, place, warning, where, found, right, hint] = /^(.*?:\d+:\d+): (warning: )?(.*?): (found .*?); (expected .*?)(?:; (.*))?$/s.exec(text) ?? [];
	if (!found) return h('li', say(text));
	return h('li', h('div', warning && [h('b.warn', 'warning'), ' '], mono(place.split('/').pop()), ' ', mono(where)), h('div', say(found)), h('div', say(right)), hint && h('div.muted', say(hint)));
}

const addLink = () => mayChange() && h('a.act', {href: '#/manifests/new'}, 'Add a job');

export function manifestsView() {
	const manifests = new Resource(() => get('/v1/manifests'), ['journal'], 500);
	return viewOf('Manifests', [manifests], () => {
		const {manifests: files, diagnostics} = manifests.value;
		const rank = one => (!one.isUsed ? 2 : one.faults.length ? 1 : 0);
		return page('Manifests', [textFilter('Filter manifests'), action('Reload', {path: '/v1/reload', done: answer => `Read ${plural(answer.loaded, 'application')}, ${plural(answer.diagnostics.length, 'fault')}`, after: () => manifests.reload()}), addLink()],
			diagnostics.length > 0 && h('ul.banner.warn', {key: 'all'}, diagnostics.map(fault)),
			table('Manifests', files.filter(one => fitsText(one.path, one.application)).sort((a, b) => rank(b) - rank(a) || b.faults.length - a.faults.length), [
				col('', 'tick', one => icon(...[['check', 'good'], ['bang', 'warn'], ['cross', 'bad']][rank(one)])),
				col('File', 'wide', one => [h('a', {href: path('manifests', one.path)}, h('b', mono(one.path.split('/').pop()))), h('small', mono(one.path.slice(0, one.path.lastIndexOf('/')))), one.faults.length > 0 && h('ul.faults', one.faults.map(fault))], 'path'),
				col('Application', 'wide m', one => ([one.application ? appLink(one.application) : 'unreadable', !one.isUsed && h('small.bad', 'not used')]), 'application'),
				col('Faults', 'num', one => one.faults.length, one => one.faults.length),
			], {key: one => one.path, none: 'No manifest fits.'}));
	});
}

/** Texts that are edited and not written, by path, each with the digest of what was edited: to go elsewhere does not lose them. */
const drafts = new Map();
/** A new manifest that is not written. */
let proposed = null;

/** The editor of a file, and what writes it. `file` is the answer of `GET /manifest`, or a proposed one without a digest. */
function openFile(found, wrote) {
	const draft = drafts.get(found.path);
	const file = {...found, ...draft};
	const isReadOnly = !mayChange() || !file.mayWrite;
	const editor = makeEditor(file.path, file.text, draft ? null : file.faults, {isReadOnly, changed: text => drafts.set(file.path, {text, digest: file.digest})});
	async function save() {
		try {
			const answer = await api('/manifest', {method: 'POST', body: {path: file.path, text: editor.text, digest: file.digest}});
			drafts.delete(file.path);
			Object.assign(file, {text: editor.text, digest: answer.digest, path: answer.path});
			editor.show(answer.faults);
			note(`Wrote ${answer.path}; the host has read it`, {link: path('manifests', answer.path)});
			wrote?.(answer);
		} catch (problem) {
			if (problem.document.faults) editor.show(problem.document.faults);
			note(problem.message, {isBad: true});
		}
	}
	return {
		close: editor.close,
		get digest() { return file.digest; },
		/** Beside the title: what is written below a text may be out of sight. */
		tools: () => !isReadOnly && [changing('Save', save, {class: 'primary'}), drafts.has(file.path) && h('span.muted', 'not saved')],
		render: () => [
			isReadOnly && banner('why', '', 'lock', h('span', say(mayChange() ? file.why ?? 'It cannot be written.' : 'You may look at everything and change nothing.'))),
			h('section.block', {key: 'editor'}, editor.render()),
		],
	};
}

export function manifestView(where) {
	if (where === 'new') return newView();
	let open = null;
	const read = new Resource(async () => {
		const file = await get('/manifest', {path: where});
		// The host may just have come back, in the middle of an edit.
		if (!open || (!drafts.has(where) && open.digest !== file.digest)) {
			open?.close();
			open = openFile(file);
		}
		return file;
	});
	function discard() {
		drafts.delete(where);
		open.close();
		open = openFile(read.value);
		read.reload();
	}
	return viewOf('Manifest', [read], () => page(['Manifest ', mono(where.split('/').pop())], [open.tools(), drafts.has(where) && button('Read it again', discard), h('a', {href: '#/manifests'}, 'All manifests')],
		h('p.muted', {key: 'where'}, mono(where)), open.render()), {close() { read.close(); open?.close(); }});
}

/** The words of a command as a shell takes them apart; quotes hold words together. */
const wordsOf = text => [...text.matchAll(/(?:"(?:\\.|[^"\\])*"|'[^']*'|\\.|[^\s"'\\])+/g)].map(([word]) => word.replace(/"((?:\\.|[^"\\])*)"|'([^']*)'|\\(.)/g, (_, double, single, other) => double?.replace(/\\(.)/g, '$1') ?? single ?? other));

function newView() {
	const edit = () => openFile(proposed, one => {
		proposed = null;
		location.hash = path('manifests', one.path);
	});
	let open = proposed && edit();
	const propose = form('job', ({identifier, command, schedule}) => ({
		path: '/manifest/new', body: {identifier: identifier.value, command: wordsOf(command.value), schedule: schedule.value || null}, done: 'This is what it would say; save it',
		after(answer) {
			drafts.delete(answer.path);
			open?.close();
			proposed = {...answer, digest: null, mayWrite: true};
			open = edit();
			draw();
		},
	}));
	return {
		title: 'Add a job', close: () => open?.close(),
		render: () => page('Add a job', [open?.tools(), h('a', {href: '#/manifests'}, 'All manifests')], mayChange() ? h('div', {key: 'form'}, propose()) : h('p.none', 'You may look at everything and change nothing.'), open && open.render()),
	};
}
