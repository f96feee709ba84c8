import { openDatabase } from '../../../src/storage/open-database.ts'
import { makeTestFile } from '../../support/sqlite-copy.ts'
import { databaseConfig } from './database-config.ts'
import { runDatabaseContract } from './database-contract.ts'

runDatabaseContract('sqlite', async () => {
  const { filename, remove } = await makeTestFile()
  const database = await openDatabase({ ...databaseConfig('sqlite'), filename }, '.')
  const close = database.close.bind(database)
  database.close = async () => {
    await close()
    await remove()
  }
  return database
})
