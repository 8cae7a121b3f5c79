// panscript extension for Pi, version 0
// Gives Pi the command /import-session and says of an imported session that it is one. `panscript extension install pi`
// writes this file, and over it; `panscript extension remove pi` takes it away.

import { existsSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";

// Both are filled in when this is installed: how to call panscript, and what the agents that it reads are called.
const PROGRAM = ["panscript"];
const NAMES = {};

const KEY = "panscript";
const NOBODY = "No sessions of other agents were found";
const SHOWN = 10;
const LONGEST_LABEL = 100;

export default function (pi) {
  pi.registerCommand("import-session", {
    description: "Go on with a session of another coding agent, imported by panscript",
    handler: (words, ctx) => importSession(pi, words.trim(), ctx),
  });
  pi.on("session_start", (_event, ctx) => showOrigin(ctx));
  // Earlier versions of Pi show no entries of extensions.
  pi.registerEntryRenderer?.("import", (entry, _options, theme) => {
    const from = origin(entry);
    if (from === undefined) return undefined;
    const day = plain(entry.data.importedAt).slice(0, 10);
    const text = `Imported from ${[from, day, "usage excluded"].filter(Boolean).join(" · ")}`;
    return { render: (width) => [theme.fg("dim", text.slice(0, width))], invalidate() {} };
  });
}

// The name of the agent that an import record of panscript is about.
function origin(entry) {
  if (entry.type !== "custom" || entry.customType !== "import") return undefined;
  if (!String(entry.data?.importer ?? "").startsWith("panscript")) return undefined;
  return nameOf(entry.data.source);
}

function showOrigin(ctx) {
  const from = ctx.sessionManager.getEntries().map(origin).find((name) => name !== undefined);
  ctx.ui.setStatus(KEY, from === undefined ? undefined : `imported from ${from} · usage excluded`);
}

async function importSession(pi, query, ctx) {
  if (!ctx.hasUI) throw new Error("/import-session needs somebody to choose a session");
  const program = installed();
  if (program === undefined) {
    ctx.ui.notify("panscript was not found: install it, then run `panscript extension install pi`", "error");
    return;
  }
  const run = async (...words) => {
    const [command, ...before] = program;
    const done = await pi.exec(command, [...before, ...words], { cwd: ctx.cwd });
    if (done.code !== 0) throw new Error(reason(done));
    return done;
  };
  try {
    const chosen = await choose((everywhere) => sessions(run, everywhere ? undefined : ctx.cwd), query, ctx);
    if (chosen === undefined) return;
    ctx.ui.setStatus(KEY, `importing from ${nameOf(chosen.agent)} …`);
    const done = await run("import", "--from", chosen.agent, "--cwd", ctx.cwd, "--once", "--", chosen.path);
    const path = done.stdout.replace(/\r?\n$/, "");
    const said = [`Imported from ${nameOf(chosen.agent)}: usage excluded`, ...notes(done.stderr, chosen)].join("\n");
    await ctx.waitForIdle();
    let here;
    const { cancelled } = await ctx.switchSession(path, {
      withSession: async (next) => {
        here = next;
      },
    });
    // `pi` and `ctx` are those of a session that was left. Said any earlier, Pi's own notice would replace it.
    if (cancelled) showOrigin(ctx);
    else here.ui.notify(said, "info");
  } catch (problem) {
    try {
      ctx.ui.notify(plain(problem?.message ?? problem), "error");
      showOrigin(ctx);
    } catch {
      // The session was left already; Pi itself says why the new one does not open.
      throw problem;
    }
  }
}

// How to call panscript here, or undefined.
function installed() {
  if (PROGRAM[0] !== "panscript" && existsSync(PROGRAM[0])) return PROGRAM;
  const names = process.platform === "win32" ? ["panscript.exe"] : ["panscript"];
  const folders = (process.env.PATH ?? "").split(delimiter).filter(Boolean);
  const found = folders.flatMap((folder) => names.map((name) => join(folder, name))).find((path) => existsSync(path));
  return found === undefined ? undefined : [found];
}

// Sessions of other agents, the last changed first; without sub-agents, which are imported with their parents.
async function sessions(run, cwd) {
  const agents = Object.keys(NAMES).length > 0 ? ["--from", Object.keys(NAMES).join(",")] : [];
  const where = cwd === undefined ? [] : ["--cwd", cwd];
  const { stdout } = await run("list", "--json", "--all", "--quiet", ...agents, ...where);
  return JSON.parse(stdout).filter((each) => each.agent !== "pi" && !each.parent_session_id);
}

async function choose(list, query, ctx) {
  const parts = ctx.mode === "tui" ? await terminalParts() : undefined;
  const answer = parts === undefined ? await chooseByName(list, query, ctx) : await chooseByTyping(list, query, ctx, parts);
  if (answer?.problem !== undefined) throw answer.problem;
  return answer?.session;
}

async function terminalParts() {
  try {
    return await import("@earendil-works/pi-tui");
  } catch {
    // A Pi that calls it otherwise; there is the simpler list.
    return undefined;
  }
}

// A list to choose from wherever Pi can ask at all.
async function chooseByName(list, query, ctx) {
  for (let everywhere = false; ; everywhere = !everywhere) {
    const found = matching(await list(everywhere), query);
    if (found.length === 0) {
      if (everywhere) return { problem: new Error(query ? `${NOBODY} with “${query}”` : NOBODY) };
      continue;
    }
    const labels = distinct(found.map((each) => label(each, everywhere)), found);
    const other = everywhere ? "This project …" : "All projects …";
    const picked = await ctx.ui.select(everywhere ? "Import a session" : "Import a session of this project", [...labels, other]);
    if (picked === undefined) return undefined;
    if (picked !== other) return { session: found[labels.indexOf(picked)] };
  }
}

// A list that narrows with every letter, as that of /resume does.
function chooseByTyping(list, query, ctx, { Input, truncateToWidth, visibleWidth }) {
  return ctx.ui.custom((tui, theme, keys, done) => {
    const search = new Input();
    const known = new Map();
    let everywhere = false;
    let open = true;
    let at = 0;
    let focused = false;
    search.setValue(query);
    search.handleInput("\x05"); // Ctrl-E: go on typing at the end

    const close = (answer) => {
      if (open) done(answer);
      open = false;
    };
    const load = async (all) => {
      everywhere = all;
      at = 0;
      try {
        if (!known.has(all)) known.set(all, await list(all));
      } catch (problem) {
        close({ problem });
      }
      if (known.get(all)?.length === 0 && everywhere === all) {
        if (all) close({ problem: new Error(NOBODY) });
        else await load(true);
      }
      tui.requestRender();
    };
    const shown = () => matching(known.get(everywhere) ?? [], search.getValue());
    const row = (each, chosen, width) => {
      const right = [everywhere ? home(plain(each.cwd)) : "", count(each), age(each.modified)].filter(Boolean).join(" ");
      const badge = `${nameOf(each.agent)} `;
      const room = Math.max(10, width - 4 - visibleWidth(badge) - visibleWidth(right));
      const text = truncateToWidth(subject(each), room, "…");
      const gap = " ".repeat(Math.max(1, width - 2 - visibleWidth(badge + text) - visibleWidth(right)));
      const mark = chosen ? theme.fg("accent", "› ") : "  ";
      const line = mark + theme.fg("accent", badge) + (chosen ? theme.bold(text) : text) + gap + theme.fg("dim", right);
      return truncateToWidth(chosen ? theme.bg("selectedBg", line) : line, width);
    };

    void load(false);
    return {
      get focused() {
        return focused;
      },
      set focused(value) {
        focused = search.focused = value;
      },
      render(width) {
        const found = shown();
        at = Math.max(0, Math.min(at, found.length - 1));
        const first = Math.max(0, Math.min(at - SHOWN / 2, found.length - SHOWN));
        const [project, all] = everywhere ? ["○ This project", "◉ All"] : ["◉ This project", "○ All"];
        const rows = found.slice(first, first + SHOWN).map((each, place) => row(each, first + place === at, width));
        if (found.length === 0) rows.push(theme.fg("muted", known.has(everywhere) ? "  No such session" : "  Looking …"));
        if (found.length > SHOWN) rows.push(theme.fg("muted", `  (${at + 1}/${found.length})`));
        return [
          `${theme.bold("Import a session")}  ${theme.fg("muted", `${project} | ${all}`)}`,
          theme.fg("dim", "tab this project or all · enter import · escape cancel"),
          ...search.render(width),
          "",
          ...rows,
        ].map((line) => truncateToWidth(line, width));
      },
      handleInput(data) {
        const is = (key) => keys.matches(data, key);
        const found = shown();
        if (is("tui.select.cancel")) close(undefined);
        else if (is("tui.select.confirm")) {
          if (found.length > 0) close({ session: found[at] });
        } else if (is("tui.input.tab")) void load(!everywhere);
        else if (is("tui.select.up")) at = Math.max(0, at - 1);
        else if (is("tui.select.down")) at = Math.min(found.length - 1, at + 1);
        else if (is("tui.select.pageUp")) at = Math.max(0, at - SHOWN);
        else if (is("tui.select.pageDown")) at = Math.min(found.length - 1, at + SHOWN);
        else {
          search.handleInput(data);
          at = 0;
        }
        tui.requestRender();
      },
      invalidate() {
        search.invalidate?.();
      },
    };
  });
}

// Those that have every word somewhere.
function matching(found, query) {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  return found.filter((each) => {
    const said = [nameOf(each.agent), each.title, each.first_message, each.cwd, each.session_id].join(" ").toLowerCase();
    return words.every((word) => said.includes(word));
  });
}

function label(each, everywhere) {
  const text = subject(each);
  const cut = text.length > LONGEST_LABEL ? `${text.slice(0, LONGEST_LABEL)}…` : text;
  const where = everywhere ? home(plain(each.cwd)) : "";
  const facts = [where, each.messages ? `${each.messages} messages` : "", age(each.modified)].filter(Boolean);
  return `[${nameOf(each.agent)}] ${[cut, ...facts].join(" · ")}`;
}

// Where two look the same, their ids tell them apart.
function distinct(labels, found) {
  const twice = labels.filter((text, place) => labels.indexOf(text) !== place);
  return labels.map((text, place) => (twice.includes(text) ? `${text} · ${plain(found[place].session_id)}` : text));
}

function subject(each) {
  const [title, first] = [plain(each.title), plain(each.first_message)];
  if (!title || !first || first.startsWith(title)) return first || title || "(nothing was said)";
  return `${title} — ${first}`;
}

function nameOf(agent) {
  return Object.hasOwn(NAMES, agent) ? NAMES[agent] : plain(agent);
}

function count(each) {
  return each.messages === null ? "" : String(each.messages);
}

function age(time) {
  const minutes = Math.floor((Date.now() - Date.parse(time ?? "")) / 60_000);
  if (Number.isNaN(minutes)) return "";
  if (minutes < 1) return "now";
  if (minutes < 60) return `${minutes}m`;
  if (minutes < 24 * 60) return `${Math.floor(minutes / 60)}h`;
  const days = Math.floor(minutes / (24 * 60));
  if (days < 30) return `${days}d`;
  return days < 365 ? `${Math.floor(days / 30)}mo` : `${Math.floor(days / 365)}y`;
}

function home(path) {
  return path === homedir() || path.startsWith(join(homedir(), "/")) ? `~${path.slice(homedir().length)}` : path;
}

// One line without anything that a terminal would obey: what is shown was written by others.
function plain(text) {
  return String(text ?? "").replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]+/gu, " ").replace(/\s+/g, " ").trim();
}

function reason({ code, stderr }) {
  const lines = stderr.split("\n").map(plain).filter(Boolean);
  return lines.findLast((line) => line.startsWith("panscript: ")) ?? lines.at(-1) ?? `panscript ended with status ${code}`;
}

// What an import had to say beyond what is always said.
function notes(stderr, { path }) {
  const lines = stderr.split("\n").map(plain).filter((line) => line.startsWith("panscript: "));
  const short = lines.map((line) => line.slice("panscript: ".length).replace(`${path}: `, ""));
  return short.length > 4 ? [...short.slice(0, 3), `… and ${short.length - 3} more`] : short;
}
