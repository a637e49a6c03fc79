// Words of the host.

import {get} from './host.js';

/** The host's words for outcomes, kinds, gates, conditions and states, with what each means: the page has no list of its own. Empty until they are read. */
export const words = {outcomes: [], kinds: [], gates: [], conditions: [], applicationStates: [], transferStates: [], signals: []};
export async function readWords() {
	Object.assign(words, await get('/v1/words'));
}

/** Orders of past runs that the host makes, from the largest: the word of an address, and the host's. */
export const ORDERS = {time: 'wallTime', cpu: 'cpuTime', memory: 'peakMemory'};

export const outcomeOf = word => words.outcomes.find(one => one.outcome === word);
/** What starts a task's `onFailure`, too. */
export const failures = () => words.outcomes.filter(one => one.isFailure).map(one => one.outcome);
/** Symbol and tone of a run's outcome. */
export const markOf = run => {
	const row = run.outcome ? outcomeOf(run.outcome) ?? {symbol: 'cross', tone: 'bad'} : {symbol: 'ring', tone: 'info'};
	return [row.symbol, row.tone];
};

export const gateSymbol = gate => words.gates.find(one => one.gate === gate)?.symbol ?? 'gauge';
const conditionOf = word => words.conditions.find(one => one.condition === word);
export const gateOf = word => conditionOf(word)?.gate ?? word;
const isRange = value => value.includes('…');
/** Values that the user may choose for a condition; some of a range. */
export const choicesOf = word => (conditionOf(word)?.values ?? []).flatMap(value => (isRange(value) ? ['5', '15', '20', '50', '80', '100'] : value));
/** How far a value is from the best one; 0 where values are a range. */
export const levelOf = (word, value) => {
	const values = conditionOf(word)?.values ?? [];
	return values.some(isRange) ? 0 : Math.max(0, values.indexOf(value));
};

export const isOpenTransfer = transfer => words.transferStates.find(one => one.state === transfer.state)?.isOpen ?? true;
export const signalOf = number => words.signals.find(one => one.signal === number)?.name ?? 'SIGRT';
