// The search, which needs nothing but index.js beside it, and the list of pages on narrow screens.
"use strict";
const root = document.currentScript.dataset.root.replace(/\/?$/, "/");
const form = document.querySelector(".search");
const field = form.querySelector("input");
const found = form.querySelector(".found");
let index = null;
let chosen = -1;

function load() {
    if (index !== null) return;
    index = [];
    const script = document.createElement("script");
    script.src = root + "search/index.js";
    script.onload = () => {
        index = window.siteIndex.map(([page, title, place, text]) => ({
            page, title, place, text, low: text.toLowerCase(), name: title.toLowerCase(),
        }));
        show();
    };
    document.head.append(script);
}

// How well an entry fits: each word must be somewhere in it; in the heading it counts most, as a whole word more.
function weight(entry, words) {
    let sum = 0;
    for (const word of words) {
        if (entry.name === word) sum += 60;
        if (entry.name.includes(word)) sum += 20;
        const at = entry.low.indexOf(word);
        if (at < 0) {
            if (!entry.name.includes(word)) return 0;
            continue;
        }
        sum += 2 + Math.min(entry.low.split(word).length - 1, 6);
        if (!/\w/.test(entry.low[at - 1] || " ")) sum += 3;
    }
    return entry.place.includes("#") ? sum : sum + 1;
}

function excerpt(entry, word) {
    const at = Math.max(0, entry.low.indexOf(word));
    const from = Math.max(0, at - 50);
    return (from > 0 ? "…" : "") + entry.text.slice(from, at + 110).replace(/\s+/g, " ") + "…";
}

function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
    found.replaceChildren();
    chosen = -1;
    found.hidden = words.length === 0;
    if (found.hidden) return;
    const best = index.map((entry) => [weight(entry, words), entry]).filter(([sum]) => sum > 0)
        .sort(([one], [other]) => other - one).slice(0, 12);
    for (const [, entry] of best) {
        const item = document.createElement("li");
        const link = document.createElement("a");
        const title = document.createElement("strong");
        const text = document.createElement("span");
        link.href = root + entry.place;
        title.textContent = entry.title === entry.page ? entry.title : `${entry.page} › ${entry.title}`;
        text.textContent = excerpt(entry, words[0]);
        link.append(title, text);
        item.append(link);
        found.append(item);
    }
    if (best.length === 0) {
        const item = document.createElement("li");
        item.className = "none";
        item.textContent = index.length === 0 ? "…" : "Nothing has these words.";
        found.append(item);
    }
}

function choose(step) {
    const links = [...found.querySelectorAll("a")];
    if (links.length === 0) return;
    chosen = (chosen + step + links.length) % links.length;
    links.forEach((link, place) => link.classList.toggle("chosen", place === chosen));
    links[chosen].scrollIntoView({ block: "nearest" });
}

form.hidden = false;
field.addEventListener("focus", load);
field.addEventListener("input", () => { load(); show(); });
form.addEventListener("submit", (event) => {
    event.preventDefault();
    (found.querySelectorAll("a")[Math.max(chosen, 0)] || { click() {} }).click();
});
document.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { field.value = ""; show(); field.blur(); }
    const isTyping = /^(INPUT|TEXTAREA)$/.test(document.activeElement.tagName);
    if (event.key === "/" && !isTyping) { event.preventDefault(); field.focus(); }
    if (document.activeElement === field && event.key === "ArrowDown") { event.preventDefault(); choose(1); }
    if (document.activeElement === field && event.key === "ArrowUp") { event.preventDefault(); choose(-1); }
});
document.addEventListener("click", (event) => { if (!form.contains(event.target)) found.hidden = true; });
found.addEventListener("click", () => { found.hidden = true; });

// On wide screens the list of pages is always open.
const list = document.querySelector(".pages details");
const isWide = window.matchMedia("(min-width: 60rem)");
const follow = () => { list.open = isWide.matches; };
isWide.addEventListener("change", follow);
follow();
const here = list.querySelector("[aria-current]");
if (here && isWide.matches) {
    const pane = document.querySelector(".pages");
    pane.scrollTop = here.getBoundingClientRect().top - pane.getBoundingClientRect().top - pane.clientHeight / 3;
}
