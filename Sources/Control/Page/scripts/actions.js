// What buttons do.

import {byId, h, icon, patchKids} from './elements.js';
import {absolute, clean, path} from './text.js';
import {note} from './notes.js';
import {api, idPath} from './host.js';
import {isLive} from './stream.js';
import {mayChange, state} from './state.js';

/** Asks in a dialog, whose content may close it with an answer: the answer, empty without one, and the fields. */
export function dialog(title, content, more) {
	const node = byId('dialog');
	return new Promise(resolve => {
		node.onclose = () => resolve([node.returnValue, node.firstElementChild.elements]);
		node.returnValue = '';
		node.replaceChildren();
		patchKids(node, h('form', {method: 'dialog'}, h('h2', {id: 'dialog-title'}, title), content(answer => node.close(answer)),
			h('div.row', h('button', {type: 'button', onclick: () => node.close('')}, more ? 'Back' : 'Close'), more)));
		node.showModal();
	});
}

/** Asks in a dialog: true when the answer is yes. */
export const ask = async (title, content, yes) => (await dialog(title, () => content, yes && h('button.danger', {value: 'yes'}, yes)))[0] === 'yes';

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
export const changing = (label, onclick, more, shape) => (mayChange() ? h('button.act', {type: 'button', disabled: !isLive(), onclick, ...more}, shape && icon(shape), label) : null);

/** A button that makes a request. `confirm`: it asks before; `choose`: it asks for the rest of the action, which is false without an answer. */
export const action = (label, act) => changing(label, async () => {
	if (act.confirm && !(await ask(`${label}?`, h('p', act.confirm), label))) return;
	const chosen = act.choose ? await act.choose() : {};
	if (chosen) perform({...act, ...chosen});
}, {class: act.class, title: act.title, label: act.name && `${label}: ${clean(act.name)}`}, act.icon);

function started(answer) {
	const waits = answer.runs.find(one => one.waitsFor)?.waitsFor;
	return waits ? `Started; it waits for ${waits}` : `Started ${answer.runs[0].identifier}`;
}

export const running = (identifier, more) => ({name: identifier, path: '/v1/runs', body: {identifiers: [identifier], ...more}, done: started, link: answer => path('runs', answer.runs[0].run)});
export const runNow = (id, more) => action('Run now', {icon: 'play', ...running(id), class: more});
export const retrying = run => ({name: run.identifier, path: idPath('runs', run.run, 'retry'), done: `Requested ${run.identifier} again`, undo: {method: 'DELETE', path: idPath('requests', run.identifier), done: 'Cancelled the request'}});
export const cancelling = run => ({name: run.identifier, path: idPath('runs', run.run, 'cancel'), done: `Cancelled ${run.identifier}: it is warned`});
export const expire = run => action('Expire', {name: run.identifier, title: 'Warn it as if its time were over', path: '/v1/simulate/expiration', body: {identifier: run.identifier}, done: `Expired ${run.identifier}`});

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
