// Elements: a small virtual tree, and when it is drawn.

const SVG = 'http://www.w3.org/2000/svg';
export const byId = id => document.getElementById(id);
/** Markup of a template in index.html. */
export const cloneOf = id => byId(id).content.firstElementChild.cloneNode(true);
export const isShown = kid => kid != null && kid !== false && kid !== '';

/** A node of the virtual tree: `h('p.muted', {title}, …children)`; the properties may be left out. */
export function h(selector, props, ...kids) {
	if (typeof props !== 'object' || props === null || Array.isArray(props) || props.tag) [props, kids] = [{}, [props, ...kids]];
	const [tag, ...classes] = selector.split('.');
	if (classes.length) props = {...props, class: [...classes, props.class].filter(Boolean).join(' ')};
	return {tag, props, kids: kids.flat(Infinity).filter(isShown)};
}

export function create(v) {
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

export function setProperty(node, name, value) {
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
export function patchKids(node, kids) {
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

export const icon = (name, more) => h('svg.icon', {class: more, viewBox: '0 0 16 16', 'aria-hidden': 'true'}, h('use', {href: '#' + name}));

let isDue = false;
/** What the page consists of: `frame` draws all of it. */
export const canvas = {frame() {}};

/** Draws everything before the next frame. */
export function draw() {
	if (isDue) return;
	isDue = true;
	requestAnimationFrame(() => {
		isDue = false;
		canvas.frame();
	});
}
