"use strict";

// What comes from a feed or from the service is only ever set as text, never as markup.

const element = (id) => document.getElementById(id);
const make = (name, text, className) => {
  const made = document.createElement(name);
  if (text !== undefined) made.textContent = text;
  if (className) made.className = className;
  return made;
};

/** A text area with numbered lines and marked stretches. */
class Editor {
  constructor(name, changed) {
    this.area = element(name);
    [this.gutter, this.layer] = element(`${name}-editor`).children;
    this.area.addEventListener("input", () => { this.mark([]); changed(); });
    this.area.addEventListener("scroll", () => this.scroll());
    this.mark([]);
  }

  get text() { return this.area.value; }
  set text(text) { this.area.value = text; this.mark([]); }

  /** Marks stretches of the text, which are told in units of its string. */
  mark(stretches) {
    const text = this.text;
    const wrong = new Set();
    const parts = [];
    let done = 0;
    for (const { start, end } of [...stretches].sort((a, b) => a.start - b.start)) {
      if (start < done || end <= start) continue;
      parts.push(text.slice(done, start), make("mark", text.slice(start, end)));
      wrong.add(lineOf(text, start));
      done = end;
    }
    // The line feed keeps the last line as high as that of the text area.
    this.layer.replaceChildren(...parts, text.slice(done) + "\n");
    const count = lineOf(text, text.length);
    const numbers = [];
    for (let line = 1; line <= count; line += 1) {
      numbers.push(make("div", String(line), wrong.has(line) ? "wrong" : ""));
    }
    this.gutter.replaceChildren(...numbers);
    this.area.setAttribute("aria-invalid", String(wrong.size > 0));
    this.scroll();
  }

  scroll() {
    this.layer.scrollTop = this.gutter.scrollTop = this.area.scrollTop;
    this.layer.scrollLeft = this.area.scrollLeft;
  }

  /** Puts the cursor to a stretch. */
  show(stretch) {
    this.area.focus();
    this.area.setSelectionRange(stretch.start, stretch.end);
    const height = parseFloat(getComputedStyle(this.area).lineHeight);
    this.area.scrollTop = Math.max(0, (lineOf(this.text, stretch.start) - 4) * height);
  }
}

const lineOf = (text, index) => {
  let line = 1;
  for (let at = text.indexOf("\n"); at >= 0 && at < index; at = text.indexOf("\n", at + 1)) line += 1;
  return line;
};

/** Where bytes of the UTF-8 of a text are in its string; `offsets` go up. */
const indicesOf = (text, offsets) => {
  const found = new Map();
  let next = 0;
  let byte = 0;
  let index = 0;
  for (const character of text) {
    while (next < offsets.length && offsets[next] <= byte) found.set(offsets[next++], index);
    if (next === offsets.length) break;
    const code = character.codePointAt(0);
    byte += code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    index += character.length;
  }
  while (next < offsets.length) found.set(offsets[next++], text.length);
  return found;
};

/** The stretch of a mapping that a mistake is about: from its place to the end of the word. */
const stretchOf = (mistake, text) => {
  let start = 0;
  for (let line = 1; line < mistake.line; line += 1) {
    const end = text.indexOf("\n", start);
    if (end < 0) break;
    start = end + 1;
  }
  const rest = text.slice(start).split("\n", 1)[0];
  const before = [...rest].slice(0, mistake.column - 1).join("");
  const word = /^[\w.$-]+|^[^\s]?/.exec(rest.slice(before.length))[0];
  start += Math.min(before.length, Math.max(rest.length - 1, 0));
  return { start, end: start + Math.max(word.length, 1) };
};

/** A finding with a button that leads to its place. */
const finding = (code, what, hint, name, show) => {
  const item = make("li");
  const text = make("p", undefined, "what");
  text.append(make("span", code, "code"), " ", what);
  item.append(text);
  if (hint) item.append(make("p", hint, "hint"));
  if (show) {
    const button = make("button", name);
    button.type = "button";
    button.addEventListener("click", show);
    item.append(button);
  }
  return item;
};

