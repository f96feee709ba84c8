// Prints the settings with which agents start `cms-run mcp`.

import { resolve } from 'node:path'
import type { Invocation } from '../invocation.ts'
import { exitCodes } from '../reporter.ts'

export function printMcpSettings({ file, command, reporter, io }: Invocation): number {
  const { as } = command.flags
  const args = ['-y', 'cms-run', 'mcp', resolve(io.cwd, file), ...(as === undefined ? [] : ['--as', as])]
  const server = { command: 'npx', args }
  const shown = (value: unknown): string => JSON.stringify(value, undefined, 2)
  const shell = args.map((arg) => (/^[\w./:@-]+$/.test(arg) ? arg : `'${arg.replaceAll("'", "'\\''")}'`))
  const text = `Claude Code:

  claude mcp add cms -- npx ${shell.join(' ')}

Claude Desktop (claude_desktop_config.json), Cursor (.cursor/mcp.json), Windsurf (mcp_config.json):

${shown({ mcpServers: { cms: server } })}

VS Code (.vscode/mcp.json):

${shown({ servers: { cms: { type: 'stdio', ...server } } })}

Codex (~/.codex/config.toml):

[mcp_servers.cms]
command = "npx"
args = ${JSON.stringify(args)}

A server that runs already: http://localhost:1337/mcp, with the header "Authorization: Bearer <API token>".
`
  reporter.result({ mcpServers: { cms: server } }, text)
  return exitCodes.ok
}
