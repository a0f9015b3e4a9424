"use strict";

// The part of the page that needs a token: feeds that are running, the uploads with their rejects, and the service's mappings.

/** Asks with the token; it is kept in the page alone. */
const get = (address, read) => request(address, { headers: { Authorization: `Bearer ${element("token").value}` } }, read);

const feedsNote = (text) => {
  if (element("feeds-note").textContent !== text) element("feeds-note").textContent = text;
};

/** The figures of the tenant's feeds that are running, while the page is looked at. */
const watch = async () => {
  if (element("token").value === "") {
    showFeeds([]);
    showUploads([]);
    showMappings([]);
    feedsNote("Give a token to see the feeds of its tenant.");
  } else if (!document.hidden) {
    try {
      const feeds = await get("feeds");
      showFeeds(feeds);
      feedsNote(feeds.length === 0 ? "No feed is running." : `${counted(feeds.length, "feed")} running.`);
      await lookAgain(feeds);
    } catch (error) {
      showFeeds([]);
      showUploads([]);
      showMappings([]);
      feedsNote(`Not shown: ${error.message}.`);
    }
  }
  setTimeout(watch, 1000);
};

/** A button that shows an upload; one that is there already keeps the focus. */
const showLink = (cell, name) => {
  let link = cell.firstChild;
  if (!link) {
    link = cell.appendChild(make("button"));
    link.type = "button";
  }
  link.textContent = name;
  link.onclick = () => { element("upload").value = name; showUpload(); };
};

const showFeeds = (feeds) => {
  // The rows stay, so that a button keeps the focus.
  const body = element("feeds");
  while (body.rows.length > feeds.length) body.deleteRow(-1);
  feeds.forEach((feed, index) => {
    const row = body.rows[index] ?? body.insertRow();
    const megabytes = feed.bytes / 1e6;
    const texts = [
      feed.tenant, feed.upload, feed.mapping, shownCount(feed.records), shownCount(feed.rejected),
      megabytes.toFixed(1), (megabytes / Math.max(feed.seconds, 0.001)).toFixed(1), feed.seconds.toFixed(0),
    ];
    texts.forEach((text, column) => {
      const cell = row.cells[column] ?? row.insertCell();
      if (column !== 1) cell.textContent = text;
    });
    showLink(row.cells[1], feed.upload);
  });
  element("feeds-region").hidden = feeds.length === 0;
};

/** For which token, and which running feeds, the uploads are shown. */
let shownFor;
/** Where older uploads are, if there are any. */
let older;

/** Asks for the uploads if they may be others than those that are shown: another token, or a feed that began or ended. */
const lookAgain = async (feeds) => {
  const wanted = JSON.stringify([element("token").value, feeds.map((feed) => feed.upload)]);
  if (wanted === shownFor) return;
  const [{ uploads, next }, { mappings }] = await Promise.all([get("uploads"), get("mappings")]);
  showUploads(uploads, next);
  showMappings(mappings);
  shownFor = wanted;
};

/** The names of the service's mappings: one can be opened in the place of what is written. */
const showMappings = (names) => {
  const list = element("mappings");
  const shown = [...list.options].slice(1).map((option) => option.value);
  if (list.options.length === 0 || shown.join("\n") !== names.join("\n")) {
    list.replaceChildren(make("option", "mappings …"), ...names.map((name) => make("option", name)));
    list.options[0].value = "";
  }
  element("own").hidden = names.length === 0;
};

const openMapping = async () => {
  const name = element("mappings").value;
  if (!name) return;
  try {
    const address = `mappings/${name.split("/").map(encodeURIComponent).join("/")}`;
    mapping.text = await get(address, (answer) => answer.text());
    changed();
  } catch (error) {
    feedsNote(`Not shown: ${error.message}.`);
  }
};

const stateOf = (upload) => {
  if (upload.complete) return "complete";
  return upload.refused ? "refused for its content" : `continues at byte ${shownCount(upload.offset)}`;
};

const time = (text) => {
  const shown = make("time", new Date(text).toLocaleString("en", { dateStyle: "medium", timeStyle: "short" }));
  shown.dateTime = text;
  return shown;
};

const uploadRow = (upload) => {
  const row = make("tr");
  const link = make("td");
  showLink(link, upload.id);
  const changed = make("td");
  changed.append(time(upload.changed));
  const counts = [shownCount(upload.records), shownCount(upload.rejected)].map((text) => make("td", text));
  row.append(link, make("td", upload.mapping), make("td", stateOf(upload)), ...counts, changed);
  return row;
};

/** Shows uploads in the place of others, or after them. */
const showUploads = (uploads, next, isMore = false) => {
  const body = element("uploads");
  if (!isMore) body.replaceChildren();
  body.append(...uploads.map(uploadRow));
  older = next;
  shownFor = undefined;
  element("older").hidden = !next;
  element("past").hidden = body.rows.length === 0;
};

const showOlder = async () => {
  const button = element("older");
  button.disabled = true;
  try {
    const [before, { uploads, next }] = [shownFor, await get(older)];
    showUploads(uploads, next, true);
    shownFor = before;
  } catch (error) {
    feedsNote(`Not shown: ${error.message}.`);
  }
  button.disabled = false;
};

/** Adds rejected records to a list, and a button for those after them. */
const addRejects = async (list, address) => {
  const { rejects, next } = await get(address);
  for (const reject of rejects) {
    for (const error of reject.errors) {
      const place = error.line ? `, line ${error.line}, column ${error.column}` : "";
      list.append(finding(error.code, error.message, `Record ${reject.record}${place}, at ${error.path}`));
    }
  }
  if (!next) return;
  const more = make("button", "More rejected records");
  more.type = "button";
  more.onclick = async () => {
    more.disabled = true;
    try {
      await addRejects(list, next);
      more.remove();
    } catch (error) {
      more.disabled = false;
      feedsNote(`Not shown: ${error.message}.`);
    }
  };
  list.after(more);
};

/** What is stored of an upload, and its rejected records. */
const showUpload = async (event) => {
  event?.preventDefault();
  const name = element("upload").value.trim();
  const shown = element("upload-shown");
  if (!name) return shown.replaceChildren();
  const address = `uploads/${encodeURIComponent(name)}`;
  try {
    const upload = await get(address);
    const state = upload.complete ? "It is complete."
      : upload.refused ? "It was refused for its content."
      : `It continues at byte ${shownCount(upload.offset)}.`;
    const counts = `${counted(upload.records, "record")}, ${shownCount(upload.mapped)} mapped, ${shownCount(upload.rejected)} rejected`;
    const facts = make("p", `${upload.mapping}: ${counts}. ${state}`);
    if (upload.expires) facts.append(" It is removed after ", time(upload.expires), ".");
    const list = make("ol", undefined, "findings");
    // It scrolls, also by keyboard.
    list.tabIndex = 0;
    list.setAttribute("aria-label", `Rejected records of the upload ${name}`);
    const part = make("section");
    part.append(make("h3", `Upload ${upload.id}`), facts, list);
    await addRejects(list, `${address}/rejects`);
    if (!list.hasChildNodes()) list.remove();
    shown.replaceChildren(part);
  } catch (error) {
    shown.replaceChildren(make("p", `Not shown: ${error.message}.`));
  }
};

element("who").addEventListener("submit", showUpload);
element("mappings").addEventListener("change", openMapping);
element("older").addEventListener("click", showOlder);
watch();
