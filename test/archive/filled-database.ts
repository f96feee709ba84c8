// A configuration's text -> its database, made and seeded as a start does it.

import { onTestFinished } from 'vitest'
import { checkConfig, isValid } from '../../src/app/check-config.ts'
import { open } from '../../src/app/main.ts'
import type { DatabaseConfig } from '../../src/config/config.ts'
import { createLog } from '../../src/observe/log/create-log.ts'
import type { Database } from '../../src/storage/database.ts'
import { inFile } from './in-file.ts'

const log = createLog({ level: 'silent', format: 'json', colors: false, write: () => {} })

export async function filledDatabase(text: string, database: DatabaseConfig): Promise<Database> {
  const checked = await checkConfig({ file: inFile(text) }, { env: {}, overrides: { database } })
  if (!isValid(checked)) throw new Error(checked.diagnostics.map(({ message }) => message).join('\n'))
  const opened = await open(checked, log)
  if ('diagnostics' in opened) throw new Error(opened.diagnostics.map(({ message }) => message).join('\n'))
  onTestFinished(() => opened.environment.close())
  return opened.environment.database
}
