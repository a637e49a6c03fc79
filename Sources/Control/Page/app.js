// The page of taskhost: one module without dependencies. It talks to the control API, through `taskhost ui` alone.
//
// Elements, text, the host, state, the shell, parts, and the views, in this order. Fixed markup (navigation, forms, outlines of icons) is in index.html.

// 1 Elements

const SVG = 'http://www.w3.org/2000/svg';
const byId = id => document.getElementById(id);
/** Markup of a template in index.html. */
const cloneOf = id => byId(id).content.firstElementChild.cloneNode(true);
const isShown = kid => kid != null && kid !== false && kid !== '';

/** A node of the virtual tree: `h('p.muted', {title}, …children)`; the properties may be left out. */
function h(selector, props, ...kids) {
	if (typeof props !== 'object' || props === null || Array.isArray(props) || props.tag) [props, kids] = [{}, [props, ...kids]];
	const [tag, ...classes] = selector.split('.');
	if (classes.length) props = {...props, class: [...classes, props.class].filter(Boolean).join(' ')};
	return {tag, props, kids: kids.flat(Infinity).filter(isShown)};
}

function create(v) {
	if (typeof v !== 'object') return document.createTextNode(v);
	if (v.props.node) return v.props.node;
	const node = v.tag === 'svg' || v.tag === 'use' ? document.createElementNS(SVG, v.tag) : document.createElement(v.tag);
	node.key = v.props.key;
	patch(node, v);
	return node;
}

function fits(node, v) {
	if (typeof v !== 'object') return node.nodeType === Node.TEXT_NODE;
	if (v.props.node) return node === v.props.node;
	return node.localName === v.tag && node.key === v.props.key && node.known;
}

/** Makes a node look like its description. */
function patch(node, v) {
	if (typeof v !== 'object') {
		if (node.data !== String(v)) node.data = v;
	} else if (!v.props.node) {
		const known = node.known ?? {};
		for (const name in known) if (!(name in v.props)) setProperty(node, name, null);
		for (const name in v.props) if (known[name] !== v.props[name] || name === 'value') setProperty(node, name, v.props[name]);
		node.known = v.props;
		patchKids(node, v.kids);
	}
}

function setProperty(node, name, value) {
	if (name === 'key') return;
	if (name === 'label') name = 'aria-label';
	if (name.startsWith('on') || name === 'checked' || name === 'selected') node[name] = value;
	else if (name === 'style') for (const key in value ?? {}) node.style.setProperty(key, value[key]);
	else if (name === 'value') {
		// What somebody is typing stays.
		if (value !== null && node.value !== value && node !== document.activeElement) node.value = value;
	} else if (value !== false && value != null) node.setAttribute(name, value === true ? '' : value);
	else node.removeAttribute(name);
}

/** Keyed children keep their nodes, in any order; the others are matched by their place. */
function patchKids(node, kids) {
	kids = [kids].flat(Infinity).filter(isShown);
	const wanted = new Set(kids.map(kid => kid.props?.key));
	const keyed = new Map();
	for (const child of [...node.childNodes]) {
		if (child.key === undefined) continue;
		if (wanted.has(child.key)) keyed.set(child.key, child);
		else child.remove();
	}
	let at = node.firstChild;
	for (const v of kids) {
		const key = v.props?.key;
		const child = v.props?.node ?? (key !== undefined ? keyed.get(key) : at?.key === undefined ? at : null);
		if (child && fits(child, v)) {
			if (child === at) at = at.nextSibling;
			else node.insertBefore(child, at);
			patch(child, v);
		} else node.insertBefore(create(v), at);
	}
	while (at) {
		const next = at.nextSibling;
		at.remove();
		at = next;
	}
}

const icon = (name, more) => h('svg.icon', {class: more, viewBox: '0 0 16 16', 'aria-hidden': 'true'}, h('use', {href: '#' + name}));

// 2 Text

/** Text without what could reorder or hide its neighbors: marks of direction and control characters become visible. */
const clean = text => String(text ?? '').replace(/[\0-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u180e\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\u{e0000}-\u{e007f}]/gu, mark => {
	const code = mark.codePointAt(0);
	return code < 32 ? String.fromCharCode(0x2400 + code) : `⟨U+${code.toString(16).toUpperCase().padStart(4, '0')}⟩`;
});

/** Text that a manifest, a handler or a user chose. */
const say = text => h('bdi', clean(text));
/** The same for an identifier, a path or output. */
const mono = text => h('bdi.mono', clean(text));

const number = n => Math.round(n).toLocaleString('en-US');
const plural = (n, word) => `${number(n)} ${word}${n === 1 ? '' : 's'}`;

function bytes(n) {
	if (n == null) return '–';
	let unit = 0;
	for (; n >= 1024 && unit < 4; unit++) n /= 1024;
	return `${Math.floor(n * 10) / 10} ${['B', 'KiB', 'MiB', 'GiB', 'TiB'][unit]}`;
}

/** A duration in seconds, as the command line writes it: `776 ms`, `18.2 s`, `4 m 5 s`, `1 h 10 m`, `2 d 3 h`. */
function span(s) {
	if (s == null) return '–';
	const figures = n => Math.floor(n * (n < 10 ? 100 : n < 100 ? 10 : 1) + 1e-6) / (n < 10 ? 100 : n < 100 ? 10 : 1);
	if (s < 1) return s < 0.001 ? `${figures(s * 1e6)} ${s ? 'us' : 's'}` : `${figures(s * 1000)} ms`;
	if (s < 60) return `${figures(s)} s`;
	const [big, small, a, b] = s < 3600 ? [60, 1, 'm', 's'] : s < 86400 ? [3600, 60, 'h', 'm'] : [86400, 3600, 'd', 'h'];
	const rest = Math.floor((s % big) / small);
	return `${Math.floor(s / big)} ${a}${rest ? ` ${rest} ${b}` : ''}`;
}
/** One that moves: tenths of a second are as much as an eye follows. */
const moving = s => span(Math.floor(s * 10) / 10);

let zone = stored('zone', 'local');
const formats = new Map();
function inZone(time, options) {
	const key = zone + JSON.stringify(options);
	// Swedish dates are those of ISO 8601.
	if (!formats.has(key)) formats.set(key, new Intl.DateTimeFormat('sv-SE', {...options, ...(zone === 'utc' && {timeZone: 'UTC'})}));
	return formats.get(key).format(new Date(time));
}
const asDate = time => inZone(time, {dateStyle: 'short'});
const asClock = (time, timeStyle = 'medium') => inZone(time, {timeStyle});
const absolute = time => `${asDate(time)} ${asClock(time)}${zone === 'utc' ? ' UTC' : ''}`;

const ms = Date.parse;

/** The host's present in milliseconds: the browser's clock may be another machine's. */
const now = () => (state.host.value?.clock === 'virtual' ? ms(state.host.value.time) : Date.now() + state.skew);
const DAY = 864e5;

function relative(time) {
	const distance = (ms(time) - now()) / 1000;
	const s = Math.abs(distance);
	if (s >= 86400) return `${asDate(time)} ${asClock(time, 'short')}`;
	const text = s < 59.5 ? `${Math.round(s)} s` : s < 3570 ? `${Math.round(s / 60)} min` : `${Math.round(s / 3600)} h`;
	return s < 1 ? 'now' : distance > 0 ? `in ${text}` : `${text} ago`;
}

/** A time as people say it, with the exact one behind it. */
const when = (time, none = '–') => (time ? h('time', {datetime: time, title: absolute(time)}, relative(time)) : none);

/** `-24h`, `-15m`, `-7d`, a date or a time, as ISO 8601; undefined when it is none of them. */
function instant(text) {
	const back = /^-?(\d+)([smhd])$/.exec(text);
	if (back) return new Date(now() - back[1] * {s: 1e3, m: 6e4, h: 36e5, d: DAY}[back[2]]).toISOString();
	// Without an offset it is meant in the chosen zone; a date alone would be taken for UTC.
	const isNaive = /^\d{4}-\d\d-\d\d(T[\d:.]+)?$/.test(text);
	const time = new Date(isNaive ? `${text}${text.includes('T') ? '' : 'T00:00'}${zone === 'utc' ? 'Z' : ''}` : text);
	return Number.isNaN(+time) ? undefined : time.toISOString();
}

/** Choices of this browser. Where it keeps none, they hold for the visit. */
function stored(key, otherwise) {
	try {
		return localStorage.getItem('taskhost.' + key) ?? otherwise;
	} catch {
		return otherwise;
	}
}
function keep(key, value) {
	try {
		localStorage.setItem('taskhost.' + key, value);
	} catch { /* as above */ }
}

/** An identifier; its last part tells tasks apart and stands out. */
function name(identifier) {
	const parts = clean(identifier).split('.');
	return h('bdi.name', {title: clean(identifier)}, parts.slice(0, -1).map(part => [h('span.stem', part + '.'), h('wbr')]), h('span.last', parts.at(-1)));
}
const path = (...parts) => '#/' + parts.map(encodeURIComponent).join('/');
const query = parameters => {
	const text = new URLSearchParams(Object.entries(parameters).filter(([, value]) => isShown(value))).toString();
	return text && '?' + text;
};
const taskLink = id => h('a', {href: path('tasks', id)}, name(id));
const appLink = (id, text) => h('a', {href: path('apps', id)}, text ? say(text) : name(id));
const runLink = (run, text) => h('a', {href: path('runs', run)}, text ?? mono(run.slice(0, 8)));

// 3 The host

/** A refusal, with the sentence of its problem document. */
class Problem extends Error {
	constructor(status, detail) {
		super(detail);
		this.status = status;
	}
}

async function problemOf(answer) {
	const problem = await answer.json().catch(() => ({}));
	const errors = (problem.errors ?? []).map(one => `${one.path}: found ${one.found}; expected ${one.expected}`);
	return new Problem(answer.status, [problem.detail ?? problem.title ?? `status ${answer.status}`, ...errors].join(' · '));
}

const session = {key: null, readOnly: false, problem: null};

