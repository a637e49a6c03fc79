// The shell: what surrounds every view.

import {byId, canvas, cloneOf, draw, h, icon, patchKids, setProperty} from './elements.js';
import {absolute, asClock, clean, keep, mono, ms, now, number, query, say, setZone, stored, when, zone} from './text.js';
import {dismiss, notes} from './notes.js';
import {session} from './host.js';
import {failures} from './words.js';
import {isBroken, stream} from './stream.js';
import {route, view} from './route.js';
import {FAILED_AT_MOST, failedLately, mayChange, state} from './state.js';
import {action, ask, perform} from './actions.js';
import {banner} from './parts.js';
import {endOf, pauseButton, pauseOf} from './pause.js';

let timer = null;

/** Draws the shell and the view in it. */
canvas.frame = () => {
	const focused = document.activeElement;
	drawShell();
	patchKids(byId('view'), session.problem ? notConnected() : view?.render());
	// A row that moved to another place lost it.
	if (focused !== document.activeElement && focused.isConnected) focused.focus({preventScroll: true});
	// Clocks on the page move by themselves, fast while a budget counts down. They ask the host for nothing.
	clearTimeout(timer);
	if (!document.hidden) timer = setTimeout(draw, view?.countsDown?.() || isBroken() ? 250 : 15000);
};

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw());

const THEMES = ['system', 'light', 'dark'];
const PHASES = {opening: 'opening', open: 'live', retrying: 'reconnecting', gone: 'no answer', hidden: 'paused'};
let theme = stored('theme', 'system');
let isMenuOpen = false;
export function closeMenu() {
	isMenuOpen = false;
}

function choose(what, value) {
	keep(what, value);
	if (what === 'zone') setZone(value);
	else theme = value;
	view?.again?.();
	draw();
}

