// All tasks, and one of them.

import {draw, h} from './elements.js';
import {absolute, appLink, bytes, DAY, instant, mono, ms, name, now, path, plural, query, runLink, say, span, taskLink} from './text.js';
import {get, idPath, listed, runsOf} from './host.js';
import {gateSymbol, outcomeOf} from './words.js';
import {isGoingOn, mayChange, ON_WAITS, Resource, state} from './state.js';
import {drop, running, runNow} from './actions.js';
import {badge, banner, base64, col, fact, facts, fitsText, form, gateIcon, lanes, marks, outcome, page, phrase, section, table, textFilter, timeColumn, viewOf} from './parts.js';
import {card, runTable} from './runs.js';
import {endOf, pauseButton, pauseOf} from './pause.js';

/** The value below which a part of the values is; null without values. */
function quantile(values, part) {
	const sorted = values.filter(one => one != null).sort((a, b) => a - b);
	return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] : null;
}

/** How many in a hundred succeeded, of those that say something about the task. */
function success(runs) {
	const counted = runs.filter(one => one.outcome && (outcomeOf(one.outcome)?.isFailure || one.outcome === 'succeeded'));
	return counted.length ? `${Math.round((counted.filter(one => one.outcome === 'succeeded').length / counted.length) * 100)} %` : '–';
}

export function tasksView() {
	const tasks = new Resource(async () => {
		const all = [];
		for (let after; ;) {
			const portion = (await get('/v1/tasks', {limit: 1000, after, recent: 20})).tasks;
			all.push(...portion);
			if (portion.length < 1000) return all;
			// The first portion is on the page at once.
			tasks.value ??= portion;
			after = portion.at(-1).identifier;
			draw();
		}
	}, ON_WAITS, 250);
	return viewOf('Tasks', [tasks], () => {
		const rows = tasks.value.filter(one => fitsText(one.identifier, one.application, one.name, one.kind));
		return page('Tasks', [textFilter('Filter tasks'), h('span.muted', plural(rows.length, 'task'))], table('Tasks', rows, [
			col('Task', 'wide', one => [taskLink(one.identifier), h('small', one.kind, ' · ', appLink(one.application, one.name ?? one.application))], 'identifier'),
			col('Waits for', 'wide m', one => [one.pending ? phrase(one.pending) : h('span.muted', 'no request'), pauseOf('task', one.identifier) && h('small', 'paused ', endOf(pauseOf('task', one.identifier)))], 'waiting'),
			timeColumn('Next', 'next'),
			col('Application', 'term l', 'state'),
			col('Last 20 runs', 'recent l', one => marks(one.recent)),
			col('Last', 'word s', one => one.lastRun && runLink(one.lastRun.run, outcome(one.lastRun)), one => one.lastRun?.endedAt),
			col('Success', 'num l', one => [success(one.recent), h('small', span(quantile(one.recent.map(run => run.wallTime), 0.5)))]),
		], {none: tasks.value.length ? 'No task fits the filter.' : 'No manifest has a task.'}));
	});
}

