// The scenarios of the published conformance suite that ask for no tools, resources or prompts of its own.

import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Cms, createCms } from '../../src/index.ts'

const suite = join(import.meta.dirname, '../../node_modules/@modelcontextprotocol/conformance/dist/index.js')
const run = promisify(execFile)
/** The suite needs a newer Node than the oldest that is supported here. */
const isOld = Number(process.versions.node.split('.')[0]) < 22
if (isOld) console.warn('!! the conformance suite of MCP is left out: it needs Node 22')

describe.skipIf(isOld)('the conformance suite', () => {
  let cms: Cms
  let url: string
  beforeAll(async () => {
    cms = await createCms(
      {
        plugins: { mcp: true },
        contentTypes: { article: { attributes: { title: 'string' } } },
        auth: { roles: { public: { permissions: ['article.*'] } } },
      },
      { env: {} },
    )
    url = `${(await cms.listen(0, '127.0.0.1')).url}/mcp`
  })
  afterAll(() => cms?.close())

  test.each(['server-initialize', 'ping', 'tools-list', 'resources-list', 'dns-rebinding-protection'])(
    '%s',
    async (scenario) => {
      const { stdout } = await run(process.execPath, [suite, 'server', '--url', url, '--scenario', scenario])
      expect(stdout).toMatch(/Passed: (\d+)\/\1, 0 failed/)
    },
  )
})