/** Exchanges the link's token for a key, or takes the key that this tab already has. */
async function openSession() {
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
async function api(path, {method = 'GET', body, signal, headers, as = 'json'} = {}) {
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
			stream.close('gone');
		}
		throw problem;
	}
	return as === 'stream' ? answer.body.getReader() : answer[as]();
}
/** Rows of the record that cannot be read, and what is wrong with its pages: each is said once. */
const unreadable = new Set();
async function get(path, parameters = {}) {
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
const listed = async (key, path, parameters) => (await get(path, parameters))[key];
const runsOf = parameters => listed('runs', '/v1/runs', parameters);

/** The stream of events. `phase`: opening, open, retrying (it broke), gone (the host does not answer), hidden. */
const stream = {
	phase: 'opening', last: null, at: null, next: 0, tries: 0,

	async open() {
		this.close();
		const {signal} = (this.abort = new AbortController());
		try {
			const reader = await api('/v1/events?usage=true', {as: 'stream', signal, headers: this.last ? {'Last-Event-ID': this.last} : {}});
			const wasGone = this.tries > 0 || !this.last;
			this.tries = 0;
			this.at = Date.now();
			this.set('open');
			// The state is read once the stream is open, so that no change falls between the two.
			if (wasGone) state.reload();
			await this.read(reader);
			throw new Problem(0, 'the stream ended');
		} catch (problem) {
			if (signal.aborted || session.problem) return;
			this.tries += 1;
			// The first try to come back is at once: the host may just have been restarted.
			const pause = this.tries === 1 && problem.status === 0 ? 50 : Math.min(500 * 2 ** this.tries, 5000);
			this.next = Date.now() + pause;
			this.set(problem.status === 502 || this.tries > 1 ? 'gone' : 'retrying');
			this.timer = setTimeout(() => this.open(), pause);
		}
	},

	/** Server-sent events, as far as the host uses them: `id`, `event` and one line of `data`. */
	async read(reader) {
		const decoder = new TextDecoder();
		let rest = '';
		for (;;) {
			const {done, value} = await reader.read();
			if (done) return;
			this.at = Date.now();
			const blocks = (rest + decoder.decode(value, {stream: true})).split('\n\n');
			rest = blocks.pop();
			for (const block of blocks) {
				const event = {};
				for (const line of block.split('\n')) {
					const colon = line.indexOf(':');
					if (colon > 0) event[line.slice(0, colon)] = line.slice(colon + 1).trimStart();
				}
				if (event.id) this.last = event.id;
				if (event.data) state.happened(event.event, JSON.parse(event.data));
			}
		}
	},

	close(phase) {
		clearTimeout(this.timer);
		this.abort?.abort();
		if (phase) this.set(phase);
	},

	set(phase) {
		this.phase = phase;
		draw();
	},
};

matchMedia('(prefers-color-scheme: dark)').addEventListener('change', () => draw());

// A hidden tab costs the host nothing. What it missed comes when somebody looks at it again.
document.addEventListener('visibilitychange', () => {
	if (!session.key || session.problem) return;
	if (document.hidden) stream.close('hidden');
	else stream.open();
});

// 4 State

/** A document that is read again when events say that it changed: at once, and then no faster than it can be read. */
class Resource {
	constructor(read, on = [], gap = 100) {
		Object.assign(this, {read, on: new Set(on), gap, value: null, problem: null, ready: 0});
		state.resources.add(this);
	}

	async reload() {
		clearTimeout(this.timer);
		this.timer = null;
		if (this.isBusy) {
			this.again = true;
			return;
		}
		this.isBusy = true;
		const began = performance.now();
		try {
			this.value = await this.read();
			this.problem = null;
		} catch (problem) {
			this.problem = problem;
		}
		this.isBusy = false;
		this.ready = performance.now() + this.gap + 3 * (performance.now() - began);
		draw();
		if (this.again) {
			this.again = false;
			this.soon();
		}
	}

	soon() {
		if (this.isBusy) this.again = true;
		else this.timer ??= setTimeout(() => this.reload(), Math.max(20, this.ready - performance.now()));
	}

	close() {
		clearTimeout(this.timer);
		state.resources.delete(this);
	}
}

// What starts a task's `onFailure`, too.
const FAILURES = ['failed', 'expired', 'overran', 'exceededCPU', 'exceededMemory', 'exceededDisk', 'crashed', 'exited', 'unreported', 'refused'];
const OUTCOMES = ['succeeded', ...FAILURES, 'deferred', 'interrupted', 'cancelled'];
const KINDS = ['appRefresh', 'processing', 'continuedProcessing', 'healthResearch', 'backgroundFetch', 'remoteNotification'];
const ON_REQUESTS = ['request.submitted', 'request.replaced', 'request.cancelled', 'request.skipped', 'run.started', 'run.ended'];
// Whatever can change what a request waits for.
const ON_WAITS = ['device', 'journal', 'application.state', ...ON_REQUESTS];
const FAILED_AT_MOST = 500;

/** What is known of a run with what was read of it: an event may have overtaken the reply. */
const newer = (known, read) => ((known?.startedAt && !read.startedAt) || (known?.expiredAt && !read.expiredAt) ? {...read, ...known} : {...known, ...read});

const state = {
	resources: new Set(), skew: 0,
	/** Runs in progress by id, and those that began or ended while they were read. */
	runs: new Map(), moved: new Set(),

	start() {
		this.host = new Resource(async () => {
			const asked = Date.now();
			const host = await get('/v1/host');
			this.skew = ms(host.time) - (asked + Date.now()) / 2;
			return host;
		}, ['run.submitted', 'transfer.added', 'transfer.ended', ...ON_REQUESTS], 400);
		this.device = new Resource(() => get('/v1/device'));
		this.pauses = new Resource(() => listed('pauses', '/v1/pauses'), ['journal']);
		this.failed = new Resource(() => runsOf({outcome: FAILURES, since: instant('-24h'), limit: FAILED_AT_MOST}));
		this.applications = new Resource(() => listed('applications', '/v1/applications'), ['journal', 'application.state', 'application.terminated', 'run.ended'], 300);
		this.present = new Resource(() => this.readRuns());
	},

	reload() {
		for (const resource of this.resources) resource.reload();
		view?.again?.();
	},

	async readRuns() {
		this.moved = new Set();
		const found = await listed('runs', '/v1/active');
		const progress = await listed('runs', '/v1/progress');
		const present = new Map();
		for (const run of found) present.set(run.run, newer(this.runs.get(run.run), run));
		for (const id of this.moved) {
			if (this.runs.has(id)) present.set(id, this.runs.get(id));
			else present.delete(id);
		}
		for (const one of progress) if (present.has(one.run)) present.get(one.run).progress = one;
		this.runs = present;
		for (const run of [...present.values()].slice(0, 20)) this.readLastLine(run);
		return found;
	},

	async readLastLine(run) {
		let offset = 0, line;
		// The end of a long log is far from its beginning.
		for (let turn = 0; turn < 10 && run.line == null; turn++) {
			const part = await get(idPath('runs', run.run, 'log'), {offset}).catch(() => ({lines: []}));
			line = turn === 9 ? '…' : part.lines.at(-1)?.text ?? line;
			if (turn === 9 || part.next == null || !part.lines.length) run.line ??= line ?? '';
			offset = part.next;
		}
		draw();
	},

	/** The rest of a run that an event announced, unless it ends soon. */
	complete(id) {
		setTimeout(async () => {
			if (!this.runs.has(id) || this.runs.size > 100) return;
			const run = await get('/v1/runs/' + id).catch(() => null);
			if (run && this.runs.has(id)) this.runs.set(id, newer(this.runs.get(id), run));
			draw();
		}, 150);
	},

	happened(event, data) {
		const run = this.runs.get(data.run);
		if (this.present.isBusy && /^run\.(submitted|started|ended)$/.test(event)) this.moved.add(data.run);
		const changes = {
			'events.lost': () => { this.reload(); },
			// What is being read may be older than this.
			device: () => { this.device.value = data; if (this.device.isBusy) this.device.again = true; },
			'run.submitted': () => {
				this.runs.set(data.run, {state: 'waiting', submittedAt: data.at, startedAt: null, outcome: null, ...data});
				this.complete(data.run);
			},
			'run.started': () => {
				this.runs.set(data.run, {submittedAt: data.at, outcome: null, ...run, ...data, startedAt: data.at, state: 'running'});
				if (!run) this.complete(data.run);
			},
			'run.expired': () => ({state: 'expiring', reason: data.reason, expiredAt: data.at, endsAt: data.endsAt}),
			'run.usage': () => ({usage: data, warnsAt: data.warnsAt, endsAt: data.endsAt}),
			'run.progress': () => ({progress: data}),
			'run.output': () => ({line: data.text.trimEnd().split('\n').at(-1)}),
			'run.waiting': () => ({waitsFor: data.waitsFor}),
			'run.ended': () => {
				this.runs.delete(data.run);
				const failed = this.failed.value;
				if (failed && FAILURES.includes(data.outcome) && !failed.some(one => one.run === data.run)) this.failed.value = [data, ...failed].slice(0, FAILED_AT_MOST);
			},
			// Its runs stand still with it.
			'application.state': () => this.runs.forEach(one => one.application === data.application && this.complete(one.run)),
		};
		const change = changes[event]?.();
		if (run && change) Object.assign(run, change);
		for (const resource of this.resources) if (resource.on.has(event)) resource.soon();
		view?.event?.(event, data);
		draw();
	},
};

/** Time passes, and no event says that one is a day old. */
const failedLately = () => state.failed?.value?.filter(one => ms(one.submittedAt) > now() - DAY);
const mayChange = () => !session.readOnly && state.host?.value?.mayChange !== false;
const isLive = () => stream.phase === 'open';

// 5 Shell

let view = null;
let route = {parts: [''], query: {}};
let isDrawing = false;

/** Draws everything before the next frame. */
function draw() {
	if (isDrawing) return;
	isDrawing = true;
	requestAnimationFrame(() => {
		isDrawing = false;
		drawShell();
		const focused = document.activeElement;
		patchKids(byId('view'), session.problem ? notConnected() : view?.render());
		// A row that moved to another place lost it.
		if (focused !== document.activeElement && focused.isConnected) focused.focus({preventScroll: true});
		// Clocks on the page move by themselves, fast while a budget counts down. They ask the host for nothing.
		clearTimeout(draw.timer);
		if (!document.hidden) draw.timer = setTimeout(draw, view?.countsDown?.() || isBroken() ? 250 : 15000);
	});
}

function navigate() {
	if (location.hash === '#main') {
		history.replaceState(null, '', path(...route.parts) + query(route.query));
		byId('main').focus();
		return;
	}
	const isFirst = !view;
	view?.close?.();
	const [where, parameters] = location.hash.replace(/^#\/?/, '').split('?');
	route = {parts: where.split('/').map(part => { try { return decodeURIComponent(part); } catch { return part; } }), query: Object.fromEntries(new URLSearchParams(parameters))};
	isMenuOpen = false;
	shown.clear();
	const [first, second] = route.parts;
	const views = second ? DETAILS : VIEWS;
	view = (Object.hasOwn(views, first) ? views[first] : notFoundView)(second);
	byId('view').replaceChildren();
	scrollTo(0, 0);
	if (!isFirst) byId('main').focus({preventScroll: true});
	draw();
}

/** Changes the parameters of the route without a new entry in the history. */
function setQuery(changes) {
	route.query = Object.fromEntries(Object.entries({...route.query, ...changes}).filter(([, value]) => isShown(value) && value !== 0));
	history.replaceState(null, '', path(...route.parts) + query(route.query));
	draw();
}

const THEMES = ['system', 'light', 'dark'];
const PHASES = {opening: 'opening', open: 'live', retrying: 'reconnecting', gone: 'no answer', hidden: 'paused'};
let theme = stored('theme', 'system');
let isMenuOpen = false;
const isBroken = () => stream.phase === 'gone' || stream.phase === 'retrying';

function choose(what, value) {
	keep(what, value);
	if (what === 'zone') zone = value;
	else theme = value;
	view?.again?.();
	draw();
}

function drawShell() {
	const host = state.host?.value;
	const left = Math.max(0, Math.ceil((stream.next - Date.now()) / 1000));
	const pause = state.pauses?.value?.find(one => one.of === 'host');
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
			failed && count('#/runs' + query({outcome: FAILURES, since: '-24h'}), failed.length, 'failed in 24 h', 'bad', failed.length >= FAILED_AT_MOST ? '+' : ''),
			quarantined != null && count('#/apps?show=quarantined', quarantined, 'quarantined', 'warn')),
		h('div.tools',
			host && !pause && action('Pause all', {icon: 'pause', title: 'Start nothing more by itself; runs in progress go on', path: '/v1/pause', body: {}, done: 'All work is paused', undo: resumeAll}),
			h('button.quiet.more', {title: 'Time zone of all times', onclick: () => choose('zone', zone === 'utc' ? 'local' : 'utc')}, zone === 'utc' ? 'UTC' : 'Local time'),
			h('button.quiet.more', {title: 'Theme', onclick: () => choose('theme', THEMES[(THEMES.indexOf(theme) + 1) % 3])}, `Theme: ${theme}`),
			h('button.quiet', {label: 'Keys', title: 'Keys', onclick: showKeys}, '?'),
			h('button.quiet.menu', {'aria-expanded': String(isMenuOpen), 'aria-controls': 'nav', label: 'Views', onclick: () => { isMenuOpen = !isMenuOpen; draw(); }}, icon('menu'))),
	]);
	document.body.classList.toggle('open', isMenuOpen);
	for (const link of byId('nav').querySelectorAll('a')) setProperty(link, 'aria-current', link.hash === '#/' + route.parts[0] && 'page');
	patchKids(byId('banners'), banners(host, pause));
	patchKids(byId('notes'), notes.map(drawNote));

	// Counters for those who listen: at most every 10 s.
	const text = host && `${running} running, ${waiting} waiting`;
	if (text && byId('spoken').textContent !== text && Date.now() - (drawShell.spoken ?? 0) > 10000) {
		drawShell.spoken = Date.now();
		byId('spoken').textContent = text;
	}
}