export function taskView(identifier) {
	const task = new Resource(() => get(idPath('tasks', identifier)), ON_WAITS);
	const why = new Resource(() => get(idPath('tasks', identifier, 'why')), ON_WAITS);
	const waits = new Resource(() => listed('waits', idPath('tasks', identifier, 'waits')), ON_WAITS, 500);
	const runs = new Resource(() => runsOf({identifier, limit: 200}), ['run.started', 'run.ended'], 500);
	const submit = form('submit', ({earliest, power, network, payload}) => ({
		path: '/v1/requests', done: answer => `Submitted ${identifier}${answer.waiting ? `; it waits for ${answer.waiting}` : ''}`, undo: {method: 'DELETE', path: idPath('requests', identifier), done: 'Cancelled the request'},
		body: {identifier, earliestBeginDate: earliest.value ? instant(earliest.value) : null, requiresExternalPower: power.checked, requiresNetworkConnectivity: network.checked, payload: base64(payload.value)},
	}));
	let fields;
	const run = form('run', ({settings, payload}) => running(identifier, {settings: JSON.parse(settings.value || '{}'), payload: base64(payload.value)}), elements => { fields = elements; });
	return viewOf(identifier, [task, why, waits, runs], () => {
		const one = task.value;
		const past = runs.value.filter(run => run.outcome);
		const pause = pauseOf('task', identifier) ?? pauseOf('application', one.application);
		if (!fields.settings.value) fields.settings.value = JSON.stringify(JSON.parse(one.settings), null, 2);
		return page(name(identifier), [runNow(identifier, 'primary'), pauseButton('task', identifier), one.pending && drop(one.pending)],
			h('p.muted', one.kind, ' · ', appLink(one.application, one.name), ` · ${one.state}`, one.schedule && ` · ${one.schedule.text}`),
			pause && banner('paused', 'warn', 'pause', h('span', pause.of === 'task' ? 'It is paused ' : 'Its application is paused ', endOf(pause))),
			faultBanner(one),
			h('div.cards', [...state.runs.values()].filter(run => run.identifier === identifier).map(card)),
			section('Why it waits', h('p', say(why.value.summary)), timeLine(why.value, waits.value), gatesTable(why.value.gates)),
			section('Budget and use', budgetUse(one, past)),
			section('Runs', h('p.row', marks(runs.value.slice(0, 20)), h('span.muted', past.length > 0 && `${success(past)} of the last ${plural(past.length, 'run')} succeeded`), h('a', {href: '#/runs' + query({id: identifier})}, 'History')),
				runTable('Runs of the task', runs.value.slice(0, 20), {isOfTask: true, sortBy: sort => { location.hash = '#/runs' + query({id: identifier, sort}); }})),
			section('Definition', definition(one)),
			mayChange() && section('Start it', h('div.columns', submit(), run())));
	}, {countsDown: () => isGoingOn(run => run.identifier === identifier)});
}

/** What is wrong with its manifest's file. A warning keeps nothing from being used. */
function faultBanner({faults, usesEarlierForm, manifest}) {
	if (!faults.length) return null;
	const isWarning = text => /:\d+:\d+: warning: /.test(text);
	const warns = !usesEarlierForm && faults.every(isWarning);
	const title = usesEarlierForm ? 'Its manifest has faults; the host uses its earlier form. ' : warns ? (faults.length > 1 ? 'Its manifest has warnings. ' : 'Its manifest has a warning. ') : 'A run of it would be refused. ';
	return banner('faults', warns ? 'warn' : 'bad', 'bang', h('span', title, h('a', {href: path('manifests', manifest)}, 'Open the manifest'), faults.map(text => h('p', say(text)))));
}

/** Why it waited: a lane a gate over the last day, and to the right of now until when. */
function timeLine(why, waits) {
	const present = now();
	const ahead = why.next ? Math.min(DAY, Math.max(DAY / 12, (ms(why.next) - present) * 1.2)) : DAY / 8;
	const byGate = new Map(why.gates.filter(one => one.holds || (one.verdict === 'unknown' && one.since)).map(one => [one.gate, []]));
	for (const {gate, from, to} of waits) {
		const end = to ? ms(to) : present;
		if (!byGate.has(gate)) byGate.set(gate, []);
		byGate.get(gate).push({from: ms(from), to: end, class: 'closed', text: `closed from ${absolute(from)} to ${to ? absolute(to) : 'now'}, ${span((end - ms(from)) / 1000)}`});
	}
	for (const {gate, holds, verdict, since, next, found} of why.gates) {
		const parts = byGate.get(gate);
		if (!parts) continue;
		const isKnown = waits.some(one => one.gate === gate && !one.to);
		if (verdict === 'unknown' || (holds && !isKnown)) parts.push({from: since ? ms(since) : present - DAY, to: present, class: verdict, text: `${verdict}: ${found}`});
		if (holds && next) parts.push({from: present, to: ms(next), class: 'expected', text: `expected to open ${absolute(next)}`});
	}
	return byGate.size > 0 && lanes('What it waited for in the last 24 hours', present - DAY, present + ahead, [...byGate].map(([gate, parts]) => ({label: gate, icon: gateSymbol(gate), parts})), present);
}

