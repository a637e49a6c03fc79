// Runs: in progress, and in a table.

import {draw, h} from './elements.js';
import {bytes, clean, mono, moving, ms, now, runLink, say, span, taskLink, when} from './text.js';
import {action, cancelling, expire, retrying} from './actions.js';
import {col, meter, outcome, table, taskColumn} from './parts.js';

/** The budgets of a run in progress: what is left of each. */
export function budgetBars(run) {
	const budget = run.budget;
	if (!budget) return null;
	const left = (title, rest, of, text, more) => meter(title, `${text(Math.max(0, rest))} of ${text(of)}`, rest / of, {
		...more, aria: {label: `${title} of ${clean(run.identifier)}`, 'aria-valuemax': of, 'aria-valuenow': Math.max(0, +rest.toFixed(2)),
			'aria-valuetext': title === 'Memory' ? `${bytes(rest)} left of ${bytes(of)}` : `${Math.round(Math.max(0, rest))} seconds left of ${Math.round(of)}`},
	});
	const {cpuTime: cpu = 0, memory = 0} = run.usage ?? {};
	const {wallClock, cpuTime, grace, memory: room} = budget;
	// While it stands still nobody knows its end, and what was left stays.
	const rest = run.endsAt ? (ms(run.endsAt) - now()) / 1000 : run.rest;
	run.rest = rest;
	const level = run.state === 'expiring' ? (rest < grace / 2 ? 'warned ending' : 'warned') : '';
	return h('div.meters',
		wallClock && rest == null ? meter('Time', `– of ${span(wallClock)}`) : wallClock ? left('Time', Math.min(rest, wallClock), wallClock, moving, {level, notch: grace / wallClock}) : meter('Time', `${moving((now() - ms(run.startedAt)) / 1000)}, no limit`),
		cpuTime ? left('CPU', cpuTime - cpu, cpuTime, moving, {level: cpu > cpuTime * 0.8 ? 'warned' : ''}) : meter('CPU', `${moving(cpu)}, no limit`),
		room ? left('Memory', room - memory, room, bytes, {level: memory > room * 0.8 ? 'warned' : ''}) : meter('Memory', `${bytes(memory)}, no limit`));
}

export function progress(run) {
	const {completed, total, text, title, subtitle} = run.progress ?? {};
	if (!total && !text) return null;
	return meter([title ? say(title) : 'Progress', subtitle && [' · ', say(subtitle)]], [total > 0 && `${Math.floor(Math.min(1, completed / total) * 100)} % `, text && say(text), total > 0 && ` ${completed} of ${total}`], total > 0 ? completed / total : null,
		{level: 'done', aria: total > 0 && {label: `Progress of ${clean(run.identifier)}`, 'aria-valuemax': total, 'aria-valuenow': completed}});
}

/** The state of a run in progress; before its start with what it waits for. */
export const standing = run => (run.state === 'waiting' ? `waiting: ${run.waitsFor ?? run.gate ?? 'its launch'}` : run.state);

/** A run in progress. */
export function card(run) {
	return h('article.card', {class: run.state === 'expiring' ? 'warned' : run.state, key: run.run, 'data-row': '', label: clean(run.identifier)},
		h('div.row', h('h2', taskLink(run.identifier)), h('span.grow'), h('span.tag', standing(run))),
		h('p.muted', say(run.application), run.attempt > 1 && ` · attempt ${run.attempt}`, ` · ${run.origin ?? 'forced'}`, run.startedAt && [' · started ', when(run.startedAt)], run.reason && ` · ${run.reason}`),
		run.startedAt && budgetBars(run),
		progress(run),
		h('p.line', run.line ? mono(run.line) : 'no output yet'),
		h('div.row', runLink(run.run, 'Details'), h('span.grow'), action('Cancel', cancelling(run)), run.startedAt && run.state !== 'expiring' && expire(run)));
}

/** Runs in a table. The order by a figure is the host's, over all runs that fit: `sortBy` asks for it. */
export const runTable = (caption, runs, {select, isOfTask, sortBy} = {}) => table(caption, runs, [
	select && col('', 'tick m', one => h('input', {type: 'checkbox', label: `Select ${clean(one.identifier)} ${one.run}`, checked: select.has(one.run), onchange: event => { select[event.target.checked ? 'add' : 'delete'](one.run); draw(); }})),
	col('Outcome', 'wide', one => [runLink(one.run, outcome(one)), h('small.p', when(one.submittedAt)), one.wallTime != null && h('small.p', span(one.wallTime), ' · ', bytes(one.peakMemory))], one => one.outcome ?? one.state),
	!isOfTask && taskColumn,
	col('Submitted', 'time m', one => [when(one.submittedAt), h('small', one.origin ?? 'forced', one.attempt > 1 && ` · attempt ${one.attempt}`)], 'submittedAt'),
	...[['Time', 'm', 'wallTime', span, 'time'], ['CPU', 'l', 'cpuTime', span, 'cpu'], ['Memory', 'l', 'peakMemory', bytes, 'memory']].map(([title, from, key, text, order]) => col(title, `num ${from}`, one => text(one[key]), null, sortBy && order)),
	select && col('', 'acts', one => one.outcome && action('Retry', retrying(one))),
], {key: one => one.run, none: 'No run fits.', sortBy});