const resumeAll = {label: 'Resume', path: '/v1/resume', body: {}, done: 'Work is resumed'};
const banner = (key, level, shape, ...content) => h('div.banner', {key, class: level, role: level === 'bad' ? 'alert' : null}, icon(shape), content);

function banners(host, pause) {
	const overridden = Object.entries(state.device?.value?.conditions ?? {}).filter(([, one]) => one.overridden);
	return [
		isBroken() && !session.problem && banner('gone', 'bad', 'bang', h('span', stream.phase === 'gone' ? 'The host does not answer. ' : 'The connection broke. ', stream.at && `What you see is as of ${asClock(stream.at)}.`)),
		host?.clock === 'virtual' && banner('clock', '', 'clock', h('span', 'The clock of this host is virtual: ', absolute(host.time))),
		overridden.length > 0 && banner('device', 'warn', 'bolt', h('span', 'Overridden: ', overridden.map(([word, one]) => [h('a', {href: '#/device'}, mono(`${word}=${one.value}`)), ' '])),
			action('Reset', {method: 'DELETE', path: '/v1/device', done: 'The conditions are those of the machine again', undo: {
				method: 'PATCH', path: '/v1/device', body: Object.fromEntries(overridden.map(([word, one]) => [word, one.value])), done: 'Overridden again',
			}})),
		pause && banner('pause', 'warn', 'pause', h('span', 'All work is paused since ', when(pause.since), pause.until && [', until ', when(pause.until)]), action('Resume', resumeAll)),
		host && !mayChange() && banner('reader', '', 'lock', h('span', 'You may look at everything and change nothing.')),
	];
}

const notConnected = () => h('div.empty', {key: 'session'}, h('h1', 'This page is not connected'), h('p', say(session.problem.message)),
	h('p.muted', 'A link opens one tab, once. Run ', h('code', 'taskhost ui'), ' for another one.'));

/** What was done, with a way back. Refusals stay until they are dismissed. */
const notes = [];
function note(text, more) {
	const one = {key: (note.number = (note.number ?? 0) + 1), text, ...more};
	notes.push(one);
	if (notes.length > 4) notes.shift();
	if (!one.isBad) setTimeout(dismiss, 15000, one);
	draw();
}
function dismiss(one) {
	if (notes.includes(one)) notes.splice(notes.indexOf(one), 1);
	draw();
}
const drawNote = one => h('div.note', {key: one.key, class: one.isBad ? 'bad' : ''}, h('span', say(one.text)), one.link && h('a', {href: one.link}, 'Show'),
	one.undo && h('button.quiet', {onclick: () => { dismiss(one); perform(one.undo); }}, one.undo.label ?? 'Undo'),
	h('button.quiet', {label: 'Dismiss', onclick: () => dismiss(one)}, icon('cross')));

