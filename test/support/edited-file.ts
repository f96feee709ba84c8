// A file in a folder of its own, served in this process, with an agent that may edit it.

import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openCmsFor } from '../../src/app/create-cms.ts'
import { runCasesForAgent } from '../../src/cli/run-cases-for-agent.ts'
import type { Cms, CmsOptions } from '../../src/index.ts'
import { connectMcp, type McpClient } from './mcp-client.ts'

export interface EditedFile {
  readonly cms: Cms
  readonly agent: McpClient
  readonly folder: string
  read(): string
  write(text: string): void
  /** The plan of edits, as the tool says it. */
  plan(given: object): Promise<PlanAnswer>
  /** Plans edits and applies them with all that the plan must be allowed. */
  apply(...edits: readonly object[]): Promise<string>
  close(): Promise<void>
}

export interface PlanAnswer {
  readonly faults?: string
  readonly warnings?: string
  readonly file: readonly string[]
  readonly database: readonly string[]
  readonly mustAllow: readonly string[]
  readonly plan?: string
}

export async function openEditedFile(text: string, options: CmsOptions = {}): Promise<EditedFile> {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-edits-'))
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, text)
  const env = options.env ?? {}
  const { cms, asDeveloper } = await openCmsFor(
    file,
    { env, ...options },
    { follows: true, runCases: (name, cases) => runCasesForAgent(name, cases, env) },
  )
  const agent = await connectMcp({ ...cms, fetch: asDeveloper })
  async function plan(given: object): Promise<PlanAnswer> {
    const { isError, texts } = await agent.tool('file_plan', { ...given })
    if (isError) throw new Error(texts.join('\n'))
    return JSON.parse(texts[0] ?? '') as PlanAnswer
  }
  return {
    cms,
    agent,
    folder,
    read: () => readFileSync(file, 'utf8'),
    write: (now) => writeFileSync(file, now),
    plan,
    async apply(...edits) {
      const { plan: token = '', mustAllow, faults } = await plan({ edits })
      if (faults !== undefined) throw new Error(faults)
      const { isError, texts } = await agent.tool('file_apply', { edits, plan: token, allow: mustAllow })
      if (isError) throw new Error(texts.join('\n'))
      return texts.join('\n')
    },
    async close() {
      await agent.client.close()
      await cms.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}
