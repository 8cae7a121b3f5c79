// What the Agent SDK lists, without network and key: for each folder given, which is laid out as ~/.claude, one line of JSON.
import * as sdk from "@anthropic-ai/claude-agent-sdk";

for (const home of process.argv.slice(2)) {
  process.env.CLAUDE_CONFIG_DIR = home;
  const found = [];
  for (const { sessionId } of await sdk.listSessions({})) {
    const { summary, customTitle, firstPrompt, cwd } = (await sdk.getSessionInfo(sessionId)) ?? {};
    const agents = {};
    for (const agent of await sdk.listSubagents(sessionId)) {
      const rows = await sdk.getSubagentMessages(sessionId, agent);
      agents[agent] = { messages: rows.map((row) => row.message), call: rows[0]?.parent_tool_use_id ?? null };
    }
    const rows = (await sdk.getSessionMessages(sessionId)).length;
    found.push({ sessionId, title: summary, customTitle, firstPrompt, cwd, rows, agents });
  }
  console.log(JSON.stringify(found));
}