/** Asks in a dialog: true when the answer is yes. */
function ask(title, content, yes) {
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
const showKeys = () => ask('Keys', h('div', {node: cloneOf('keys')}));

const PLACES = {n: '', t: 'tasks', c: 'calendar', h: 'runs', a: 'apps', x: 'transfers', d: 'device', j: 'journal', m: 'manifests'};
let isGoing = false;
document.addEventListener('keydown', event => {
	const key = event.key;
	if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('input, textarea, select, dialog')) return;
	if (isGoing) {
		if (key in PLACES) location.hash = '#/' + PLACES[key];
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

// 6 Parts

const refusal = problem => note(problem.message, {isBad: true});

/** Does what a button says, and tells what happened. */
async function perform({method = 'POST', path, body, done, undo, after, link}) {
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
const button = (label, onclick, more) => h('button', {onclick, ...more}, label);

/** A button that changes something: absent for readers, disabled while the host does not answer. */
function action(label, act) {
	if (!mayChange()) return null;
	return h('button.act', {
		type: 'button', class: act.class, disabled: !isLive(), title: act.title, label: act.name && `${label}: ${clean(act.name)}`,
		onclick: async () => (!act.confirm || (await ask(`${label}?`, h('p', act.confirm), label))) && perform(act),
	}, act.icon && icon(act.icon), label);
}

const idPath = (list, id, verb) => `/v1/${list}/${encodeURIComponent(id)}${verb ? '/' + verb : ''}`;
function started(answer) {
	const waits = answer.runs.find(one => one.waitsFor)?.waitsFor;
	return waits ? `Started; it waits for ${waits}` : `Started ${answer.runs[0].identifier}`;
}
const running = (identifier, more) => ({name: identifier, path: '/v1/runs', body: {identifiers: [identifier], ...more}, done: started, link: answer => path('runs', answer.runs[0].run)});
const runNow = (id, more) => action('Run now', {icon: 'play', ...running(id), class: more});
const retrying = run => ({name: run.identifier, path: idPath('runs', run.run, 'retry'), done: `Requested ${run.identifier} again`, undo: {method: 'DELETE', path: idPath('requests', run.identifier), done: 'Cancelled the request'}});
const cancelling = run => ({name: run.identifier, path: idPath('runs', run.run, 'cancel'), done: `Cancelled ${run.identifier}: it is warned`});
const expire = run => action('Expire', {name: run.identifier, title: 'Warn it as if its time were over', path: '/v1/simulate/expiration', body: {identifier: run.identifier}, done: `Expired ${run.identifier}`});
const pausing = (identifier, of) => ({path: '/v1/pause', body: {identifier, of}, done: `Paused ${identifier}`, undo: resuming(identifier, of)});
const resuming = (identifier, of) => ({label: 'Resume', path: '/v1/resume', body: {identifier, of}, done: `Resumed ${identifier}`});

/** Cancels a request, or leaves out the next time of a schedule. */
function drop(request) {
	const {identifier, earliestBeginDate, requiresExternalPower, requiresNetworkConnectivity} = request;
	if (request.origin === 'schedule') return action('Skip', {name: identifier, title: 'Leave out the next time of its schedule', path: idPath('tasks', identifier, 'skip'), done: answer => `Skipped ${absolute(answer.leftOut)} of ${identifier}`});
	return action('Cancel', {
		name: identifier, method: 'DELETE', path: idPath('requests', identifier), done: `Cancelled the request of ${identifier}`,
		// The payload of the former request is gone.
		undo: {label: request.payload ? 'Submit again, without payload' : 'Undo', path: '/v1/requests', body: {identifier, earliestBeginDate, requiresExternalPower, requiresNetworkConnectivity}, done: `Submitted ${identifier} again`},
	});
}

const MARKS = {
	succeeded: ['check', 'good'], expired: ['bang', 'warn'], deferred: ['clock', 'calm'], interrupted: ['dash', 'calm'], cancelled: ['dash', 'calm'],
	overran: ['triangle', 'bad'], exceededCPU: ['triangle', 'bad'], exceededMemory: ['triangle', 'bad'], exceededDisk: ['triangle', 'bad'],
};
const markOf = run => (run.outcome ? MARKS[run.outcome] ?? ['cross', 'bad'] : ['ring', 'info']);
const badge = (shape, level, word, more) => h('span.outcome', {class: level}, icon(shape), h('span', word), more && h('small', more));
/** An outcome: shape, color and word. */
const outcome = run => badge(...markOf(run), run.outcome ?? run.state, run.reason);
/** Outcomes as a row of marks, oldest first; each leads to its run. */
const marks = runs => h('span.marks', [...runs].reverse().map(run => {
	const text = `${run.outcome ?? run.state}, ${relative(run.endedAt ?? run.startedAt ?? run.submittedAt)}`;
	return h('a.mark', {key: run.run, href: path('runs', run.run), class: markOf(run)[1], title: text, label: text}, icon(markOf(run)[0]));
}));

/** A column. Of `kind`: `wide`, `word`, `time`, `num`, `acts`; with ` m` or ` l` it is left out where the screen is too narrow. */
const key = one => (typeof one === 'string' ? row => row[one] : one);
const col = (title, kind, cell, sort = typeof cell === 'string' && cell) => ({title, kind, cell: key(cell), sort: key(sort)});

const taskColumn = col('Task', 'wide', one => taskLink(one.identifier), 'identifier');
const timeColumn = (title, key, kind = 'time') => col(title, kind, one => when(one[key]), key);

/** How many rows of a table are on the page, by its caption. */
const shown = new Map();

/** A table that sorts by the URL's `sort`; long ones show more on request. */
function table(caption, rows, columns, {key = row => row.identifier, none = 'Nothing here.', rowClass} = {}) {
	if (!rows.length) return h('p.none', none);
	columns = columns.filter(Boolean);
	const isDown = route.query.sort?.startsWith('-');
	const by = columns.find(one => one.sort && one.title === route.query.sort?.replace(/^-/, ''));
	if (by) {
		const compare = (a, b) => (a == null ? 1 : b == null ? -1 : a === b ? 0 : (a < b) === !isDown ? -1 : 1);
		rows = rows.map(row => [by.sort(row), row]).sort((a, b) => compare(a[0], b[0])).map(pair => pair[1]);
	}
	const most = shown.get(caption) ?? 100;
	return [
		h('div.sheet', h('table', h('caption.hidden', caption),
			h('thead', h('tr', columns.map(one => h('th', {scope: 'col', class: one.kind, 'aria-sort': one === by ? (isDown ? 'descending' : 'ascending') : null},
				one.sort ? h('button.sort', {onclick: () => setQuery({sort: one !== by ? one.title : isDown ? '' : '-' + one.title})}, one.title, one === by && (isDown ? ' ↓' : ' ↑')) : one.title || h('span.hidden', 'Actions'))))),
			h('tbody', rows.slice(0, most).map(row => h('tr', {key: key(row), 'data-row': '', class: rowClass?.(row)}, columns.map(one => h('td', {class: one.kind}, one.cell(row)))))))),
		rows.length > most && h('p.more', h('button', {onclick: () => { shown.set(caption, most + 200); draw(); }}, `Show more of ${number(rows.length)}`)),
	];
}

/** A meter: a label, its value in words, and a track that is filled by `share`. */
function meter(label, text, share, {level, notch, aria} = {}) {
	return h('div.meter', h('span.label', label), h('span.value', text), h('div.track', {class: share == null ? 'endless' : level, ...(aria && {role: 'progressbar', 'aria-valuemin': 0, ...aria})},
		share != null && h('div.fill', {style: {width: `${Math.max(0, Math.min(1, share)) * 100}%`}}), notch > 0 && notch < 1 && h('i.notch', {title: 'the warning', style: {left: `${notch * 100}%`}})));
}

/** The budgets of a run in progress: what is left of each. */
function budgetBars(run) {
	const budget = run.budget;
	if (!budget) return null;
	const left = (title, rest, of, text, more) => meter(title, `${text(Math.max(0, rest))} of ${text(of)}`, rest / of, {
		...more, aria: {label: `${title} of ${clean(run.identifier)}`, 'aria-valuemax': of, 'aria-valuenow': Math.max(0, +rest.toFixed(2)),
			'aria-valuetext': title === 'Memory' ? `${bytes(rest)} left of ${bytes(of)}` : `${Math.round(Math.max(0, rest))} seconds left of ${Math.round(of)}`},
	});
	const {cpuTime: cpu = 0, memory = 0} = run.usage ?? {};
	const {wallClock, cpuTime, grace} = budget;
	// While it stands still nobody knows its end, and what was left stays.
	const rest = run.endsAt ? (ms(run.endsAt) - now()) / 1000 : run.rest;
	run.rest = rest;
	const level = run.state === 'expiring' ? (rest < grace / 2 ? 'warned ending' : 'warned') : '';
	return h('div.meters',
		wallClock && rest == null ? meter('Time', `– of ${span(wallClock)}`) : wallClock ? left('Time', Math.min(rest, wallClock), wallClock, moving, {level, notch: grace / wallClock}) : meter('Time', `${moving((now() - ms(run.startedAt)) / 1000)}, no limit`),
		cpuTime ? left('CPU', cpuTime - cpu, cpuTime, moving, {level: cpu > cpuTime * 0.8 ? 'warned' : ''}) : meter('CPU', `${moving(cpu)}, no limit`),
		left('Memory', budget.memory - memory, budget.memory, bytes, {level: memory > budget.memory * 0.8 ? 'warned' : ''}));
}

function progress(run) {
	const {completed, total, text, title, subtitle} = run.progress ?? {};
	if (!total && !text) return null;
	return meter([title ? say(title) : 'Progress', subtitle && [' · ', say(subtitle)]], [total > 0 && `${Math.floor(Math.min(1, completed / total) * 100)} % `, text && say(text), total > 0 && ` ${completed} of ${total}`], total > 0 ? completed / total : null,
		{level: 'done', aria: total > 0 && {label: `Progress of ${clean(run.identifier)}`, 'aria-valuemax': total, 'aria-valuenow': completed}});
}

const STEPS = [1, 5, 15, 60, 300, 900, 3600, 10800, 21600, 86400].map(s => s * 1000);

/** Lanes over a stretch of time. A lane has a `label` and `parts` with `from`, `to`, `class` and `text`. */
function lanes(title, from, to, list, present) {
	const place = time => Math.max(0, Math.min(100, ((time - from) / (to - from)) * 100));
	const step = STEPS.find(one => (to - from) / one <= 9) ?? (to - from) / 8;
	const ticks = [];
	for (let time = Math.ceil(from / step) * step; time < to; time += step) if (place(time) < 94 && Math.abs(place(time) - place(present ?? to)) > 4) ticks.push(time);
	return h('div.lanes', {role: 'group', label: title}, list.map(lane => h('div.lane', {key: lane.label}, h('div.label', lane.icon && icon(lane.icon), say(lane.label)),
		h('div.strip', {role: 'img', label: `${clean(lane.label)}: ${lane.parts.slice(-8).map(part => clean(part.text)).join('; ') || 'nothing'}`},
			lane.parts.filter(part => part.to >= from && part.from <= to).map(part => h('i', {class: part.class, title: clean(part.text), style: {left: `${place(part.from)}%`, width: `${place(part.to) - place(part.from)}%`}}, part.label && h('span', clean(part.label)))),
			present && h('b.now', {style: {left: `${place(present)}%`}})))),
		h('div.lane.axis', {'aria-hidden': 'true'}, h('div.label'), h('div.strip', ticks.map(time => h('span', {style: {left: `${place(time)}%`}}, asClock(time, step < 6e4 ? 'medium' : 'short'))),
			present && h('span.now', {style: {left: `${place(present)}%`}}, 'now'))));
}

const fact = (term, ...text) => text.flat(Infinity).some(isShown) && [h('dt', term), h('dd', text)];
const facts = (...list) => h('dl.facts', list);
const section = (title, ...content) => h('section.block', {key: title}, h('h2', title), content);
const page = (title, tools, ...content) => [h('div.head', {key: 'head'}, h('h1', title), h('div.row', tools)), content];
const problemBanner = resource => resource.problem?.status > 0 && banner('problem', 'bad', 'bang', say(resource.problem.message));

const GATES = {
	manifest: 'file', paused: 'pause', forceQuit: 'cross', backgroundRefresh: 'pause', firstUnlock: 'lock', sleep: 'moon', earliestBeginDate: 'clock', backoff: 'clock', externalPower: 'bolt', batteryLevel: 'battery', lowPowerMode: 'battery',
	network: 'network', idle: 'person', window: 'calendar', paths: 'file', changed: 'file', quarantine: 'shield', overlap: 'stack', kindCapacity: 'stack', capacity: 'stack', revision: 'stack', foreground: 'boxes', diskSpace: 'disk',
};
const gateIcon = gate => icon(GATES[gate] ?? 'gauge');
/** What a request waits for: the symbol of the first gate, and the words. */
const phrase = one => h('span.phrase', gateIcon(one.heldBy[0] ?? 'capacity'), say(one.waiting?.replace(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, absolute) ?? 'its turn'));

/** A search field. */
const filterField = (label, value, oninput, more) => h('label.field', {key: 'filter', class: more?.class}, icon('search'), h('input', {type: 'search', placeholder: label, label: label, value: value ?? '', oninput: event => oninput(event.target.value), ...more}));

/** The text filter of a view, in its URL. */
const textFilter = label => filterField(label, route.query.q, q => setQuery({q}));
const fitsText = (...texts) => texts.join(' ').toLowerCase().includes((route.query.q ?? '').toLowerCase());

/** A form of index.html; it lives as long as the view. `send` makes an action of its fields. */
function form(id, send, fill) {
	const node = cloneOf(id);
	fill?.(node.elements);
	node.onsubmit = event => {
		event.preventDefault();
		try {
			perform(send(node.elements));
		} catch (error) {
			note(`${error.message}; the form; correct it`, {isBad: true});
		}
	};
	return () => (mayChange() || id === 'whatif') && h('form', {node});
}
const base64 = text => (text ? btoa(String.fromCharCode(...new TextEncoder().encode(text))) : undefined);

// 7 Views
// A view has a `title` and `render`; if need be `event` (an event came), `again` (read everything anew), `countsDown`
// (its clocks have to move) and `close`.

/** A view over resources of its own, which live as long as it. */
function viewOf(title, resources, render, more) {
	for (const one of resources) one.reload();
	return {
		title, close: () => resources.forEach(one => one.close()), ...more,
		render: () => [resources.map(problemBanner), resources.every(one => one.value !== null) ? render() : page(clean(title), null, !resources.some(one => one.problem) && h('p.none', 'Loading…'))],
	};
}
const notFoundView = () => ({title: 'Not found', render: () => page('Not found', null, h('p.none', 'There is no such view.'))});
const isGoingOn = test => [...state.runs.values()].some(test);

// Now

function nowView() {
	const requests = new Resource(() => listed('requests', '/v1/requests'), ON_WAITS);
	let isAt = route.query.show !== 'waiting';
	return viewOf('Now', [requests], () => {
		const runs = [...state.runs.values()].sort((a, b) => (a.run < b.run ? -1 : 1));
		const waiting = [...requests.value].sort((a, b) => ((a.next ?? '9') < (b.next ?? '9') ? -1 : 1));
		if (!isAt) isAt = setTimeout(() => byId('waiting').scrollIntoView(), 50);
		return page('Now', null,
			runs.length ? h('div.cards', runs.slice(0, 100).map(card)) : h('div.empty', h('p', 'Nothing runs.'), waiting[0]?.next && h('p.muted', 'Next: ', taskLink(waiting[0].identifier), ' ', when(waiting[0].next))),
				h('section.block', {id: 'waiting'}, h('h2', 'Waiting'), table('Requests that wait', waiting, [
				taskColumn,
				col('Waits for', 'wide', phrase, 'waiting'),
				col('Next', 'time', one => when(one.next, 'unknown'), 'next'),
				col('Attempt', 'num l', 'attempt'),
				col('', 'acts m', one => [runNow(one.identifier), drop(one)]),
			], {none: 'No request waits.'})),
			section('Failed last', table('Runs that failed last', (failedLately() ?? []).slice(0, 10), [
				taskColumn,
				col('Outcome', 'wide', one => runLink(one.run, outcome(one))),
				timeColumn('Ended', 'endedAt'),
				col('', 'acts m', one => action('Retry', retrying(one))),
			], {key: one => one.run, none: 'No run failed in the last 24 hours.'})));
	}, {countsDown: () => state.runs.size > 0});
}

/** The state of a run in progress; before its start with what it waits for. */
const standing = run => (run.state === 'waiting' ? `waiting: ${run.waitsFor ?? run.gate ?? 'its launch'}` : run.state);

/** A run in progress. */
function card(run) {
	return h('article.card', {class: run.state === 'expiring' ? 'warned' : run.state, key: run.run, 'data-row': '', label: clean(run.identifier)},
		h('div.row', h('h2', taskLink(run.identifier)), h('span.grow'), h('span.tag', standing(run))),
		h('p.muted', say(run.application), run.attempt > 1 && ` · attempt ${run.attempt}`, ` · ${run.origin ?? 'forced'}`, run.startedAt && [' · started ', when(run.startedAt)], run.reason && ` · ${run.reason}`),
		run.startedAt && budgetBars(run),
		progress(run),
		h('p.line', run.line ? mono(run.line) : 'no output yet'),
		h('div.row', runLink(run.run, 'Details'), h('span.grow'), action('Cancel', cancelling(run)), run.startedAt && run.state !== 'expiring' && expire(run)));
}

// Tasks

/** The value below which a part of the values is; null without values. */
function quantile(values, part) {
	const sorted = values.filter(one => one != null).sort((a, b) => a - b);
	return sorted.length ? sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] : null;
}
/** How many in a hundred succeeded, of those that say something about the task. */
function success(runs) {
	const counted = runs.filter(one => one.outcome && !['deferred', 'cancelled', 'interrupted'].includes(one.outcome));
	return counted.length ? `${Math.round((counted.filter(one => one.outcome === 'succeeded').length / counted.length) * 100)} %` : '–';
}

function tasksView() {
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
			col('Waits for', 'wide m', one => (one.pending ? phrase(one.pending) : h('span.muted', 'no request')), 'waiting'),
			timeColumn('Next', 'next'),
			col('Application', 'term l', 'state'),
			col('Last 20 runs', 'recent l', one => marks(one.recent)),
			col('Last', 'word s', one => one.lastRun && runLink(one.lastRun.run, outcome(one.lastRun)), one => one.lastRun?.endedAt),
			col('Success', 'num l', one => [success(one.recent), h('small', span(quantile(one.recent.map(run => run.wallTime), 0.5)))]),
		], {none: tasks.value.length ? 'No task fits the filter.' : 'No manifest has a task.'}));
	});
}

