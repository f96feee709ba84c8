// Each good/<name>.yaml is taken without a word.

import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { checkFile } from './check-file.ts'

const folder = join(import.meta.dirname, 'good')

test.each(readdirSync(folder).filter((name) => name.endsWith('.yaml')))('%s', async (name) => {
  const { checked, report } = await checkFile(join(folder, name))
  expect(report).toBe('')
  expect(checked.config).toBeDefined()
})
