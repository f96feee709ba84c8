// Each page of docs/how-to: its file is valid and starts, and its requests have the answers that the page shows.

import { mkdtempSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { parseCase } from '../support/case-file.ts'
import { mismatches } from '../support/match-json.ts'

const folder = join(import.meta.dirname, '../../docs/how-to')
const MAX_WORDS = 600
const env = {
  DATABASE_URL: 'postgres://me@localhost/name',
  DATABASE_PASSWORD: 'a-password-of-the-database',
  JWT_SECRET: '0123456789abcdef0123456789abcdef',
  S3_KEY: 'a-key-of-the-bucket',
  S3_SECRET: 'a-secret-of-the-bucket',
}

test.each(readdirSync(folder))('%s', async (name) => {
  const page = readFileSync(join(folder, name), 'utf8')
  expect(page.split(/\s+/).length).toBeLessThan(MAX_WORDS)
  const block = (language: string): string | undefined =>
    new RegExp(`\`\`\`${language}\n(.*?)\`\`\``, 's').exec(page)?.[1]
  const yaml = block('yaml')
  if (yaml === undefined) return
  const place = mkdtempSync(join(tmpdir(), 'cms-run-how-to-'))
  const file = join(place, 'cms.yaml')
  writeFileSync(file, yaml)
  const [, code] = /(\.\/\w+\.ts)/.exec(yaml) ?? []
  if (code !== undefined) writeFileSync(join(place, code), block('ts') ?? '')
  await using cms = await createCms(file, { env, database: { client: 'memory' } })
  for (const [, caller, requests = ''] of page.matchAll(/```http(?: as (\w+))?\n(.*?)```/gs)) {
    const send = caller === undefined ? cms.fetch : cms.as(caller)
    for (const { method, target, headers: sent, body, status, reply } of parseCase(
      `# how-to\nconfig docs\n${requests}`,
      name,
    ).steps) {
      const headers = { 'content-type': 'application/json', ...sent }
      const response = await send(target, { method, headers, ...(body === undefined ? {} : { body }) })
      const text = await response.text()
      expect(response.status, `${method} ${target}\n${text}`).toBe(status)
      if (reply !== undefined) expect(mismatches(JSON.parse(reply), JSON.parse(text)), target).toEqual([])
    }
  }
})
