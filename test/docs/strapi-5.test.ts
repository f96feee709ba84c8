// What docs/reference/strapi-5.md shows is what happens: its configuration, its requests and their answers.

import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { publicationFilters } from '../../src/plan/params.ts'
import { parseCase } from '../support/case-file.ts'
import { mismatches } from '../support/match-json.ts'

const page = readFileSync(
  join(dirname(fileURLToPath(import.meta.url)), '../../docs/reference/strapi-5.md'),
  'utf8',
)
const blocks = (language: string): string[] =>
  [...page.matchAll(new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 'gs'))].map(([, text = '']) => text)

test('the page holds', async () => {
  const file = join(mkdtempSync(join(tmpdir(), 'cms-run-docs-')), 'cms.yaml')
  writeFileSync(file, blocks('yaml')[0] ?? '')
  await using cms = await createCms(file, { env: {} })
  const { steps } = parseCase(
    ['# strapi-5', 'config docs', ...blocks('http')].join('\n'),
    'docs/reference/strapi-5.md',
  )
  expect(steps.length).toBeGreaterThan(10)
  for (const { method, target, body, status, reply } of steps) {
    const headers = { 'content-type': 'application/json' }
    const response = await cms.fetch(target, { method, headers, ...(body === undefined ? {} : { body }) })
    const text = await response.text()
    expect(response.status, `${method} ${target}\n${text}`).toBe(status)
    if (reply !== undefined) expect(mismatches(JSON.parse(reply), JSON.parse(text)), target).toEqual([])
  }
})

test('every publicationFilter has its line', () => {
  for (const cohort of publicationFilters) expect(page).toContain(`\`${cohort}\``)
})
