// The example of docs/reference/accounts.md: each request has the answer that the page shows.

import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { newFolder } from '../archive/in-file.ts'
import { walkPage } from '../support/walk-page.ts'

const page = readFileSync(join(import.meta.dirname, '../../docs/reference/accounts.md'), 'utf8')

test('the page holds', async () => {
  const example = /^## Readers and editors\n[\s\S]*?(?=^## )/m.exec(page)?.[0] ?? ''
  expect(example).toContain('### Programs')
  const walk = walkPage(newFolder())
  await walk.follow(example)
  await walk.cms().close()
})
