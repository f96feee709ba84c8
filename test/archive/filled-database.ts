// A configuration's text -> its database, made and seeded as a start does it.

import { onTestFinished } from 'vitest'
import { checkConfig, isValid } from '../../src/app/check-config.ts'
import { openService } from '../../src/app/open-service.ts'
import type { DatabaseConfig } from '../../src/config/config.ts'
import type { Database } from '../../src/databases/database.ts'
import { createLog } from '../../src/log/create-log.ts'
import { inFile } from './in-file.ts'

const log = createLog({ level: 'silent', format: 'json', colors: false, write: () => {} })

export async function filledDatabase(text: string, database: DatabaseConfig): Promise<Database> {
  const checked = await checkConfig({ file: inFile(text) }, { env: {}, overrides: { database } })
  if (!isValid(checked)) throw new Error(checked.diagnostics.map(({ message }) => message).join('\n'))
  const service = await openService(checked, log)
  if ('diagnostics' in service) throw new Error(service.diagnostics.map(({ message }) => message).join('\n'))
  onTestFinished(() => service.service.close())
  return service.service.database
}
