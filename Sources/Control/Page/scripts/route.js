// Where the page is: the view that is shown, and its address.

import {draw, isShown} from './elements.js';
import {path, query} from './text.js';

/** What is shown, and the parts and parameters of its address. */
export let view = null;
export let route = {parts: [''], query: {}};

/** Goes to another route: the former view is closed, and `make` makes the next one. */
export function enter(next, make) {
	view?.close?.();
	route = next;
	shown.clear();
	view = make(route.parts[1]);
}

/** Changes the parameters of the route without a new entry in the history. */
export function setQuery(changes) {
	route.query = Object.fromEntries(Object.entries({...route.query, ...changes}).filter(([, value]) => isShown(value) && value !== 0));
	history.replaceState(null, '', path(...route.parts) + query(route.query));
	draw();
}

/** How many rows of a table are on the page, by its caption. */
export const shown = new Map();
