// All applications, and one of them.

import {draw, h, icon} from './elements.js';
import {absolute, appLink, clean, DAY, instant, mono, ms, name, now, plural, query, relative, say, span, when} from './text.js';
import {get, idPath, listed, runsOf} from './host.js';
import {markOf, words} from './words.js';
import {route, setQuery, shown} from './route.js';
import {isGoingOn, ON_WAITS, Resource, state} from './state.js';
import {action, button} from './actions.js';
import {col, fact, facts, fitsText, lanes, page, problemBanner, section, table, taskColumn, textFilter, timeColumn, viewOf} from './parts.js';
import {runTable} from './runs.js';
import {endOf, pauseOf, pauseButton} from './pause.js';
import {conditionParts, deviceLog} from './device.js';

function applicationActions(one) {
	const verb = (label, word, more) => action(label, {name: one.identifier, path: idPath('applications', one.identifier, word), done: `${label}: ${one.identifier}`, ...more});
	return [
		one.state !== 'active' && verb('Open', 'foreground'), ['active', 'inactive'].includes(one.state) && verb('Background', 'background'),
		one.quarantinedUntil && verb('Lift', 'lift', {title: 'End its quarantine'}),
		one.refreshDenied ? verb('Allow refresh', 'allow') : verb('Deny refresh', 'deny', {undo: {path: idPath('applications', one.identifier, 'allow'), done: 'Background refresh is allowed'}}),
		pauseButton('application', one.identifier),
		!one.forceQuit && verb('Quit', 'quit', {confirm: `The host ends ${one.identifier} and its runs. None of its work starts until somebody opens it again.`}),
	];
}

const stateDiagram = one => h('ol.states', {label: 'State'}, words.applicationStates.map(word => h('li', {class: word === one.state ? 'here ' + word : '', 'aria-current': word === one.state ? 'true' : null}, word)));

const applicationFacts = one => facts(
	pauseOf('application', one.identifier) && fact('Paused', endOf(pauseOf('application', one.identifier))),
	fact('Workers', one.workers > 0 && one.workers), fact('Processor time', one.usage > 0 && `${span(one.usage)} of late`, one.quotaEnd && `, ${span(one.quotaUsed)} of its quota until ${relative(one.quotaEnd)}`),
	fact('Quarantine', one.quarantinedUntil && ['until ', when(one.quarantinedUntil), ` after ${plural(one.crashes, 'crash').replace('crashs', 'crashes')}`]),
	fact('User', one.forceQuit && 'quit it', one.refreshDenied && ' denied background refresh'), fact('Fetch', one.fetchInterval && `every ${span(one.fetchInterval)}`, one.unansweredFetches > 0 && `, ${one.unansweredFetches} not answered`),
	fact('Notified', one.notified.length > 0 && when(one.notified[0])), fact('Terminated', one.lastTermination && [when(one.lastTermination.at), `, ${one.lastTermination.reason}`]), fact('Manifest', !one.installed && 'removed'));

export function applicationsView() {
	return {
		title: 'Applications',
		render() {
			const all = (state.applications.value ?? []).filter(one => fitsText(one.identifier, one.name) && (route.query.show !== 'quarantined' || one.quarantinedUntil));
			const most = shown.get('apps') ?? 50;
			return page('Applications', [textFilter('Filter applications'), route.query.show && h('button.chip', {onclick: () => setQuery({show: ''})}, route.query.show, icon('cross'))],
				problemBanner(state.applications), h('div.cards', all.slice(0, most).map(one => h('article.card', {key: one.identifier, 'data-row': '', label: clean(one.identifier), class: one.quarantinedUntil ? 'warned' : ''},
					h('div.row', h('h2', appLink(one.identifier)), h('span.grow'), h('span.muted', plural(one.tasks, 'task'))), one.name && h('p.muted', say(one.name)),
					stateDiagram(one), applicationFacts(one), h('div.row', applicationActions(one))))),
				all.length > most && h('p.more', button('Show more', () => { shown.set('apps', most + 100); draw(); })), !all.length && h('p.none', 'No application fits.'));
		},
	};
}

export function applicationView(identifier) {
	const why = new Resource(() => get(idPath('applications', identifier, 'why')), ON_WAITS);
	const ends = new Resource(() => listed('terminations', '/v1/terminations', {application: identifier, limit: 50}), ['application.terminated']);
	const runs = new Resource(() => runsOf({application: identifier, since: instant('-24h'), limit: 500}), ['run.started', 'run.ended'], 500);
	const sleeps = new Resource(() => deviceLog(), ['device'], 500);
	return viewOf(identifier, [why, ends, runs, sleeps], () => {
		const {application: one, tasks, ...more} = why.value;
		const present = now();
		const part = run => ({from: ms(run.startedAt ?? run.submittedAt), to: run.endedAt ? ms(run.endedAt) : present, class: 'run ' + markOf(run)[1], text: `${run.identifier} ${run.outcome ?? run.state} ${absolute(run.submittedAt)}`});
		return page(name(identifier), applicationActions(one), one.name && h('p.muted', say(one.name)), stateDiagram(one), applicationFacts(one),
			section('Last 24 hours', lanes('Last 24 hours', present - DAY, present, [
				{label: 'Runs', parts: runs.value.map(part)},
				{label: 'Terminations', parts: ends.value.map(end => ({from: ms(end.at), to: ms(end.at), class: 'point', text: `${end.reason} ${absolute(end.at)}`}))},
				{label: 'Machine asleep', icon: 'moon', parts: conditionParts(sleeps.value, 'sleep', 'off', present).filter(one => one.label === 'on').map(one => ({...one, class: 'unknown'}))},
			])),
			section('What delays it', facts(fact('All work', say(more.summary)), fact('Fetch', say(more.fetch)), fact('Notifications', say(more.push)), fact('Transfers', say(more.transfers)))),
			section('Tasks', table('Tasks of the application', tasks, [taskColumn, col('Why', 'wide', task => say(task.summary)), timeColumn('Next', 'next')])),
			section('Terminations', table('Terminations', ends.value, [
				col('Reason', 'wide', end => [end.reason, end.code && h('small', mono(end.code))]), timeColumn('At', 'at'), col('Callback', 'word m', end => end.callback ?? '–'), col('Took', 'num m', end => span(end.took)),
				col('Assertions', 'wide l', end => (end.assertionCount ? [end.assertionCount, h('small', end.assertions.map(held => [say(held.name ?? `number ${held.id}`), ` ${span(held.age)} `]))] : '–')),
			], {key: end => ends.value.indexOf(end), none: 'The host has terminated none of its processes.'})),
			section('Runs', runTable('Runs of the application', runs.value, {sortBy: sort => { location.hash = '#/runs' + query({app: identifier, since: '-24h', sort}); }})));
	}, {countsDown: () => isGoingOn(run => run.application === identifier)});
}
