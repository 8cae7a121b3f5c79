#!/usr/bin/env node
// Opens session files with the real Pi library and prints what Pi makes of each: one JSON object a line, in order.
//
//   node check.mjs [--model URL --prompt TEXT] FILE...
//
// With --prompt the session is continued: the model is asked below URL/<number of the file>/v1 (chat completions).
// Files are never touched; Pi works on copies and on a configuration folder of its own. A step that throws is named in
// `errors` and the others go on. Exit 0 whatever was found, 2 for wrong use.
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join, resolve } from "node:path";
import { parseArgs } from "node:util";
import { PROVIDERS, refusals, size } from "./requests.mjs";

const { values: options, positionals: files } = parseArgs({
  allowPositionals: true, options: { model: { type: "string" }, prompt: { type: "string" } },
});
if (!files.length || (options.prompt !== undefined && !options.model)) {
  process.stderr.write("usage: node check.mjs [--model URL --prompt TEXT] FILE...\n");
  process.exit(2);
}

const WINDOW = 200_000;
const scratch = mkdtempSync(join(tmpdir(), "pi-check-"));
process.on("exit", () => rmSync(scratch, { recursive: true, force: true }));
// Before the library is loaded: it reads these once.
for (const name of Object.keys(process.env)) if (/^PI_|_API_KEY$|_TOKEN$/.test(name)) delete process.env[name];
Object.assign(process.env, { PI_CODING_AGENT_DIR: join(scratch, "agent"), PI_OFFLINE: "1", PI_SKIP_VERSION_CHECK: "1", PI_TELEMETRY: "0" });

const pi = await import("@earendil-works/pi-coding-agent");
const ai = await import("@earendil-works/pi-ai");
pi.initTheme("dark");

/** Texts of a message's content, joined by blank lines as the model would see them one after the other. */
const textOf = (content) =>
  typeof content === "string" ? content : (content ?? []).filter((b) => b.type === "text").map((b) => b.text).join("\n\n");

/** Line numbers that are not JSON: Pi steps over them without a word. */
function unparsable(text) {
  const bad = [];
  text.split("\n").forEach((line, i) => { if (line.trim()) try { JSON.parse(line); } catch { bad.push(i + 1); } });
  return bad;
}

/** The entries from the root to the leaf, or null if the parents run in a circle (Pi itself would never return). */
function livePath(manager) {
  const path = [];
  const seen = new Set();
  for (let entry = manager.getLeafEntry(); entry; entry = entry.parentId ? manager.getEntry(entry.parentId) : undefined) {
    if (seen.has(entry.id)) return null;
    seen.add(entry.id);
    path.unshift(entry);
  }
  return path;
}

/** What was said on a path: role, text, calls and answers, tool results included; compactions and notes keep their place. */
function conversation(path) {
  return path.flatMap((entry) => {
    if (entry.type === "compaction" || entry.type === "branch_summary") return [{ role: entry.type, text: entry.summary }];
    if (entry.type === "custom_message") return [{ role: entry.type, text: textOf(entry.content) }];
    if (entry.type !== "message") return [];
    const { role, content, toolCallId, toolName, isError, api, model } = entry.message;
    const said = { role, text: textOf(content) };
    if (role === "assistant") {
      said.calls = content.filter((b) => b.type === "toolCall").map(({ id, name, arguments: input }) => ({ id, name, input }));
      Object.assign(said, { api, model });
    }
    if (role === "toolResult") Object.assign(said, { answers: toolCallId, name: toolName, error: isError });
    return [said];
  });
}

function pairs(said) {
  const calls = said.flatMap((m) => m.calls ?? []).map((c) => c.id);
  const answers = said.filter((m) => m.role === "toolResult").map((m) => m.answers);
  const twice = (ids) => ids.filter((id, i) => ids.indexOf(id) !== i);
  return {
    calls: calls.length, results: answers.length, duplicateCalls: twice(calls), duplicateResults: twice(answers),
    orphanCalls: calls.filter((id) => !answers.includes(id)), orphanResults: answers.filter((id) => !calls.includes(id)),
  };
}

/** The request body that Pi would send; the adapter is stopped before it opens a connection. */
async function requestBody(api, provider, id, messages) {
  const adapter = await import(`@earendil-works/pi-ai/api/${api}`);
  const model = {
    id, name: id, api, provider, baseUrl: "http://127.0.0.1:9", reasoning: false, input: ["text", "image"],
    cost: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 }, contextWindow: WINDOW, maxTokens: 8192,
  };
  const context = ai.normalizeContext({ systemPrompt: "judge", messages: structuredClone(messages), tools: [] });
  let body;
  const stream = adapter.streamSimple(model, context, {
    apiKey: "none", maxRetries: 0, onPayload: (built) => { body = built; throw new Error("seen enough"); },
  });
  const outcome = await stream.result();
  if (body === undefined) throw new Error(outcome.errorMessage ?? "no request was built");
  return body;
}

