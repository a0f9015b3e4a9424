// The search: the only thing on the site that needs JavaScript. The index is loaded when the field is first used, and is looked through here.
"use strict";

(() => {
  const form = document.querySelector("form[role=search]");
  const field = document.getElementById("search");
  const box = document.getElementById("found");
  const status = box.querySelector("p");
  const list = box.querySelector("ol");
  const most = 20;
  let sections = null;

  // The index is a script that calls this: a page that is opened as a file may not fetch.
  window.searchIndex = (index) => {
    sections = index.map(([page, heading, address, text]) => ({
      page, heading, address, text, names: ` ${page} ${heading}`.toLowerCase(), words: ` ${text}`.toLowerCase(),
    }));
    show();
  };

  function load() {
    if (document.querySelector("script[src='search-index.js']")) return;
    const script = document.createElement("script");
    script.src = "search-index.js";
    document.head.append(script);
  }

  // A section is found if it has all words. Names count more than text, the beginning of a word more than its middle, and a word that a
  // short text has often more than one that a long text has somewhere.
  function rank(section, words) {
    let sum = 0;
    for (const word of words) {
      const name = section.names.includes(` ${word}`) ? 40 : section.names.includes(word) ? 20 : 0;
      const times = section.words.split(word).length - 1;
      if (!name && !times) return 0;
      sum += name + Math.min(20, (times * 2000) / (section.text.length + 400)) + (section.words.includes(` ${word}`) ? 5 : 0);
    }
    return sum;
  }

  // The text around the first word, with that word marked.
  function excerpt(section, words) {
    const places = words.map((word) => section.words.indexOf(word) - 1).filter((place) => place >= 0);
    const line = document.createElement("span");
    const at = places.length ? Math.min(...places) : 0;
    const begin = at < 60 ? 0 : section.text.indexOf(" ", at - 60) + 1;
    const cut = section.text.slice(begin, at + 120);
    const marked = places.length ? words.find((word) => section.words.indexOf(word) - 1 === at) : "";
    const mark = document.createElement("mark");
    mark.textContent = section.text.slice(at, at + marked.length);
    line.append((begin ? "… " : "") + cut.slice(0, at - begin), ...(marked ? [mark] : []), cut.slice(at - begin + marked.length) + " …");
    return line;
  }

  function show() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    box.hidden = words.length === 0;
    list.replaceChildren();
    if (box.hidden) return;
    if (!sections) {
      status.textContent = "Loading …";
      return;
    }
    const found = sections.map((section) => [rank(section, words), section]).filter(([points]) => points > 0);
    found.sort((a, b) => b[0] - a[0]);
    status.textContent = found.length === 0 ? "Nothing has all these words."
      : found.length > most ? `${found.length} places; the best ${most}:` : found.length === 1 ? "1 place:" : `${found.length} places:`;
    for (const [, section] of found.slice(0, most)) {
      const item = document.createElement("li");
      const link = document.createElement("a");
      link.href = section.address;
      link.textContent = section.heading === section.page ? section.page : `${section.page}: ${section.heading}`;
      item.append(link, excerpt(section, words));
      list.append(item);
    }
  }

  function links() {
    return [...list.querySelectorAll("a")];
  }

  form.hidden = false;
  field.addEventListener("focus", load);
  field.addEventListener("input", show);
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    links()[0]?.click();
  });
  // A result on this same page closes the box, too.
  list.addEventListener("click", () => { box.hidden = true; });
  form.addEventListener("focusout", (event) => {
    if (event.relatedTarget && !form.contains(event.relatedTarget)) box.hidden = true;
  });
  field.addEventListener("focus", () => { box.hidden = field.value.trim() === ""; });
  document.addEventListener("keydown", (event) => {
    const typing = document.activeElement === field;
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      field.focus();
      field.select();
    } else if (event.key === "Escape" && form.contains(document.activeElement)) {
      box.hidden = true;
      field.focus();
    } else if ((event.key === "ArrowDown" || event.key === "ArrowUp") && form.contains(document.activeElement)) {
      const stops = [field, ...links()];
      const next = stops.indexOf(document.activeElement) + (event.key === "ArrowDown" ? 1 : -1);
      event.preventDefault();
      stops[Math.max(0, Math.min(next, stops.length - 1))].focus();
    }
  });
})();