function taskView(identifier) {
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
		const isPaused = state.pauses.value?.some(pause => pause.of === 'task' && pause.identifier === identifier);
		if (!fields.settings.value) fields.settings.value = JSON.stringify(JSON.parse(one.settings), null, 2);
		return page(name(identifier), [runNow(identifier, 'primary'), isPaused ? action('Resume', resuming(identifier, 'task')) : action('Pause', pausing(identifier, 'task')), one.pending && drop(one.pending)],
			h('p.muted', one.kind, ' · ', appLink(one.application, one.name), ` · ${one.state}`, one.schedule && ` · ${one.schedule.text}`),
			one.faults.length > 0 && banner('faults', 'bad', 'bang', h('span', 'Its manifest has faults; the host uses its earlier form. ', one.faults.map(text => h('p', say(text))))),
			h('div.cards', [...state.runs.values()].filter(run => run.identifier === identifier).map(card)),
			section('Why it waits', h('p', say(why.value.summary)), timeLine(why.value, waits.value), gatesTable(why.value.gates)),
			section('Budget and use', budgetUse(one, past)),
			section('Runs', h('p.row', marks(runs.value.slice(0, 20)), h('span.muted', past.length > 0 && `${success(past)} of the last ${plural(past.length, 'run')} succeeded`), h('a', {href: '#/runs' + query({id: identifier})}, 'History')),
				runTable('Runs of the task', runs.value.slice(0, 20), {isOfTask: true})),
			section('Definition', definition(one)),
			mayChange() && section('Start it', h('div.columns', submit(), run())));
	}, {countsDown: () => isGoingOn(run => run.identifier === identifier)});
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
	return byGate.size > 0 && lanes('What it waited for in the last 24 hours', present - DAY, present + ahead, [...byGate].map(([gate, parts]) => ({label: gate, icon: GATES[gate] ?? 'gauge', parts})), present);
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
	const conditions = Object.entries(requires).filter(([, value]) => value && value.length !== 0).map(([key, value]) => (value === true ? key : `${key} ${key === 'disk' ? bytes(value) : value}`));
	return facts(
		fact('Handler', handler.form, ' ', mono(handler.command?.join(' ') ?? handler.symbol ?? ''), handler.signature && h('small', mono(handler.signature))),
		library && fact('Library', mono(library.path), library.sha256 && h('small', mono('SHA-256 ' + library.sha256))),
		schedule && fact('Schedule', say(schedule.text), schedule.jitter > 0 && `, up to ${span(schedule.jitter)} later`, h('small', mono(schedule.calendar ?? `every ${span(schedule.every)}`), ` · ${schedule.timeZone ?? 'the zone of the machine'} · catchUp ${schedule.catchUp} · overlap ${schedule.overlap}`)),
		fact('After', one.after && taskLink(one.after)),
		fact('On failure', one.onFailure && taskLink(one.onFailure), one.webhook && mono(one.webhook)),
		fact('Requires', say(conditions.join(', ') || 'nothing')),
		fact('Retry', one.retry && `${plural(one.retry.attempts, 'attempt')}, the second after ${span(one.retry.backoff)}`),
		fact('Priority', one.priority), fact('Stall', one.stall && span(one.stall)), fact('Secrets', one.secrets.length > 0 && one.secrets.join(', ')),
		Object.entries(permissions).map(([key, list]) => list.length > 0 && fact(`May ${key === 'network' ? 'connect to' : key}`, mono(list.join('  ')))),
		permissions.attributes && fact('May change', 'modes, owners and times of files'),
		fact('User', one.user && say(one.user), one.group && [' : ', say(one.group)]),
		fact('Isolation', `${one.isolation}, ${one.enforcement}`), fact('Settings', one.settings !== '{}' && mono(one.settings)),
		fact('Manifest', mono(one.manifest), one.version && [' version ', say(one.version)]), fact('Profile', one.profile));
}

// History

const runTable = (caption, runs, {select, isOfTask} = {}) => table(caption, runs, [
	select && col('', 'tick m', one => h('input', {type: 'checkbox', label: `Select ${clean(one.identifier)} ${one.run}`, checked: select.has(one.run), onchange: event => { select[event.target.checked ? 'add' : 'delete'](one.run); draw(); }})),
	col('Outcome', 'word', one => runLink(one.run, outcome(one)), one => one.outcome ?? one.state),
	!isOfTask && taskColumn,
	timeColumn('Submitted', 'submittedAt'),
	col('Time', 'num m', one => span(one.wallTime), 'wallTime'),
	col('CPU', 'num l', one => span(one.cpuTime), 'cpuTime'),
	col('Memory', 'num l', one => bytes(one.peakMemory), 'peakMemory'),
	col('Attempt', 'num l', 'attempt'),
	col('Origin', 'term l', one => one.origin ?? 'forced', 'origin'),
], {key: one => one.run, none: 'No run fits.'});

const WORDS = ['outcome', 'app', 'id', 'kind', 'since', 'until'];

/** The words of a filter: `outcome:failed app:com.example since:-24h attempt>1`; the rest is text. */
function readFilter(text) {
	const filter = Object.fromEntries([...WORDS, 'attempt', 'q'].map(word => [word, '']));
	for (const word of text.split(/\s+/)) {
		const [, key, value] = /^(\w+)[:>](.+)$/.exec(word) ?? [];
		if (key in filter && key !== 'q') filter[key] = value;
		else filter.q = `${filter.q} ${word}`.trim();
	}
	return filter;
}
const filterText = filter => [...WORDS.map(word => filter[word] && `${word}:${filter[word]}`), filter.attempt && `attempt>${filter.attempt}`, filter.q].filter(Boolean).join(' ');