/** The line of a stretch, with the stretch marked; a long line is cut. */
const excerpt = (text, { start, end }) => {
  const begin = Math.max(text.lastIndexOf("\n", start - 1) + 1, start - 60);
  const lineEnd = text.indexOf("\n", start);
  const stop = Math.min(lineEnd < 0 ? text.length : lineEnd, end + 60);
  const marked = Math.min(end, stop);
  const shown = make("div", undefined, "excerpt");
  shown.append(text.slice(begin, start), make("mark", text.slice(start, marked)), text.slice(marked, stop));
  shown.tabIndex = 0;
  shown.setAttribute("role", "group");
  shown.setAttribute("aria-label", "The place in the sample");
  return shown;
};

/** What ends too early has no bytes of its own: the line that ends there is marked. */
const lineBefore = (text, index) => {
  const end = text.slice(0, index).trimEnd().length;
  return end > 0 ? { start: text.slice(0, end).lastIndexOf("\n") + 1, end } : undefined;
};

const showMistakes = (mistakes) => {
  const text = mapping.text;
  const stretches = mistakes.map((mistake) => stretchOf(mistake, text));
  mapping.mark(stretches);
  element("mistakes").replaceChildren(...mistakes.map((mistake, index) => finding(
    `Line ${mistake.line}:`, mistake.message,
    mistake.suggestion ? `Did you mean “${mistake.suggestion}”?` : mistake.note,
    `Go to line ${mistake.line}`, () => mapping.show(stretches[index]))));
  element("mapping-note").textContent =
    mistakes.length === 0 ? "No mistakes." : mistakes.length === 1 ? "1 mistake." : `${mistakes.length} mistakes.`;
};

const showFailures = (failures) => {
  const text = sample.text;
  const offsets = [...new Set(failures.flatMap((f) => f.start === undefined ? [] : [f.start, f.end]))];
  const indices = indicesOf(text, offsets.sort((a, b) => a - b));
  const stretches = failures.map((f) => {
    if (f.start === undefined) return undefined;
    const [start, end] = [indices.get(f.start), indices.get(f.end)];
    return start < end ? { start, end } : lineBefore(text, start);
  });
  sample.mark(stretches.filter((stretch) => stretch));
  element("rejected").replaceChildren(...failures.map((failure, index) => {
    const stretch = stretches[index];
    const place = failure.line ? `, line ${failure.line}, column ${failure.column}` : "";
    const item = finding(
      failure.code, failure.message, `Record ${failure.record}${place}, at ${failure.path}`,
      `Show line ${failure.line}, column ${failure.column} in the sample`, stretch && (() => sample.show(stretch)));
    if (stretch) item.querySelector("button").before(excerpt(text, stretch));
    return item;
  }));
};

/** JSON with a line for each member and element; each value stays as it is written. */
const indented = (json) => {
  const tokens = json.match(/"(?:[^"\\]|\\.)*"|[[\]{},:]|[^\s"[\]{},:]+/g) ?? [];
  let text = "";
  let depth = 0;
  const line = () => `\n${"  ".repeat(depth)}`;
  tokens.forEach((token, index) => {
    const [isOpen, isClose] = ["[{", "]}"].map((brackets) => token.length === 1 && brackets.includes(token));
    const isEmpty = isClose && "[{".includes(tokens[index - 1]);
    if (isOpen) depth += 1;
    if (isClose) depth -= 1;
    if (isClose && !isEmpty) text += line();
    text += token === ":" ? ": " : token;
    if (token === "," || (isOpen && !["]", "}"].includes(tokens[index + 1]))) text += line();
  });
  return text;
};

/** Each record is one line, and unfolds; those that are unfolded stay so while the texts change. */
const showRecords = (mapped) => {
  const list = element("mapped");
  const open = [...list.children].map((item) => item.firstChild.open);
  list.replaceChildren(...mapped.map((json, index) => {
    const record = make("details");
    record.append(make("summary", json), make("pre", indented(json)));
    record.open = open[index] ?? false;
    const item = make("li");
    item.append(record);
    return item;
  }));
};

