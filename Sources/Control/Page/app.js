// The page of taskhost: modules without dependencies. They talk to the control API, through `taskhost ui` alone.
// Fixed markup (navigation, forms, outlines of icons) is in index.html.

import {byId, create, draw, icon} from './scripts/elements.js';
import {path, query} from './scripts/text.js';
import {openSession, session} from './scripts/host.js';
import {readWords} from './scripts/words.js';
import {stream} from './scripts/stream.js';
import {enter, route, view} from './scripts/route.js';
import {state} from './scripts/state.js';
import {notFoundView} from './scripts/parts.js';
import {closeMenu} from './scripts/shell.js';
import {nowView} from './scripts/now.js';
import {tasksView, taskView} from './scripts/tasks.js';
import {historyView} from './scripts/history.js';
import {runView} from './scripts/run.js';
import {calendarView} from './scripts/calendar.js';
import {applicationsView, applicationView} from './scripts/applications.js';
import {transfersView} from './scripts/transfers.js';
import {fleetView} from './scripts/fleet.js';
import {deviceView} from './scripts/device.js';
import {journalView} from './scripts/journal.js';
import {manifestsView, manifestView} from './scripts/manifests.js';
import {usageView} from './scripts/usage.js';
import {changesView} from './scripts/changes.js';

function navigate() {
	if (location.hash === '#main') {
		history.replaceState(null, '', path(...route.parts) + query(route.query));
		byId('main').focus();
		return;
	}
	const isFirst = !view;
	const [where, parameters] = location.hash.replace(/^#\/?/, '').split('?');
	const next = {parts: where.split('/').map(part => { try { return decodeURIComponent(part); } catch { return part; } }), query: Object.fromEntries(new URLSearchParams(parameters))};
	closeMenu();
	const [first, second] = next.parts;
	const views = second ? DETAILS : VIEWS;
	enter(next, Object.hasOwn(views, first) ? views[first] : notFoundView);
	byId('view').replaceChildren();
	scrollTo(0, 0);
	if (!isFirst) byId('main').focus({preventScroll: true});
	draw();
}

const VIEWS = {'': nowView, tasks: tasksView, calendar: calendarView, runs: historyView, usage: usageView, changes: changesView, apps: applicationsView, transfers: transfersView, fleet: fleetView, device: deviceView, journal: journalView, manifests: manifestsView};
const DETAILS = {tasks: taskView, runs: runView, apps: applicationView, manifests: manifestView};

for (const link of byId('nav').querySelectorAll('a')) link.prepend(create(icon(link.dataset.icon)));
// Another link in this tab is another session.
addEventListener('hashchange', () => (location.hash.startsWith('#token=') ? location.reload() : view && navigate()));
try {
	await openSession();
	state.start();
	await readWords().catch(() => {});
	navigate();
	if (document.hidden) stream.set('hidden');
	else stream.open();
} catch (problem) {
	session.problem = problem;
	stream.set('gone');
}