function historyView() {
	let rows = null, next = null, problem = null, isBusy = false, timer = null;
	const fresh = new Set();
	const select = new Set();
	const filter = () => route.query;
	const matches = run => (!filter().outcome || filter().outcome.split(',').includes(run.outcome)) && (!filter().app || run.application === filter().app) && (!filter().kind || filter().kind === run.kind) && !filter().until
		&& (!filter().id || [run.identifier, run.application].includes(filter().id)) && run.attempt > +(filter().attempt ?? 0) && (!filter().q || `${run.identifier} ${run.application}`.toLowerCase().includes(filter().q.toLowerCase()));

	/** At least so many rows from a place on: attempts are not a filter of the host's. */
	async function read(before, count) {
		const {outcome, app, id, kind, since, until, q, attempt} = filter();
		const times = {since: since && instant(since), until: until && instant(until)};
		for (const [word, text] of [['since', since], ['until', until]]) if (text && !times[word]) throw new Problem(400, `${word}:${text} is no time; the filter; write -24h or 2026-11-24T06:00`);
		const found = [];
		do {
			const part = await get('/v1/runs', {outcome, application: app, identifier: id, kind, q, ...times, before, limit: attempt ? 1000 : Math.min(count, 1000)});
			found.push(...part.runs.filter(run => run.attempt > +(attempt ?? 0)));
			before = part.next;
		} while (before != null && found.length < count);
		return found.length > count ? [found.slice(0, count), found[count - 1].run] : [found, before];
	}
	async function load(isMore) {
		if (isBusy && isMore) return;
		const asked = (load.last = {});
		isBusy = true;
		try {
			const [found, rest] = await read(isMore ? next : undefined, 100);
			if (asked !== load.last) return;
			rows = isMore ? [...rows, ...found] : found;
			shown.set('Runs', rows.length);
			next = rest;
			problem = null;
			if (!isMore) fresh.clear();
		} catch (error) {
			if (asked !== load.last) return;
			problem = error;
			rows ??= [];
		}
		isBusy = false;
		draw();
	}
	const change = changes => { clearTimeout(timer); setQuery(changes); select.clear(); load(); };
	async function each(label, act, allow) {
		const chosen = rows.filter(one => select.has(one.run) && allow(one));
		const refused = [];
		for (const run of chosen) await api(act(run).path, {method: 'POST'}).catch(one => refused.push(one.message));
		select.clear();
		note(`${label}: ${chosen.length - refused.length} of ${plural(chosen.length, 'run')}${refused.length ? `; ${refused[0]}` : ''}`, {isBad: refused.length > 0});
	}
	const batch = (label, act, allow) => mayChange() && h('button.act', {disabled: !isLive(), onclick: () => each(label, act, allow)}, label);
	async function exportAll() {
		try {
			const [runs, rest] = await read(undefined, 10000);
			if (rest != null) note('There are more: the newest 10,000 runs are in the file; the filter since: and until: takes others');
			save(JSON.stringify({runs}, null, 2), 'application/json', 'runs.json');
		} catch (error) {
			note(error.message, {isBad: true});
		}
	}
	const pick = (word, values) => h('select', {label: word, onchange: event => change({[word]: event.target.value})}, h('option', {value: ''}, `any ${word}`), values.map(one => h('option', {value: one, selected: filter()[word] === one}, one)));
	load();
	return {
		title: 'History', close: () => clearTimeout(timer), countsDown: () => false,
		again() {
			if (!rows?.length) load();
			// Those in progress may have ended while nobody told.
			rows?.forEach(async (one, at) => {
				if (one.outcome) return;
				const run = await get(idPath('runs', one.run)).catch(() => one);
				if (rows[at] === one) rows[at] = run;
				draw();
			});
		},
		event(event, run) {
			if (event === 'run.started' || event === 'run.expired') {
				const one = rows?.find(one => one.run === run.run);
				if (one) Object.assign(one, event === 'run.started' ? {state: 'running', startedAt: run.at} : {state: 'expiring'});
			} else if (event === 'run.ended') {
				const at = rows?.findIndex(one => one.run === run.run) ?? -1;
				if (at >= 0) rows[at] = run;
				else if (matches(run)) fresh.add(run.run);
			} else if (event === 'run.submitted' && !filter().outcome && !filter().kind && matches(run)) fresh.add(run.run);
		},
		render: () => page('History', [
			filterField('outcome: app: id: kind: since: until: attempt>1', filterText(filter()), text => { clearTimeout(timer); timer = setTimeout(() => change(readFilter(text)), 300); }, {class: 'long', onkeydown: event => { if (event.key === 'Enter') change(readFilter(event.target.value)); }}),
			pick('outcome', OUTCOMES), pick('kind', KINDS), button('Export JSON', exportAll)],
		h('div.row.chips', {key: 'chips'}, [...WORDS, 'attempt', 'q'].filter(word => filter()[word]).map(word => h('button.chip', {key: word, label: `Without ${word}`, onclick: () => change({[word]: ''})}, `${word === 'q' ? 'text' : word}: ${clean(filter()[word])}`, icon('cross'))),
			fresh.size > 0 && h('button.primary.fresh', {onclick: () => { load(); scrollTo(0, 0); }}, `${number(fresh.size)} new`),
			select.size > 0 && [h('span', `${select.size} selected`), batch('Retry', retrying, run => run.outcome), batch('Cancel', cancelling, run => !run.outcome), h('button.quiet', {onclick: () => { select.clear(); draw(); }}, 'Clear')]),
		problem && banner('problem', 'bad', 'bang', say(problem.message)),
		rows ? runTable('Runs', rows, {select}) : h('p.none', 'Loading…'),
		next != null && h('p.more', button('Older', () => load(true)))),
	};
}

/** Gives the browser a file to save. */
function save(text, type, file) {
	const href = URL.createObjectURL(new Blob([text], {type}));
	Object.assign(document.createElement('a'), {href, download: file}).click();
	setTimeout(() => URL.revokeObjectURL(href), 1000);
}

// Run

const SIGNALS = ' HUP INT QUIT ILL TRAP ABRT BUS FPE KILL USR1 SEGV USR2 PIPE ALRM TERM STKFLT CHLD CONT STOP TSTP TTIN TTOU URG XCPU XFSZ VTALRM PROF WINCH IO PWR SYS'.split(' ');

const used = (title, value, of, text) => meter(title, `${text(value)}${of ? ` of ${text(of)}` : ''}`, of && value / of);

