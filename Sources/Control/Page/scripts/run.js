// One run.

import {draw, h} from './elements.js';
import {absolute, asClock, bytes, clean, DAY, mono, ms, name, now, plural, say, span, taskLink, when} from './text.js';
import {refusal} from './notes.js';
import {api, get, idPath, runsOf} from './host.js';
import {signalOf} from './words.js';
import {mayChange, Resource, state} from './state.js';
import {action, button, cancelling, expire, retrying} from './actions.js';
import {fact, facts, lanes, meter, oddities, outcome, page, section, viewOf} from './parts.js';
import {budgetBars, progress, runTable, standing} from './runs.js';
import {makeLog} from './log.js';

const used = (title, value, of, text) => meter(title, `${text(value)}${of ? ` of ${text(of)}` : ''}`, of && value / of);

export function runView(id) {
	const run = new Resource(() => get(idPath('runs', id)));
	// The manifest may have gone since.
	const task = new Resource(async () => get(idPath('tasks', (await get(idPath('runs', id))).identifier)).catch(() => ({})));
	const near = new Resource(async () => {
		const {identifier, application, submittedAt, endedAt} = await get(idPath('runs', id));
		const until = new Date((endedAt ? ms(endedAt) : now()) + 1).toISOString();
		const [own, others] = await Promise.all([runsOf({identifier, until: new Date(ms(submittedAt) + DAY).toISOString(), limit: 12}), runsOf({application, since: new Date(ms(submittedAt) - 36e5).toISOString(), until, limit: 50})]);
		return {own: own.filter(one => one.run !== id), others: others.filter(one => one.identifier !== identifier && (one.endedAt ?? until) >= submittedAt)};
	});
	let payload = null;
	/** As text, or in hexadecimal digits when it is none. */
	async function showPayload() {
		const octets = await api(idPath('runs', id, 'payload'), {as: 'arrayBuffer'}).then(one => new Uint8Array(one), refusal);
		if (!octets) return;
		try {
			payload = clean(new TextDecoder('utf-8', {fatal: true}).decode(octets));
		} catch {
			payload = [...octets].map(one => one.toString(16).padStart(2, '0')).join(' ');
		}
		draw();
	}
	const log = makeLog(id);
	return viewOf('Run', [run, task, near], () => {
		const one = {...run.value, ...(run.value.outcome ? {} : state.runs.get(id))};
		const budget = one.budget ?? task.value.budget;
		return page(['Run of ', name(one.identifier)], one.outcome ? action('Retry', retrying(one)) : [action('Cancel', cancelling(one)), one.startedAt && expire(one)],
			h('p.row', {key: 'what'}, outcome(one), h('span.muted', mono(id), ` · attempt ${one.attempt} · ${one.origin ?? 'forced'}${one.kind ? ` · ${one.kind}` : ''} · `), taskLink(one.identifier)),
			one.diagnostics.length > 0 && h('ul.banner.warn', {key: 'diagnostics'}, one.diagnostics.map(text => h('li', say(text)))),
			oddities(one).length > 0 && h('ul.banner', {key: 'odd'}, oddities(one).map(odd => h('li', say(odd.text)))),
			section('Life line', lifeLine(one)),
			section('Budget', one.outcome ? h('div.meters', used('Time', one.wallTime, budget?.wallClock, span), used('CPU', one.cpuTime, budget?.cpuTime, span), used('Memory', one.peakMemory, budget?.memory, bytes))
				: one.startedAt ? [budgetBars(one), progress(one)] : h('p', standing(one))),
			section('Facts', facts(
				[['Submitted', one.submittedAt], ['Started', one.startedAt], ['Warned', one.expiredAt], ['Ended', one.endedAt]].map(([term, time]) => time && fact(term, absolute(time), ' · ', when(time))), fact('Reason', one.reason),
				fact('Signal', one.signal && `${signalOf(one.signal)} (${one.signal})`), fact('Exit status', one.exitStatus), fact('Printed last', one.lastLine && mono(one.lastLine)), fact('Result', one.result != null && mono(one.result)),
				fact('Stood still', one.frozenTime > 0 && `${span(one.frozenTime)}, in ${plural(one.pauses.length, 'suspension')}`), fact('Left by earlier runs', one.memoryAtStart && bytes(one.memoryAtStart)),
				fact('Confinement', one.confinement && say(one.confinement)), fact('Degraded', one.degraded.length > 0 && `not enforced: ${one.degraded.join(', ')}`),
				fact('Payload', one.payload > 0 && [bytes(one.payload), ' ', payload ? h('pre.mono', payload) : mayChange() && button('Show', showPayload)]), fact('Settings', one.settings && h('details', h('summary', `${bytes(one.settings.length)} in place of the manifest's`), mono(one.settings))))),
			h('section.block', {key: 'log'}, h('h2', 'Log'), one.output.dropped > 0 && h('p.muted', `${bytes(one.output.dropped)} were not kept.`), log.render()),
			near.value.own.length > 0 && section('Runs of the task', runTable('Runs of the task', near.value.own, {isOfTask: true})),
			near.value.others.length > 0 && section('At the same time', runTable('Other runs of the application', near.value.others)));
	}, {
		countsDown: () => state.runs.has(id),
		again() { run.reload(); log.grow(); },
		event(event, data) {
			if (data.run !== id) return;
			if (event === 'run.output' || event === 'run.ended') log.grow();
			if (['run.started', 'run.expired', 'run.ended'].includes(event)) run.soon();
		},
		close: () => [run, task, near, log].forEach(one => one.close()),
	});
}

/** What happened to a run, to scale; when it waited much longer than it ran, the run once more by itself. */
function lifeLine(run) {
	const end = run.endedAt ? ms(run.endedAt) : now();
	const launched = ms(run.events.find(one => one.event === 'launched')?.at ?? run.startedAt ?? run.endedAt ?? run.submittedAt);
	const part = (from, to, kind, label) => ({from, to, class: kind, label, text: `${label}: ${absolute(from)}, ${span((to - from) / 1000)}`});
	const begin = Math.min(ms(run.submittedAt), ...run.waits.map(one => ms(one.from)));
	const warned = run.expiredAt ? ms(run.expiredAt) : run.warnsAt ? ms(run.warnsAt) : end;
	const own = [];
	if (run.startedAt) {
		own.push({label: 'Run', parts: [part(launched, ms(run.startedAt), 'launch', 'launch'), part(ms(run.startedAt), Math.min(warned, end), 'running', 'running'), run.expiredAt && part(warned, end, 'expiring', 'warned')].filter(Boolean)});
		if (run.pauses.length) own.push({label: 'Suspended', parts: run.pauses.map(one => part(ms(one.from), one.to ? ms(one.to) : end, 'unknown', 'suspended'))});
	}
	const waits = {label: 'Request', parts: [part(begin, launched, 'submitted', 'submitted'), ...run.waits.map(one => part(ms(one.from), ms(one.to), 'closed', one.gate))]};
	const lines = run.waits.length || !run.startedAt || launched - begin > 1000 ? [waits, ...own] : own;
	const until = Math.max(end, begin + 1000);
	const isShort = run.startedAt && end - launched < (until - begin) * 0.2;
	const events = run.events.map(one => h('li', h('time', {datetime: one.at, title: absolute(one.at)}, asClock(one.at)), ' ', one.event, one.because && h('span.muted', ` ${one.because}`)));
	return [lanes('Life line', begin, until, lines), isShort && lanes('The run alone', launched, Math.max(end, launched + 10), own), events.length > 0 && h('ol.events', events)];
}
