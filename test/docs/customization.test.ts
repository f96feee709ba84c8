// What docs/reference/customization.md shows is what happens: its configuration, its files, its requests and its program.

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { createCms } from '../../src/index.ts'
import { parseCase } from '../support/case-file.ts'
import { mismatches } from '../support/match-json.ts'

const root = join(import.meta.dirname, '../..')
const page = readFileSync(join(root, 'docs/reference/customization.md'), 'utf8')
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text)

test('the page holds', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-docs-'))
  const file = join(folder, 'cms.yaml')
  writeFileSync(file, blocks('yaml')[0] ?? '')
  for (const text of blocks('ts')) {
    const name = join(folder, /^\/\/ (\S+)\n/.exec(text)?.[1] ?? '')
    mkdirSync(dirname(name), { recursive: true })
    writeFileSync(name, text)
  }
  const logged: string[] = []
  await using cms = await createCms(file, { env: {}, log: (line) => logged.push(line) })
  expect(logged.filter((line) => line.includes('warning'))).toEqual([])
  const { steps } = parseCase(
    ['# customization', 'config docs', ...blocks('http')].join('\n'),
    'docs/reference/customization.md',
  )
  expect(steps.length).toBe(10)
  for (const { method, target, body, status, reply } of steps) {
    const headers = { 'content-type': 'application/json' }
    const response = await cms.fetch(target, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    expect(response.status, `${method} ${target}\n${text}`).toBe(status)
    if (reply !== undefined) expect(mismatches(JSON.parse(reply), JSON.parse(text)), text).toEqual([])
  }
  const lines = (await cms.entries('log').findMany({ sort: 'id' })).map(({ line }) => line)
  expect(lines).toEqual(['started', '1: 3'])
  expect((globalThis as { typesOfSchema?: number }).typesOfSchema).toBeGreaterThan(30)
  rmSync(folder, { recursive: true })
})

test('its program prints what it says', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-docs-'))
  const [program = ''] = blocks('js')
  const file = join(folder, 'program.mjs')
  writeFileSync(file, program.replace("'cms-run'", JSON.stringify(join(root, 'src/index.ts'))))
  const printed = vi.spyOn(console, 'log').mockImplementation(() => {})
  await import(/* @vite-ignore */ file)
  expect(printed.mock.calls).toEqual([[{ data: { hello: 'Hello' } }, [{ id: 1, text: 'first!' }]]])
  printed.mockRestore()
  rmSync(folder, { recursive: true })
})
