// The rename that docs/data.md shows keeps what was stored.

import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { createCms } from '../../src/index.ts'
import { inFile } from '../archive/in-file.ts'

test('renamedFrom as the page has it', async () => {
  const page = readFileSync(join(import.meta.dirname, '../../docs/data.md'), 'utf8')
  const [, example = ''] = /```yaml\n(contentTypes:[\s\S]*?)```/.exec(page) ?? []
  expect(example).toContain('renamedFrom: article')
  const file = inFile(
    'contentTypes: { article: { attributes: { title: string } } }\ndata: { article: [{ title: kept }] }\n',
  )
  const cms = await createCms(file, { env: {} })
  writeFileSync(file, example)
  await cms.reload()
  expect(await cms.entries('post').findMany()).toMatchObject([{ headline: 'kept' }])
  await cms.close()
})
