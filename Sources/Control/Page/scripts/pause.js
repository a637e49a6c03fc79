// Work that somebody holds back, until when they say.

import {h} from './elements.js';
import {absolute, asDate, clean, DAY, instant, now, when} from './text.js';
import {state} from './state.js';
import {action, dialog} from './actions.js';

/** The pause of a task or an application, or of all work. */
export const pauseOf = (of, identifier) => state.pauses?.value?.find(one => one.of === of && (of === 'host' || one.identifier === identifier));

/** Until when a pause holds, in words. */
export const endOf = pause => (pause.until ? [`until ${absolute(pause.until)}, `, when(pause.until)] : 'until it is resumed');

const after = time => new Date(now() + time).toISOString();
const ENDS = [['15 minutes', () => after(9e5)], ['1 hour', () => after(36e5)], ['Until tomorrow 08:00', () => instant(`${asDate(now() + DAY)}T08:00`)], ['Until it is resumed', () => 'resumed']];

/** Asks until when: a time by the host's clock, null until it is resumed, undefined when the answer is not to pause. */
async function askEnd(title) {
	const field = h('input', {type: 'datetime-local', name: 'until', required: true});
	const [answer, fields] = await dialog(title, close => [
		h('p', 'Nothing of it starts by itself; runs in progress go on.'),
		h('div.ends', ENDS.map(([label, time]) => h('button', {type: 'button', onclick: () => close(time())}, label))),
		h('div.row.until', h('label.grow', 'Until ', field), h('button', {value: 'field'}, 'Pause until then')),
	]);
	if (answer === 'field') return instant(fields.until.value);
	return answer === 'resumed' ? null : answer || undefined;
}

const RESUME_ALL = {label: 'Resume', path: '/v1/resume', body: {}, done: 'Work is resumed'};
const resuming = (of, identifier) => (of === 'host' ? RESUME_ALL : {label: 'Resume', name: identifier, path: '/v1/resume', body: {identifier, of}, done: `Resumed ${identifier}`});

/** A button that pauses, after the question until when; one that resumes what is paused. */
export function pauseButton(of, identifier) {
	if (pauseOf(of, identifier)) return action('Resume', resuming(of, identifier));
	const label = of === 'host' ? 'Pause all' : 'Pause';
	return action(label, {
		icon: of === 'host' && 'pause', name: identifier, path: '/v1/pause', undo: resuming(of, identifier),
		async choose() {
			const until = await askEnd(identifier ? `Pause ${clean(identifier)}` : 'Pause all work');
			return until !== undefined && {body: {...(identifier && {identifier, of}), ...(until && {until})}, done: `${identifier ? `Paused ${identifier}` : 'All work is paused'}${until ? ` until ${absolute(until)}` : ''}`};
		},
	});
}
