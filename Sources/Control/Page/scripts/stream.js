// The stream of events.

import {draw} from './elements.js';
import {api, Problem, session} from './host.js';

/** The stream of events. `opened`: it is open again, and what was missed has to be read; `happened`: an event came. `phase`: opening, open, retrying (it broke), gone (the host does not answer), hidden. */
export const stream = {
	phase: 'opening', last: null, at: null, next: 0, tries: 0, opened() {}, happened() {},

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
			if (wasGone) this.opened();
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
				if (event.data) this.happened(event.event, JSON.parse(event.data));
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

export const isLive = () => stream.phase === 'open';
export const isBroken = () => stream.phase === 'gone' || stream.phase === 'retrying';
session.didEnd = () => stream.close('gone');

// A hidden tab costs the host nothing. What it missed comes when somebody looks at it again.
document.addEventListener('visibilitychange', () => {
	if (!session.key || session.problem) return;
	if (document.hidden) stream.close('hidden');
	else stream.open();
});
