// The host: a key for this tab, and one request of the API.

import {query} from './text.js';
import {note} from './notes.js';

/** A refusal, with the sentence of its problem document. */
export class Problem extends Error {
	constructor(status, detail, document = {}) {
		super(detail);
		this.status = status;
		this.document = document;
	}
}

async function problemOf(answer) {
	const problem = await answer.json().catch(() => ({}));
	const errors = (problem.errors ?? []).map(one => `${one.path}: found ${one.found}; expected ${one.expected}`);
	return new Problem(answer.status, [problem.detail ?? problem.title ?? `status ${answer.status}`, ...errors].join(' · '), problem);
}

/** Of this tab. `didEnd` is called when its key no longer holds. */
export const session = {key: null, readOnly: false, problem: null, didEnd() {}};

/** Exchanges the link's token for a key, or takes the key that this tab already has. */
export async function openSession() {
	const token = /^#token=([\w.~-]+)$/.exec(location.hash)?.[1];
	if (token) {
		// The address bar, the history and pictures of the screen must not keep it.
		history.replaceState(null, '', location.pathname + '#/');
		sessionStorage.removeItem('key');
		const answer = await fetch('/session', {method: 'POST', headers: {'Content-Type': 'application/json'}, body: JSON.stringify({token})});
		if (!answer.ok) throw await problemOf(answer);
		sessionStorage.setItem('key', JSON.stringify(await answer.json()));
	}
	const kept = sessionStorage.getItem('key');
	if (!kept) throw new Problem(401, 'this tab has no key; taskhost ui; run it and open the link that it prints');
	Object.assign(session, JSON.parse(kept));
}

/** One request of the API. */
export async function api(path, {method = 'GET', body, signal, headers, as = 'json'} = {}) {
	let answer;
	try {
		headers = {...headers, Authorization: `Bearer ${session.key}`, ...(body && {'Content-Type': 'application/json'})};
		answer = await fetch(path, {method, signal, headers, body: body && JSON.stringify(body)});
	} catch (error) {
		if (error.name === 'AbortError') throw error;
		throw new Problem(0, 'taskhost ui does not answer; it has ended, or the tunnel to it is closed; run taskhost ui again');
	}
	if (!answer.ok) {
		const problem = await problemOf(answer);
		if (answer.status === 401) {
			session.problem = problem;
			session.didEnd();
		}
		throw problem;
	}
	return as === 'stream' ? answer.body.getReader() : answer[as]();
}

/** Rows of the record that cannot be read, and what is wrong with its pages: each is said once. */
const unreadable = new Set();
export async function get(path, parameters = {}) {
	const answer = await api(path + query(parameters));
	for (const row of answer.unreadable ?? []) {
		if (!unreadable.has(row)) note(`A row of the record cannot be read; ${row}; the others are listed`, {isBad: true});
		unreadable.add(row);
	}
	if (answer.damage && !unreadable.has(answer.damage)) note(`The record is damaged; ${answer.damage}; restore a backup`, {isBad: true});
	unreadable.add(answer.damage);
	return answer;
}

/** One key of a reply. */
export const listed = async (key, path, parameters) => (await get(path, parameters))[key];
export const runsOf = parameters => listed('runs', '/v1/runs', parameters);

export const idPath = (list, id, verb) => `/v1/${list}/${encodeURIComponent(id)}${verb ? '/' + verb : ''}`;
