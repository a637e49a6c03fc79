// What buttons do.

import {byId, h, icon, patchKids} from './elements.js';
import {absolute, clean, path} from './text.js';
import {note} from './notes.js';
import {api, idPath} from './host.js';
import {isLive} from './stream.js';
import {mayChange, state} from './state.js';

/** Asks in a dialog: true when the answer is yes. */
export function ask(title, content, yes) {
	const dialog = byId('dialog');
	return new Promise(resolve => {
		dialog.onclose = () => resolve(dialog.returnValue === 'yes');
		dialog.returnValue = '';
		dialog.replaceChildren();
		patchKids(dialog, h('form', {method: 'dialog'}, h('h2', {id: 'dialog-title'}, title), content,
			h('div.row', h('button', {value: 'no'}, yes ? 'Back' : 'Close'), yes && h('button.danger', {value: 'yes'}, yes))));
		dialog.showModal();
	});
}

/** Does what a button says, and tells what happened. */
export async function perform({method = 'POST', path, body, done, undo, after, link}) {
	try {
		const answer = await api(path, {method, body});
		note(typeof done === 'function' ? done(answer) : done, {undo, link: link?.(answer)});
		after?.(answer);
		// Not every change is an event.
		state.pauses.soon();
		state.applications.soon();
	} catch (problem) {
		note(problem.message, {isBad: true});
	}
}

/** A button that changes nothing at the host. */
export const button = (label, onclick, more) => h('button', {onclick, ...more}, label);

/** A button that changes something: absent for readers, disabled while the host does not answer. */
export function action(label, act) {
	if (!mayChange()) return null;
	return h('button.act', {
		type: 'button', class: act.class, disabled: !isLive(), title: act.title, label: act.name && `${label}: ${clean(act.name)}`,
		onclick: async () => (!act.confirm || (await ask(`${label}?`, h('p', act.confirm), label))) && perform(act),
	}, act.icon && icon(act.icon), label);
}

function started(answer) {
	const waits = answer.runs.find(one => one.waitsFor)?.waitsFor;
	return waits ? `Started; it waits for ${waits}` : `Started ${answer.runs[0].identifier}`;
}

export const running = (identifier, more) => ({name: identifier, path: '/v1/runs', body: {identifiers: [identifier], ...more}, done: started, link: answer => path('runs', answer.runs[0].run)});
export const runNow = (id, more) => action('Run now', {icon: 'play', ...running(id), class: more});
export const retrying = run => ({name: run.identifier, path: idPath('runs', run.run, 'retry'), done: `Requested ${run.identifier} again`, undo: {method: 'DELETE', path: idPath('requests', run.identifier), done: 'Cancelled the request'}});
export const cancelling = run => ({name: run.identifier, path: idPath('runs', run.run, 'cancel'), done: `Cancelled ${run.identifier}: it is warned`});
export const expire = run => action('Expire', {name: run.identifier, title: 'Warn it as if its time were over', path: '/v1/simulate/expiration', body: {identifier: run.identifier}, done: `Expired ${run.identifier}`});
export const pausing = (identifier, of) => ({path: '/v1/pause', body: {identifier, of}, done: `Paused ${identifier}`, undo: resuming(identifier, of)});
export const resuming = (identifier, of) => ({label: 'Resume', path: '/v1/resume', body: {identifier, of}, done: `Resumed ${identifier}`});

/** Cancels a request, or leaves out the next time of a schedule. */
export function drop(request) {
	const {identifier, earliestBeginDate, requiresExternalPower, requiresNetworkConnectivity} = request;
	if (request.origin === 'schedule') return action('Skip', {name: identifier, title: 'Leave out the next time of its schedule', path: idPath('tasks', identifier, 'skip'), done: answer => `Skipped ${absolute(answer.leftOut)} of ${identifier}`});
	return action('Cancel', {
		name: identifier, method: 'DELETE', path: idPath('requests', identifier), done: `Cancelled the request of ${identifier}`,
		// The payload of the former request is gone.
		undo: {label: request.payload ? 'Submit again, without payload' : 'Undo', path: '/v1/requests', body: {identifier, earliestBeginDate, requiresExternalPower, requiresNetworkConnectivity}, done: `Submitted ${identifier} again`},
	});
}