/** For each api twice: asked as that vendor's model, and as the very model that the session names. */
async function requests(messages, errors) {
  const last = messages.findLast((m) => m.role === "assistant");
  const found = {};
  for (const [api, { provider, model }] of Object.entries(PROVIDERS)) {
    const targets = [[api, provider, model]];
    if (last) targets.push([`${api} as named`, last.provider, last.model]);
    for (const [key, vendor, id] of targets) {
      await attempt(errors, key, async () => {
        const body = await requestBody(api, vendor, id, messages);
        found[key] = { ...size(api, body), refused: refusals(api, body) };
      });
    }
  }
  return found;
}

async function attempt(errors, step, action) {
  try { return await action(); } catch (error) { errors[step] = String(error).replaceAll(scratch, ""); return null; }
}

async function openSession(folder, manager, number) {
  const agentDir = join(folder, "agent");
  mkdirSync(agentDir);
  const model = { id: "stand-in", contextWindow: WINDOW, maxTokens: 8192, input: ["text", "image"], cost: { input: 1, output: 1, cacheRead: 1, cacheWrite: 1 } };
  const baseUrl = `${options.model ?? "http://127.0.0.1:9"}/${number}/v1`;
  writeFileSync(join(agentDir, "models.json"), JSON.stringify({
    providers: { loopback: { baseUrl, apiKey: "none", api: "openai-completions", models: [model] } },
  }));
  const modelRuntime = await pi.ModelRuntime.create({ authPath: join(agentDir, "auth.json"), modelsPath: join(agentDir, "models.json") });
  const { session } = await pi.createAgentSession({
    cwd: folder, agentDir, sessionManager: manager, modelRuntime, model: modelRuntime.getModel("loopback", "stand-in"), noTools: "all",
  });
  return session;
}

/** What /session and the footer show. */
function numbers(session) {
  const { tokens, cost, contextUsage } = session.getSessionStats();
  const { input, output, cacheRead, cacheWrite } = tokens;
  return { totals: { input, output, cacheRead, cacheWrite, cost }, context: contextUsage ?? null };
}

async function continued(session, manager) {
  const before = manager.getEntries().length;
  const compactions = [];
  session.subscribe((event) => { if (event.type.startsWith("compaction")) compactions.push(event.type); });
  await session.prompt(options.prompt);
  const added = manager.getEntries().slice(before);
  const reply = added.findLast((e) => e.type === "message" && e.message.role === "assistant")?.message;
  return {
    added: added.map((e) => (e.type === "message" ? e.message.role : e.type)), compactions,
    reply: textOf(reply?.content), stopReason: reply?.stopReason ?? null, error: reply?.errorMessage ?? null, ...numbers(session),
  };
}

async function judge(file, number) {
  const errors = {};
  const verdict = { file, loaded: false, errors };
  const folder = mkdtempSync(join(scratch, "session-"));
  const sessions = join(folder, "sessions");
  mkdirSync(sessions);
  const copy = join(sessions, basename(file));
  copyFileSync(file, copy);
  verdict.unparsable = unparsable(readFileSync(copy, "utf8"));

  const [row] = (await attempt(errors, "list", () => pi.SessionManager.listAll(sessions))) ?? [];
  verdict.listed = row ? { name: row.name ?? null, firstMessage: row.firstMessage, messageCount: row.messageCount, cwd: row.cwd } : null;
  // A present folder instead of the header's cwd, which belongs to another machine.
  const manager = await attempt(errors, "open", () => pi.SessionManager.open(copy, sessions, folder));
  if (!manager) return verdict;

  const entries = manager.getEntries();
  const ids = new Set(entries.map((e) => e.id));
  verdict.loaded = true;
  verdict.sessionId = manager.getHeader().id;
  verdict.duplicateIds = entries.length - ids.size;
  verdict.danglingParents = entries.filter((e) => e.parentId !== null && !ids.has(e.parentId)).map((e) => e.id);
  verdict.messages = entries.filter((e) => e.type === "message").length;
  verdict.importHead = entries.find((e) => e.type === "custom" && e.customType === "import")?.data ?? null;
  const path = livePath(manager);
  if (!path) { errors.tree = "the parents run in a circle"; return verdict; }
  verdict.conversation = conversation(path);
  verdict.pairs = pairs(verdict.conversation);

  const context = await attempt(errors, "context", () => manager.buildSessionContext());
  if (context) {
    verdict.restores = context.model ? `${context.model.provider}/${context.model.modelId}` : null;
    const messages = await attempt(errors, "messages", () => pi.convertToLlm(context.messages));
    if (messages) verdict.requests = await requests(messages, errors);
  }
  const session = await attempt(errors, "session", () => openSession(folder, manager, number));
  if (!session) return verdict;
  Object.assign(verdict, await attempt(errors, "numbers", () => numbers(session)));
  verdict.html = await attempt(errors, "html", async () => statSync(await session.exportToHtml(join(folder, "out.html"))).size);
  verdict.jsonl = await attempt(errors, "jsonl", () => readFileSync(session.exportToJsonl(join(folder, "out.jsonl")), "utf8").trim().split("\n").length);
  if (options.prompt !== undefined) verdict.continued = await attempt(errors, "prompt", () => continued(session, manager));
  session.dispose();
  return verdict;
}

for (const [number, file] of files.entries()) process.stdout.write(`${JSON.stringify(await judge(resolve(file), number))}\n`);
process.exit(0);