/** The gates that hold it; the others are folded. */
function gatesTable(gates) {
	const rank = one => (one.holds ? 0 : one.verdict === 'unknown' ? 1 : 2);
	const part = (caption, rows) => table(caption, rows, [
		col('Gate', 'word', one => h('span.phrase', gateIcon(one.gate), one.gate)),
		col('Verdict', 'word', one => badge(...[['cross', 'bad'], ['dash', 'calm'], ['check', 'good']][rank(one)], one.verdict, one.holds && 'holds it')),
		col('Found', 'wide', one => [say(one.found), one.opens && h('small', 'opens by: ', say(one.opens))]),
		timeColumn('Since', 'since', 'time m'),
		timeColumn('Next', 'next', 'time m'),
	], {key: one => one.gate, rowClass: one => one.holds && 'holds', none: gates.length ? 'No gate holds it.' : 'No request is pending.'});
	const others = gates.filter(one => !one.holds).sort((a, b) => rank(a) - rank(b));
	return [part('Gates that hold it', gates.filter(one => one.holds)), others.length > 0 && h('details', h('summary', `${plural(others.length, 'gate')} that do not hold it`), part('Other gates', others))];
}

/** The budget beside what runs used, so that people can set it. */
function budgetUse(task, runs) {
	const rows = [['Time', 'wallClock', span, 'wallTime'], ['CPU', 'cpuTime', span, 'cpuTime'], ['Memory', 'memory', bytes, 'peakMemory'], ['Disk', 'disk', bytes], ['Grace', 'grace', span]].map(([title, key, text, used]) => {
		const values = runs.map(run => run[used]);
		return {title, of: task.budget[key], text, isDeclared: task.declared.includes(key), half: quantile(values, 0.5), most: quantile(values, 0.95)};
	});
	return table('Budget and use of the last runs', rows, [
		col('Of', 'word', one => one.title),
		col('Budget', 'word', one => [one.of == null ? 'none' : one.text(one.of), one.isDeclared && h('small', 'by the manifest')]),
		col('p50', 'num m', one => one.text(one.half)),
		col('p95', 'num', one => one.text(one.most)),
		col('p95 of the budget', 'wide m', one => one.of && one.most != null && h('div.track.use', {class: one.most > one.of * 0.9 ? 'warned' : '', title: `${Math.round((one.most / one.of) * 100)} %`}, h('div.fill', {style: {width: `${Math.min(100, (one.most / one.of) * 100)}%`}}))),
	], {key: one => one.title});
}

function definition(one) {
	const {handler, library, schedule, requires, permissions} = one;
	const conditions = Object.entries(requires).filter(([, it]) => it && it.length !== 0).map(([key, it]) => (it === true ? key : `${key} ${key === 'disk' ? bytes(it) : it}`));
	return facts(
		fact('Handler', handler.form, ' ', mono(handler.command?.join(' ') ?? handler.symbol ?? ''), handler.signature && h('small', mono(handler.signature))),
		library && fact('Library', mono(library.path), library.sha256 && h('small', mono('SHA-256 ' + library.sha256))),
		schedule && fact('Schedule', say(schedule.text), schedule.jitter > 0 && `, up to ${span(schedule.jitter)} later`, h('small', mono(schedule.boot ? 'boot' : schedule.calendar ?? `every ${span(schedule.every)}`), ` · ${schedule.timeZone ?? 'the machine zone'} · catchUp ${schedule.catchUp} · overlap ${schedule.overlap}`)),
		fact('After', one.after && taskLink(one.after)),
		fact('On failure', one.onFailure && taskLink(one.onFailure), one.webhook && mono(one.webhook)),
		fact('Requires', say(conditions.join(', ') || 'nothing')),
		fact('Retry', one.retry && `${plural(one.retry.attempts, 'attempt')}, next after ${span(one.retry.backoff)}`),
		fact('Priority', one.priority), fact('Stall', one.stall && span(one.stall)), fact('Secrets', one.secrets.length > 0 && one.secrets.join(', ')),
		Object.entries(permissions).map(([key, list]) => list.length > 0 && fact(`May ${key === 'network' ? 'connect to' : key}`, mono(list.join('  ')))),
		permissions.ping && fact('May send', 'ICMP echo requests'),
		permissions.attributes && fact('May change', 'modes, owners, times'),
		fact('User', one.user && say(one.user), one.group && [' : ', say(one.group)]),
		fact('Confinement', `${one.confinement}, ${one.isolation}, ${one.enforcement}`), fact('Settings', one.settings !== '{}' && mono(one.settings)),
		fact('Manifest', h('a', {href: path('manifests', one.manifest)}, mono(one.manifest)), one.version && [' version ', say(one.version)]), fact('Profile', one.profile));
}