function runView(id) {
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
			section('Life line', lifeLine(one)),
			section('Budget', one.outcome ? h('div.meters', used('Time', one.wallTime, budget?.wallClock, span), used('CPU', one.cpuTime, budget?.cpuTime, span), used('Memory', one.peakMemory, budget?.memory, bytes))
				: one.startedAt ? [budgetBars(one), progress(one)] : h('p', standing(one))),
			section('Facts', facts(
				[['Submitted', one.submittedAt], ['Started', one.startedAt], ['Warned', one.expiredAt], ['Ended', one.endedAt]].map(([term, time]) => time && fact(term, absolute(time), ' · ', when(time))), fact('Reason', one.reason),
				fact('Signal', one.signal && `SIG${SIGNALS[one.signal] ?? 'RT'} (${one.signal})`), fact('Exit status', one.exitStatus), fact('Result', one.result != null && mono(one.result)),
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

const LINE = 20;
// Browsers lay out no element that is higher than some 16 million pixels.
const HIGHEST = 8e6;

/** A log of any length: only the lines in sight are in the document. */
function makeLog(id) {
	let lines = [], rows = [], next = 0, isBusy = false, isDirty = false, isOver = false, last = 0, find = '';
	const choice = {follow: true, times: false, wrap: stored('wrap', '') === 'yes'};
	const box = cloneOf('lines');
	const tall = box.firstElementChild;
	const list = tall.firstElementChild;

	// Lines fall into rows of one height, so that the place of each is known without a look at it.
	const width = () => Math.max(20, Math.floor((box.clientWidth - (choice.times ? 190 : 30)) / 7.3));
	const cells = character => (character.codePointAt(0) >= 0x1100 ? 2 : 1);
	function addRows(from) {
		const wide = choice.wrap ? width() : 4000;
		for (let at = from; at < lines.length; at++) {
			const text = clean(lines[at].text);
			if (find && !text.toLowerCase().includes(find)) continue;
			let begin = 0, used = 0, place = 0;
			if (text.length * 2 > wide) {
				for (const character of text) {
					if (used + cells(character) > wide) {
						rows.push([at, text.slice(begin, place)]);
						[begin, used] = [place, 0];
					}
					used += cells(character);
					place += character.length;
				}
			}
			rows.push([at, text.slice(begin)]);
		}
	}
	function lay(from = 0) {
		if (!from) rows = [];
		addRows(from);
		tall.style.height = `${Math.min(HIGHEST, rows.length * LINE)}px`;
		box.style.height = `${Math.max(48, Math.min(420, rows.length * LINE + 18))}px`;
		if (choice.follow) box.scrollTop = box.scrollHeight;
		last = box.scrollTop;
		show();
	}
	function show() {
		const total = rows.length * LINE;
		// Beyond the highest element the way of the thumb stands for more than its pixels.
		const over = total > HIGHEST ? (total - box.clientHeight) / (HIGHEST - box.clientHeight) : 1;
		const first = Math.max(0, Math.floor((box.scrollTop * over) / LINE) - 10);
		const count = Math.ceil(box.clientHeight / LINE) + 20;
		list.style.transform = `translateY(${over === 1 ? first * LINE : box.scrollTop - (box.scrollTop * over - first * LINE)}px)`;
		patchKids(list, rows.slice(first, first + count).map(([at, text], row) => {
			const {at: time, stream: from} = lines[at];
			return h('div.line-of', {class: from ?? ''}, choice.times && h('span.at', rows[first + row - 1]?.[0] === at ? '' : `${time ? `${asClock(time)}.${time.slice(20, 23)}` : ''} ${from ?? ''}`), h('bdi', text));
		}));
	}
	box.onscroll = () => {
		if (box.scrollTop < last - 1 && choice.follow) {
			choice.follow = false;
			draw();
		}
		last = box.scrollTop;
		requestAnimationFrame(show);
	};
	const watcher = new ResizeObserver(() => (choice.wrap ? lay() : show()));
	watcher.observe(box);

	async function grow() {
		isDirty = true;
		if (isBusy) return;
		isBusy = true;
		try {
			while (isDirty && !isOver) {
				isDirty = false;
				const part = await get(idPath('runs', id, 'log'), {offset: next});
				let from = lines.length;
				const [open, rest] = [lines.at(-1), part.lines[0]];
				// The last line went on.
				if (rest && open && !open.isWhole && open.stream === rest.stream) {
					Object.assign(open, {text: open.text + rest.text, isWhole: rest.isWhole});
					part.lines.shift();
					from--;
					while (rows.length && rows.at(-1)[0] >= from) rows.pop();
				}
				lines = lines.concat(part.lines);
				isOver = part.next === null;
				// There may be more: an answer has as much as fits.
				isDirty ||= !!rest;
				next = part.next ?? next;
				if (rest) lay(from);
			}
		} catch (problem) {
			note(problem.message, {isBad: true});
		}
		isBusy = false;
		draw();
	}
	const toggle = (key, label) => h('button', {'aria-pressed': String(choice[key]), onclick: () => { choice[key] = !choice[key]; if (key === 'wrap') keep('wrap', choice.wrap ? 'yes' : ''); lay(); draw(); }}, label);
	grow();
	return {
		grow, close: () => watcher.disconnect(),
		render: () => [h('div.row.tools', toggle('follow', 'Follow'), toggle('times', 'Times'), toggle('wrap', 'Wrap'),
			filterField('Find in the log', find, text => { find = text.toLowerCase(); lay(); draw(); }), find && h('span.muted', `${number(rows.length)} of ${plural(lines.length, 'line')}`), h('span.grow'), h('span.muted', plural(lines.length, 'line')),
			h('button', {onclick: () => api(idPath('runs', id, 'log'), {as: 'text'}).then(text => save(text, 'text/plain', `${id}.log`), refusal)}, 'Download')),
		h('div', {node: box})],
	};
}

// Calendar

const HOUR_HEIGHT = 36;
// A task that runs more often than this in a day is one mark at its top.
const OFTEN = 24;
const PAST_AT_MOST = 5000;

function calendarView() {
	let trace = '';
	// A phone shows a day.
	const days = () => Math.min(31, Math.max(1, Math.round(+route.query.days) || (innerWidth < 860 ? 1 : 7)));
	const shift = () => Math.round(+route.query.shift) || 0;
	/** Midnight of a day from today on, in the chosen zone; days are not all 24 hours long. */
	function midnight(offset) {
		const date = new Date(now());
		return zone === 'utc' ? Date.UTC(date.getUTCFullYear(), date.getUTCMonth(), date.getUTCDate() + offset) : +new Date(date.getFullYear(), date.getMonth(), date.getDate() + offset);
	}
	const hourOf = time => {
		const date = new Date(time);
		return zone === 'utc' ? date.getUTCHours() + date.getUTCMinutes() / 60 : date.getHours() + date.getMinutes() / 60;
	};
	const forecast = new Resource(() => {
		const far = Math.max(1, Math.min(366, days() + shift()));
		return trace ? api('/v1/forecast', {method: 'POST', body: {days: far, trace}}) : get('/v1/forecast', {days: far});
	}, ['journal', 'request.submitted', 'request.cancelled', 'request.skipped'], 3000);
	const past = new Resource(async () => {
		const from = midnight(shift());
		return from >= now() ? [] : runsOf({since: new Date(from).toISOString(), until: new Date(Math.min(now(), midnight(shift() + days()))).toISOString(), limit: PAST_AT_MOST});
	}, ['run.ended'], 1000);
	const again = () => { forecast.reload(); past.reload(); };
	const go = changes => { setQuery(changes); again(); };
	const whatIf = form('whatif', fields => ({method: 'POST', path: '/v1/forecast', body: {days: days(), trace: fields.trace.value}, done: 'Played the trace', after: () => { trace = fields.trace.value; forecast.reload(); }}));

	/** What a day has: single marks, in as many columns as overlap, and tasks that run often. */
	function dayOf(offset, entries) {
		const [from, to] = [midnight(offset), midnight(offset + 1)];
		const byTask = new Map();
		for (const one of entries) if (one.time >= from && one.time < to) byTask.set(one.identifier, [...(byTask.get(one.identifier) ?? []), one]);
		const often = [...byTask.values()].filter(list => list.length > OFTEN);
		const marks = [...byTask.values()].filter(list => list.length <= OFTEN).flat().sort((a, b) => a.time - b.time);
		const ends = [];
		let cluster = [];
		for (const mark of marks) {
			mark.top = hourOf(mark.time) * HOUR_HEIGHT;
			mark.height = Math.max(17, Math.min((mark.seconds / 3600) * HOUR_HEIGHT, 24 * HOUR_HEIGHT - mark.top));
			if (ends.every(end => end <= mark.top)) [cluster, ends.length] = [[], 0];
			const column = ends.findIndex(end => end <= mark.top);
			mark.column = column < 0 ? ends.length : column;
			ends[mark.column] = mark.top + mark.height;
			cluster.push(mark);
			for (const one of cluster) one.columns = ends.length;
		}
		return {from, often, marks};
	}
	const markOfDay = one => h('a.event', {key: one.identifier + one.time, href: one.href, class: one.level, 'data-at': new Date(one.time).toISOString(), title: `${clean(one.identifier)}\n${one.text}, ${span(one.seconds)}`,
		style: {top: `${one.top}px`, height: `${one.height - 1}px`, left: `${(one.column / one.columns) * 100}%`, width: `${100 / one.columns}%`}}, h('bdi', clean(one.identifier.split('.').pop())), ' ', asClock(one.time, 'short'));
	const oftenOfDay = list => h('a.event', {key: list[0].identifier, href: list[0].href, 'data-count': list.length, title: `${clean(list[0].identifier)}\n${list.length} times from ${asClock(list[0].time)} to ${asClock(list.at(-1).time)}`}, h('span', `${list.length} × `, h('bdi', clean(list[0].identifier.split('.').pop()))));

	return viewOf('Calendar', [forecast, past], () => {
		const {runs, waiting, complete, conditions, overridden} = forecast.value;
		const entry = ({identifier}, from, seconds, more) => ({identifier, time: ms(from), seconds, ...more});
		const entries = [
			...past.value.filter(run => run.outcome).map(run => entry(run, run.startedAt ?? run.submittedAt, run.wallTime ?? 0, {href: path('runs', run.run), level: markOf(run)[1] + ' past', text: run.outcome})),
			...runs.map(run => entry(run, run.at, (ms(run.until) - ms(run.at)) / 1000, {href: path('tasks', run.identifier), level: run.stopped ? 'warn' : '',
				text: ['forecast', run.waits.length > 0 && `waited for ${[...new Set(run.waits.map(wait => wait.gate))].join(', ')}`, run.stopped && `stopped: ${run.stopped}`].filter(Boolean).join('; ')})),
		];
		const week = Array.from({length: days()}, (_, at) => dayOf(shift() + at, entries));
		const title = day => new Date(day.from).toLocaleDateString('en-US', {weekday: 'short', day: 'numeric', month: 'short', timeZone: zone === 'utc' ? 'UTC' : undefined});
		const isToday = day => day.from <= now() && now() < day.from + DAY;
		const move = (label, by) => button(label, () => go({shift: by && shift() + by * days()}));
		return page('Calendar', [move('Earlier', -1), move('Today', 0), move('Later', 1), [1, 7, 14].map(one => h('button', {'aria-pressed': String(days() === one), onclick: () => go({days: one})}, plural(one, 'day')))],
		trace && banner('trace', 'warn', 'bolt', h('span', 'This is what the trace gives. '), button('Back', () => { trace = ''; forecast.reload(); })),
		h('p.muted', {key: 'about'}, `Forecast over ${{trace: 'the trace', recorded: 'recorded conditions', steady: 'a steady day'}[conditions]}`, Object.keys(overridden).length > 0 && `, ${Object.keys(overridden).join(', ')} overridden`, complete ? '.' : '; there would be more runs.', past.value.length >= PAST_AT_MOST && ` Of the past only the last ${number(PAST_AT_MOST)} runs are shown.`),
		h('div.sheet.calendar', {key: 'grid', tabindex: 0, role: 'group', label: 'Days and hours'},
			h('div.days', {style: {'grid-template-columns': `3rem repeat(${week.length}, minmax(0, 1fr))`}},
				h('div'), week.map(day => h('div.day', {class: isToday(day) ? 'today' : ''}, h('h2', title(day)), day.often.map(oftenOfDay))),
				h('div.hours', {style: {height: `${24 * HOUR_HEIGHT}px`}}, Array.from({length: 23}, (_, hour) => h('span', {style: {top: `${(hour + 1) * HOUR_HEIGHT}px`}}, `${String(hour + 1).padStart(2, '0')}:00`))),
				week.map(day => h('div.column', {class: isToday(day) ? 'today' : '', 'data-day': asDate(day.from)}, day.marks.map(markOfDay), isToday(day) && h('b.now', {style: {top: `${hourOf(now()) * HOUR_HEIGHT}px`}}))))),
		section('Would not run', table('Tasks that would not run', waiting, [
			taskColumn,
			col('Held by', 'wide', one => (one.gates.length ? one.gates.map(gate => h('span.phrase', gateIcon(gate.gate), say(`${gate.found}; opens by ${gate.opens}`))) : say(one.summary))),
		], {none: 'Every task runs.'})),
		section('What if', whatIf()));
	}, {again});
}

// Applications

const STATES = ['notRunning', 'inactive', 'active', 'background', 'suspended'];

function applicationActions(one) {
	const verb = (label, word, more) => action(label, {name: one.identifier, path: idPath('applications', one.identifier, word), done: `${label}: ${one.identifier}`, ...more});
	const paused = state.pauses.value?.some(pause => pause.of === 'application' && pause.identifier === one.identifier);
	return [
		one.state !== 'active' && verb('Open', 'foreground'), ['active', 'inactive'].includes(one.state) && verb('Background', 'background'),
		one.quarantinedUntil && verb('Lift', 'lift', {title: 'End its quarantine'}),
		one.refreshDenied ? verb('Allow refresh', 'allow') : verb('Deny refresh', 'deny', {undo: {path: idPath('applications', one.identifier, 'allow'), done: 'Background refresh is allowed'}}),
		paused ? action('Resume', {name: one.identifier, ...resuming(one.identifier, 'application')}) : action('Pause', {name: one.identifier, ...pausing(one.identifier, 'application')}),
		!one.forceQuit && verb('Quit', 'quit', {confirm: `The host ends ${one.identifier} and its runs. None of its work starts until somebody opens it again.`}),
	];
}

const stateDiagram = one => h('ol.states', {label: 'State'}, STATES.map(word => h('li', {class: word === one.state ? 'here ' + word : '', 'aria-current': word === one.state ? 'true' : null}, word)));

const applicationFacts = one => facts(
	fact('Workers', one.workers > 0 && one.workers), fact('Processor time', one.usage > 0 && `${span(one.usage)} of late`, one.quotaEnd && `, ${span(one.quotaUsed)} of its quota until ${relative(one.quotaEnd)}`),
	fact('Quarantine', one.quarantinedUntil && ['until ', when(one.quarantinedUntil), ` after ${plural(one.crashes, 'crash').replace('crashs', 'crashes')}`]),
	fact('User', one.forceQuit && 'quit it', one.refreshDenied && ' denied background refresh'), fact('Fetch', one.fetchInterval && `every ${span(one.fetchInterval)}`, one.unansweredFetches > 0 && `, ${one.unansweredFetches} not answered`),
	fact('Notified', one.notified.length > 0 && when(one.notified[0])), fact('Terminated', one.lastTermination && [when(one.lastTermination.at), `, ${one.lastTermination.reason}`]), fact('Manifest', !one.installed && 'removed'));

function applicationsView() {
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

function applicationView(identifier) {
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
			section('Runs', runTable('Runs of the application', runs.value)));
	}, {countsDown: () => isGoingOn(run => run.application === identifier)});
}

// Transfers

const TRANSFER_MARKS = {running: ['ring', 'info'], ended: ['check', 'good'], delivered: ['check', 'good']};

function transfersView() {
	const transfers = new Resource(() => get('/v1/transfers', {open: route.query.all ? undefined : 'true', limit: 200}).then(one => one.transfers), ['transfer.added', 'transfer.changed', 'transfer.ended']);
	// Progress is no event: while bytes move, and somebody looks, it is asked for.
	const timer = setInterval(() => !document.hidden && isLive() && transfers.value?.some(one => one.state === 'running') && transfers.soon(), 1000);
	const act = (one, label, verb) => action(label, {name: `transfer ${one.id}`, path: idPath('transfers', one.id, verb), done: `${label}: transfer ${one.id}`, after: () => transfers.soon()});
	const add = form('download', ({application, url, sha256}) => ({path: '/v1/transfers', body: {application: application.value, url: url.value, ...(sha256.value && {sha256: sha256.value})}, done: answer => `Transfer ${answer.id} is recorded`, after: () => transfers.soon()}));
	return viewOf('Transfers', [transfers], () => page('Transfers', [textFilter('Filter transfers'), h('button', {'aria-pressed': String(!!route.query.all), onclick: () => { setQuery({all: route.query.all ? '' : 'yes'}); transfers.reload(); }}, 'Past ones too')],
		table('Transfers', transfers.value.filter(one => fitsText(one.application, one.url, one.session)), [
			col('Transfer', 'wide', one => [mono(one.url), h('small', `${one.kind} ${one.id} · `, appLink(one.application), ' · ', say(one.session))], 'url'),
			col('State', 'word', one => [badge(...(one.error ? ['cross', 'bad', one.error] : [...TRANSFER_MARKS[one.state] ?? ['clock', 'calm'], one.state])),
				one.waitsFor && h('small', `waits for ${one.waitsFor}`, one.waitsUntil && [' ', when(one.waitsUntil)]), one.sentence && h('small', say(one.sentence))], 'state'),
			col('Bytes', 'wide m', one => {
				const moved = one.kind === 'upload' ? one.sent : one.received;
				return meter(`${bytes(moved)}${one.total ? ` of ${bytes(one.total)}` : ''}`, one.rate > 0 && [`${bytes(one.rate)}/s`, one.total && `, ${span((one.total - moved) / one.rate)} left`], one.total ? moved / one.total : null,
					{level: 'done', aria: one.total && {label: `Bytes of transfer ${one.id}`, 'aria-valuemax': one.total, 'aria-valuenow': moved}});
			}),
			col('Attempts', 'num l', 'attempts'), timeColumn('Created', 'createdAt', 'time l'),
			col('', 'acts m', one => !['ended', 'delivered'].includes(one.state) && [one.waitsFor === 'person' ? act(one, 'Resume', 'resume') : act(one, 'Pause', 'pause'), act(one, 'Cancel', 'cancel')]),
		], {key: one => one.id, none: 'No transfer is open.'}), section('Add one', add())), {close: () => { clearInterval(timer); transfers.close(); }});
}

// Device

const VALUES = {
	power: ['external', 'battery'], lowPower: ['off', 'on'], network: ['ok', 'constrained', 'none'], user: ['idle', 'active'], cpu: ['nominal', 'high'], memory: ['nominal', 'high'],
	thermal: ['nominal', 'fair', 'serious', 'critical'], refresh: ['on', 'off'], unlocked: ['yes', 'no'], disk: ['ok', 'low'], sleep: ['off', 'on'], window: ['open', 'closed'], battery: ['none', '5', '15', '20', '50', '80', '100'],
};
const GATE_OF = {power: 'externalPower', battery: 'batteryLevel', lowPower: 'lowPowerMode', user: 'idle', cpu: 'cpuPressure', memory: 'memoryPressure', refresh: 'backgroundRefresh', unlocked: 'firstUnlock', disk: 'diskSpace'};
const gateOf = word => GATE_OF[word] ?? word;

/** Past values of the last day, newest first. */
async function deviceLog() {
	const entries = [];
	for (let before, page = 0; page < 5; page++) {
		const part = await get('/v1/device/log', {limit: 1000, before});
		entries.push(...part.entries);
		before = part.next;
		if (before == null || ms(part.entries.at(-1).at) < now() - DAY) break;
	}
	return entries;
}

/** The values of a condition as parts of a lane. Before the first one that is known it is not known. */
function conditionParts(log, word, value, present) {
	const parts = [];
	let to = present;
	for (const one of log) {
		if (one.condition !== word) continue;
		parts.unshift([ms(one.at), to, one.value]);
		to = ms(one.at);
	}
	if (!parts.length) parts.push([present - DAY, present, value]);
	return parts.map(([from, to, value]) => {
		const place = VALUES[word]?.indexOf(value) ?? 0;
		return {from: Math.max(from, present - DAY), to, label: value, class: value === 'unknown' ? 'unknown' : place > 0 && word !== 'battery' ? `off${Math.min(place, 2)}` : 'on', text: `${value} from ${absolute(Math.max(from, present - DAY))}`};
	});
}

function deviceView() {
	const log = new Resource(() => deviceLog(), ['device']);
	// Which pending requests each condition holds, and which it alone holds.
	const holds = new Resource(async () => {
		const {requests} = await get('/v1/requests');
		return (await Promise.all(requests.slice(0, 40).map(one => get(idPath('tasks', one.identifier, 'why')).catch(() => null)))).filter(Boolean)
			.map(why => ({identifier: why.identifier, gates: why.gates.filter(gate => gate.holds).map(gate => gate.gate)}));
	}, ON_WAITS, 500);
	return viewOf('Device', [state.device, log, holds], () => {
		const present = now();
		const {conditions} = state.device.value;
		const rows = Object.entries(conditions).map(([word, one]) => ({word, ...one, held: holds.value.filter(why => why.gates.includes(gateOf(word)))}));
		return page('Device', null, table('Conditions of the machine', rows, [
			col('Condition', 'word', one => h('span.phrase', gateIcon(gateOf(one.word)), one.word), 'word'),
			col('Value', 'word', one => [h('b', say(one.value)), one.overridden && h('small', 'overridden; observed ', say(one.observed)), one.next && h('small', 'until ', when(one.next))], 'value'),
			mayChange() && col('Override', 'word', one => h('select', {label: `Override ${one.word}`, disabled: !isLive(), onchange: event => {
				const value = event.target.value;
				event.target.value = '';
				if (value) perform({method: 'PATCH', path: '/v1/device', body: {[one.word]: value}, done: `${one.word} is ${value} for the host`, undo: {method: 'PATCH', path: '/v1/device', body: {[one.word]: one.value}, done: `${one.word} is ${one.value} again`}});
			}}, h('option', {value: ''}, one.overridden ? `${one.value}` : 'as observed'), [...VALUES[one.word], ...(one.word === 'battery' ? [] : ['unknown'])].map(value => h('option', {value}, value)))),
			col('Holds', 'wide m', one => (one.held.length ? one.held.slice(0, 8).map(why => [taskLink(why.identifier), h('small', why.gates.length === 1 ? 'it alone: would be released' : `and ${why.gates.length - 1} more`)]) : '–')),
			col('Source', 'wide l', one => h('small', say(one.source ?? 'none'))),
			timeColumn('Since', 'since', 'time m'),
		], {key: one => one.word}), section('Last 24 hours', lanes('Last 24 hours', present - DAY, present, rows.map(one => ({label: one.word, icon: GATES[gateOf(one.word)] ?? 'gauge', parts: conditionParts(log.value, one.word, one.value, present)})))));
	}, {close: () => [log, holds].forEach(one => one.close())});
}

// Journal and manifests

function journalView() {
	let fresh = 0;
	let older = [];
	let next = null;
	const newest = new Resource(async () => {
		const part = await get('/v1/journal', {limit: 100});
		[fresh, older, next] = [0, [], part.next];
		return part.entries;
	});
	async function more() {
		const before = next;
		const part = await get('/v1/journal', {limit: 100, before}).catch(refusal);
		if (before !== next || !part) return;
		older = [...older, ...part.entries];
		next = part.next;
		shown.set('Journal', 100 + older.length);
		draw();
	}
	return viewOf('Journal', [newest], () => {
		const rows = [...newest.value, ...older].filter(one => fitsText(one.kind, one.subject, one.text));
		return page('Journal', [textFilter('Filter the journal'), fresh > 0 && h('button.primary', {onclick: () => newest.reload()}, `${fresh} new`)],
			table('Journal', rows, [timeColumn('At', 'at'), col('Kind', 'word', 'kind'), col('Subject', 'wide m', one => (one.subject ? mono(one.subject) : '–'), 'subject'), col('Text', 'wide', one => say(one.text))], {key: one => `${one.at} ${one.kind} ${one.subject} ${one.text}`, none: 'No entry fits.'}),
			next != null && h('p.more', button('Older', more)));
	}, {event: event => { if (event === 'journal') fresh++; }});
}

/** A fault of a manifest, taken apart: `file:line:column: path: found …; expected …; hint`. */
function fault(text) {
	const [, place, where, found, right, hint] = /^(.*?:\d+:\d+): (.*?): (found .*?); (expected .*?)(?:; (.*))?$/s.exec(text) ?? [];
	if (!found) return h('li', say(text));
	return h('li', h('div', mono(place.split('/').pop()), ' ', mono(where)), h('div', say(found)), h('div', say(right)), hint && h('div.muted', say(hint)));
}

function manifestsView() {
	const manifests = new Resource(() => get('/v1/manifests'), ['journal'], 500);
	return viewOf('Manifests', [manifests], () => {
		const {manifests: files, diagnostics} = manifests.value;
		return page('Manifests', [textFilter('Filter manifests'), action('Reload', {path: '/v1/reload', done: answer => `Read ${plural(answer.loaded, 'application')}, ${plural(answer.diagnostics.length, 'fault')}`, after: () => manifests.reload()})],
			diagnostics.length > 0 && h('ul.banner.warn', {key: 'all'}, diagnostics.map(fault)),
			table('Manifests', files.filter(one => fitsText(one.path, one.application)).sort((a, b) => b.faults.length - a.faults.length), [
				col('', 'tick', one => icon(one.faults.length ? 'cross' : 'check', one.faults.length ? 'bad' : 'good')),
				col('File', 'wide', one => [h('b', mono(one.path.split('/').pop())), h('small', mono(one.path.slice(0, one.path.lastIndexOf('/')))), one.faults.length > 0 && h('ul.faults', one.faults.map(fault))], 'path'),
				col('Application', 'wide m', one => ([one.application ? appLink(one.application) : 'unreadable', !one.isUsed && h('small.bad', 'not used')]), 'application'),
				col('Faults', 'num', one => one.faults.length, one => one.faults.length),
			], {key: one => one.path, none: 'No manifest fits.'}));
	});
}

const VIEWS = {'': nowView, tasks: tasksView, calendar: calendarView, runs: historyView, apps: applicationsView, transfers: transfersView, device: deviceView, journal: journalView, manifests: manifestsView};
const DETAILS = {tasks: taskView, runs: runView, apps: applicationView};

for (const link of byId('nav').querySelectorAll('a')) link.prepend(create(icon(link.dataset.icon)));
// Another link in this tab is another session.
addEventListener('hashchange', () => (location.hash.startsWith('#token=') ? location.reload() : view && navigate()));
try {
	await openSession();
	state.start();
	navigate();
	if (document.hidden) stream.set('hidden');
	else stream.open();
} catch (problem) {
	session.problem = problem;
	stream.set('gone');
}