function drawShell() {
	const host = state.host?.value;
	const left = Math.max(0, Math.ceil((stream.next - Date.now()) / 1000));
	const pause = pauseOf('host');
	const failed = failedLately();
	const held = [...state.runs.values()].filter(one => one.state === 'waiting').length;
	const [running, waiting] = [state.runs.size - held, host?.pending + held];
	const quarantined = state.applications?.value?.filter(one => ms(one.quarantinedUntil) > now()).length;
	const count = (href, n, word, level, more = '') => h('a.count', {href, class: n ? level : ''}, h('b', number(n) + more), ' ' + word);
	document.documentElement.dataset.theme = theme === 'system' ? (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light') : theme;
	document.body.classList.toggle('stale', isBroken());
	document.title = clean([view?.title, host?.name, 'taskhost'].filter(Boolean).join(' · '));

	patchKids(byId('header'), [
		h('a.brand', {href: '#/', label: 'taskhost'}, h('img', {src: '/icon.svg', alt: '', width: 24, height: 24}), h('strong', say(host?.name ?? 'taskhost'))),
		host && h('span.about', `${host.version} · ${host.tier} · ${host.profile}`),
		h('span.live', {class: stream.phase, title: stream.at && `as of ${asClock(stream.at)}`}, h('i.lamp'), PHASES[stream.phase], isBroken() && left > 0 && `, again in ${left} s`),
		host && h('div.counts', {role: 'group', label: 'Counts'},
			count('#/', running, 'running', 'good'),
			count('#/?show=waiting', waiting, 'waiting'),
			failed && count('#/runs' + query({outcome: failures(), since: '-24h'}), failed.length, 'failed in 24 h', 'bad', failed.length >= FAILED_AT_MOST ? '+' : ''),
			quarantined != null && count('#/apps?show=quarantined', quarantined, 'quarantined', 'warn')),
		h('div.tools',
			host && !pause && pauseButton('host'),
			h('button.quiet.more', {title: 'Time zone of all times', onclick: () => choose('zone', zone === 'utc' ? 'local' : 'utc')}, zone === 'utc' ? 'UTC' : 'Local time'),
			h('button.quiet.more', {title: 'Theme', onclick: () => choose('theme', THEMES[(THEMES.indexOf(theme) + 1) % 3])}, `Theme: ${theme}`),
			h('button.quiet', {label: 'Keys', title: 'Keys', onclick: showKeys}, '?'),
			h('button.quiet.menu', {'aria-expanded': String(isMenuOpen), 'aria-controls': 'nav', label: 'Views', onclick: () => { isMenuOpen = !isMenuOpen; draw(); }}, icon('menu'))),
	]);
	document.body.classList.toggle('open', isMenuOpen);
	for (const link of byId('nav').querySelectorAll('a')) setProperty(link, 'aria-current', link.hash === '#/' + route.parts[0] && 'page');
	setProperty(placeOf('fleet').parentElement, 'hidden', !host?.fleet);
	patchKids(byId('banners'), banners(host, pause));
	patchKids(byId('notes'), notes.map(drawNote));

	// Counters for those who listen: at most every 10 s.
	const text = host && `${running} running, ${waiting} waiting`;
	if (text && byId('spoken').textContent !== text && Date.now() - (drawShell.spoken ?? 0) > 10000) {
		drawShell.spoken = Date.now();
		byId('spoken').textContent = text;
	}
}

function banners(host, pause) {
	const overridden = Object.entries(state.device?.value?.conditions ?? {}).filter(([, one]) => one.overridden);
	return [
		isBroken() && !session.problem && banner('gone', 'bad', 'bang', h('span', stream.phase === 'gone' ? 'The host does not answer. ' : 'The connection broke. ', stream.at && `What you see is as of ${asClock(stream.at)}.`)),
		host?.clock === 'virtual' && banner('clock', '', 'clock', h('span', 'The clock of this host is virtual: ', absolute(host.time))),
		overridden.length > 0 && banner('device', 'warn', 'bolt', h('span', 'Overridden: ', overridden.map(([word, one]) => [h('a', {href: '#/device'}, mono(`${word}=${one.value}`)), ' '])),
			action('Reset', {method: 'DELETE', path: '/v1/device', done: 'The conditions are those of the machine again', undo: {
				method: 'PATCH', path: '/v1/device', body: Object.fromEntries(overridden.map(([word, one]) => [word, one.value])), done: 'Overridden again',
			}})),
		pause && banner('pause', 'warn', 'pause', h('span', 'All work is paused ', endOf(pause), ' · since ', when(pause.since)), pauseButton('host')),
		host && !mayChange() && banner('reader', '', 'lock', h('span', 'You may look at everything and change nothing.')),
	];
}

const notConnected = () => h('div.empty', {key: 'session'}, h('h1', 'This page is not connected'), h('p', say(session.problem.message)),
	h('p.muted', 'A link opens one tab, once. Run ', h('code', 'taskhost ui'), ' for another one.'));

const drawNote = one => h('div.note', {key: one.key, class: one.isBad ? 'bad' : ''}, h('span', say(one.text)), one.link && h('a', {href: one.link}, 'Show'),
	one.undo && h('button.quiet', {onclick: () => { dismiss(one); perform(one.undo); }}, one.undo.label ?? 'Undo'),
	h('button.quiet', {label: 'Dismiss', onclick: () => dismiss(one)}, icon('cross')));

const showKeys = () => ask('Keys', h('div', {node: cloneOf('keys')}));

const placeOf = name => byId('nav').querySelector(`a[href="#/${name}"]`);
const PLACES = {n: '', t: 'tasks', c: 'calendar', h: 'runs', u: 'usage', w: 'changes', a: 'apps', x: 'transfers', f: 'fleet', d: 'device', j: 'journal', m: 'manifests'};
let isGoing = false;
document.addEventListener('keydown', event => {
	const key = event.key;
	if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, dialog')) return;
	if (isGoing) {
		if (key in PLACES && !placeOf(PLACES[key]).parentElement.hidden) location.hash = '#/' + PLACES[key];
		isGoing = false;
	} else if (key === 'g') isGoing = true;
	else if (key === '?') showKeys();
	else if (key === '/') {
		event.preventDefault();
		const field = document.querySelector('main [type=search]');
		if (field) field.focus();
		else location.hash = '#/runs';
	} else if (key === 'j' || key === 'k') {
		const rows = [...document.querySelectorAll('main [data-row]')];
		const here = rows.indexOf(document.activeElement.closest('[data-row]'));
		const row = rows[Math.max(0, Math.min(rows.length - 1, here + (key === 'j' ? 1 : -1)))];
		row?.querySelector('a')?.focus();
		row?.scrollIntoView({block: 'nearest'});
	}
});
