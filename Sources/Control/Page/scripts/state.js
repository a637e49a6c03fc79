// What is known of the host.

import {draw} from './elements.js';
import {clock, DAY, instant, ms, now} from './text.js';
import {get, idPath, listed, runsOf, session} from './host.js';
import {failures, outcomeOf, readWords} from './words.js';
import {stream} from './stream.js';
import {view} from './route.js';

/** A document that is read again when events say that it changed: at once, and then no faster than it can be read. */
export class Resource {
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

const ON_REQUESTS = ['request.submitted', 'request.replaced', 'request.cancelled', 'request.skipped', 'run.started', 'run.ended'];
// Whatever can change what a request waits for.
export const ON_WAITS = ['device', 'journal', 'application.state', ...ON_REQUESTS];
export const FAILED_AT_MOST = 500;

/** What is known of a run with what was read of it: an event may have overtaken the reply. */
const newer = (known, read) => ((known?.startedAt && !read.startedAt) || (known?.expiredAt && !read.expiredAt) ? {...read, ...known} : {...known, ...read});

export const state = {
	resources: new Set(),
	/** Runs in progress by id, and those that began or ended while they were read. */
	runs: new Map(), moved: new Set(),

	start() {
		this.host = new Resource(async () => {
			const asked = Date.now();
			const host = await get('/v1/host');
			clock.skew = ms(host.time) - (asked + Date.now()) / 2;
			clock.virtual = host.clock === 'virtual' ? ms(host.time) : null;
			return host;
		}, ['run.submitted', 'transfer.added', 'transfer.ended', ...ON_REQUESTS], 400);
		this.device = new Resource(() => get('/v1/device'));
		this.pauses = new Resource(() => listed('pauses', '/v1/pauses'), ['journal']);
		this.failed = new Resource(() => runsOf({outcome: failures(), since: instant('-24h'), limit: FAILED_AT_MOST}));
		this.applications = new Resource(() => listed('applications', '/v1/applications'), ['journal', 'application.state', 'application.terminated', 'run.ended'], 300);
		this.present = new Resource(() => this.readRuns());
		// A host that was away may have become another version.
		stream.opened = () => readWords().catch(() => {}).then(() => this.reload());
		stream.happened = (event, data) => this.happened(event, data);
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
				if (failed && outcomeOf(data.outcome)?.isFailure && !failed.some(one => one.run === data.run)) this.failed.value = [data, ...failed].slice(0, FAILED_AT_MOST);
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
export const failedLately = () => state.failed?.value?.filter(one => ms(one.submittedAt) > now() - DAY);
export const mayChange = () => !session.readOnly && state.host?.value?.mayChange !== false;

export const isGoingOn = test => [...state.runs.values()].some(test);