/** What no record has: paths to records, and members that are null or empty in every mapped record. */
const missing = (mapped, summary) => {
  if (isEmpty()) return [];
  const found = (summary?.unseenPaths ?? []).map((path) => ["The sample has no", path]);
  const never = new Map();
  for (const json of mapped) {
    const record = JSON.parse(json);
    if (record === null || typeof record !== "object" || Array.isArray(record)) continue;
    for (const [name, value] of Object.entries(record)) {
      const isEmpty = value === null || (typeof value === "object" && Object.keys(value).length === 0);
      never.set(name, isEmpty && (never.get(name) ?? true));
    }
  }
  for (const [name, isNever] of never) if (isNever) found.push(["Null or empty in every record:", name]);
  return found;
};

const isEmpty = () => sample.text.trim() === "";

const shownCount = (count) => count.toLocaleString("en");

const counted = (count, thing) => `${shownCount(count)} ${thing}${count === 1 ? "" : "s"}`;

const verdict = (summary, hint) => {
  if (!summary) return "The mapping has mistakes, so nothing is mapped.";
  if (isEmpty()) return "The sample is empty.";
  const dropped = summary.dropped ? `, ${summary.dropped} dropped by the condition` : "";
  const counts = `${counted(summary.records, "record")}: ${shownCount(summary.mapped)} mapped, ${shownCount(summary.rejected)} rejected${dropped}.`;
  const said = summary.verdict === "complete" ? counts : `${counts} The sample is not complete: ${summary.verdict}.`;
  return hint ? `${said} Hint: ${hint}.` : said;
};

/** Shows nothing of an earlier answer. */
const clear = () => {
  for (const editor of [mapping, sample]) editor.mark([]);
  for (const name of ["mistakes", "mapping-note", "mapped", "rejected", "missing"]) element(name).replaceChildren();
};

const show = ({ mistakes, mapped, failures, summary, hint }) => {
  showMistakes(mistakes);
  showFailures(failures);
  showRecords(mapped);
  element("missing").replaceChildren(...missing(mapped, summary).map(([text, name]) => {
    const item = make("li", `${text} `);
    item.append(make("code", name));
    return item;
  }));
  element("verdict").textContent = verdict(summary, hint);
};

let pending;
let running;

/** Says whether what is shown belongs to an earlier text. */
const busy = (isBusy) => element("result").setAttribute("aria-busy", String(isBusy));

/** Asks the service, a moment after the last key. */
const changed = () => {
  busy(true);
  askLater(250);
};

const askLater = (milliseconds) => {
  clearTimeout(pending);
  pending = setTimeout(ask, milliseconds);
};

const ask = async () => {
  running?.abort();
  const attempt = running = new AbortController();
  try {
    const result = await request("try", {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ mapping: mapping.text, sample: sample.text }),
      signal: attempt.signal,
    });
    // What is typed meanwhile has other places.
    if (running === attempt) {
      show(result);
      busy(false);
    }
  } catch (error) {
    if (error.name === "AbortError") return;
    clear();
    element("verdict").textContent = `Not tried: ${error.message}.`;
    askLater(2000);
  }
};

/** What the service answers, as JSON or as `read` says; the error says why there is none. */
const request = async (address, options, read = (answer) => answer.json()) => {
  let answer;
  try {
    answer = await fetch(address, options);
  } catch (error) {
    throw error.name === "AbortError" ? error : new Error("the service does not answer");
  }
  if (answer.ok) return read(answer);
  const problem = await answer.json().catch(() => ({}));
  throw new Error(problem.detail ?? `the service answers ${answer.status}`);
};

const mostOfFile = 256 * 1024;

const open = async () => {
  const file = element("file").files[0];
  if (!file) return;
  let text = await file.slice(0, mostOfFile).text();
  const isCut = file.size > mostOfFile;
  if (isCut) text = text.slice(0, text.lastIndexOf("\n") + 1 || undefined);
  sample.text = text;
  element("sample-note").textContent = isCut ? `${file.name}: its first 256 KiB.` : `${file.name}.`;
  changed();
};

const mapping = new Editor("mapping", changed);
const sample = new Editor("sample", () => { element("sample-note").textContent = ""; changed(); });
element("file").addEventListener("change", open);
ask();
