// What the model providers would say of a request built from a session: their public rules on pairing, ids and names.
//
// Every request is first brought into one shape, a list of turns {calls: [{id, name, input}], answers: [id], texts},
// and then judged by the same walk. Providers differ in alphabets, and in how soon a call must be answered.

const IDS = /^[a-zA-Z0-9_-]+$/;
const NAMES = /^[a-zA-Z0-9_-]+$/;
const IMAGES = new Set(["image/png", "image/jpeg", "image/gif", "image/webp"]);

const turn = (fields) => ({ calls: [], answers: [], texts: [], images: [], reasoning: 0, ...fields });
const decoded = (text) => { try { return JSON.parse(text); } catch { return undefined; } };

/** Blocks of one Anthropic message; tool results carry blocks of their own. */
function anthropicTurn({ content }) {
  const blocks = typeof content === "string" ? [{ type: "text", text: content }] : content;
  const results = blocks.filter((b) => b.type === "tool_result");
  const nested = results.flatMap((b) => (Array.isArray(b.content) ? b.content : []));
  return turn({
    calls: blocks.filter((b) => b.type === "tool_use").map(({ id, name, input }) => ({ id, name, input })),
    answers: results.map((b) => b.tool_use_id),
    texts: [...blocks, ...nested].filter((b) => b.type === "text").map((b) => b.text),
    images: [...blocks, ...nested].filter((b) => b.type === "image").map((b) => [b.source.media_type, b.source.data]),
    reasoning: blocks.filter((b) => b.type === "thinking" || b.type === "redacted_thinking").length,
  });
}

function completionsTurn(message) {
  if (message.role === "tool") return turn({ answers: [message.tool_call_id] });
  const calls = (message.tool_calls ?? []).map((c) => ({ id: c.id, name: c.function.name, input: decoded(c.function.arguments) }));
  return turn({ calls });
}

function responsesTurn(item) {
  if (item.type === "function_call") return turn({ calls: [{ id: item.call_id, name: item.name, input: decoded(item.arguments) }] });
  if (item.type === "function_call_output") return turn({ answers: [item.call_id] });
  return turn({ reasoning: item.type === "reasoning" ? 1 : 0 });
}

/** Older Gemini models get no ids: there the name stands for the call. */
function googleTurn({ parts }) {
  const calls = parts.filter((p) => p.functionCall).map((p) => p.functionCall);
  const answers = parts.filter((p) => p.functionResponse).map((p) => p.functionResponse);
  return turn({
    calls: calls.map((c) => ({ id: c.id, name: c.name, input: c.args })),
    answers: answers.map((a) => a.id ?? a.name),
    reasoning: parts.filter((p) => p.thought).length,
  });
}

/**
 * `turns`: the request in the common shape. `ids`/`names`: longest id and name. `adjacent`: nothing may come between a
 * call and its answer. `together`: one turn must hold the answers to all calls of the turn before it.
 */
export const PROVIDERS = {
  "anthropic-messages": {
    provider: "anthropic", model: "claude-sonnet-4-5", ids: 64, names: 128, adjacent: true, together: true, filled: true,
    turns: (body) => body.messages.map(anthropicTurn),
  },
  "openai-responses": {
    provider: "openai", model: "gpt-5", ids: 64, names: 64,
    turns: (body) => body.input.map(responsesTurn),
  },
  "openai-completions": {
    provider: "openai", model: "gpt-4.1", ids: 40, names: 64, adjacent: true,
    turns: (body) => body.messages.map(completionsTurn),
  },
  "google-generative-ai": {
    provider: "google", model: "gemini-3-pro", ids: 64, names: 64, adjacent: true, together: true, letterFirst: true,
    turns: (body) => body.contents.map(googleTurn),
  },
};

function callProblems({ id, name, input }, rules) {
  const found = [];
  const quoted = JSON.stringify(name);
  if (id !== undefined && !(IDS.test(id) && id.length <= rules.ids)) found.push(`call id ${JSON.stringify(id)} is refused`);
  if (!NAMES.test(name ?? "") || name.length > rules.names) found.push(`tool name ${quoted} is refused`);
  else if (rules.letterFirst && !/^[a-zA-Z_]/.test(name)) found.push(`tool name ${quoted} begins with neither letter nor underscore`);
  if (input === null || typeof input !== "object" || Array.isArray(input)) found.push(`arguments of ${quoted} are not an object`);
  return found;
}

/** Reasons for which the provider would refuse `body`; none for a good request. */
export function refusals(api, body) {
  const rules = PROVIDERS[api];
  const found = [];
  const seen = new Set();
  let waiting = [];
  rules.turns(body).forEach((t, i) => {
    const say = (text) => found.push(`${i}: ${text}`);
    for (const answer of t.answers) {
      const at = waiting.indexOf(answer);
      if (at < 0) say(`answer to ${answer}, which waits for none`);
      else waiting.splice(at, 1);
    }
    const due = rules.adjacent && (rules.together || t.answers.length === 0);
    if (due && waiting.length) { say(`no answer yet to ${waiting.join(", ")}`); waiting = []; }
    for (const call of t.calls) {
      callProblems(call, rules).forEach(say);
      if (call.id !== undefined && seen.has(call.id)) say(`call id ${call.id} used twice`);
      seen.add(call.id);
      waiting.push(call.id ?? call.name);
    }
    if (rules.filled && t.texts.some((text) => !text.trim())) say("blank text");
    for (const [type, data] of t.images) if (!IMAGES.has(type) || !/^[A-Za-z0-9+/]+={0,2}$/.test(data)) say(`image ${type} is refused`);
  });
  if (waiting.length) found.push(`end: no answer to ${waiting.join(", ")}`);
  return found;
}

/** Turns in a request, and how many pieces of earlier reasoning it replays. */
export function size(api, body) {
  const turns = PROVIDERS[api].turns(body);
  return { turns: turns.length, reasoning: turns.reduce((n, t) => n + t.reasoning, 0) };
}
