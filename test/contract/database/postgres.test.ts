import { openDatabase } from '../../../src/storage/open-database.ts'
import { openTestSchema, postgresHere } from '../../support/postgres.ts'
import { databaseConfig } from './database-config.ts'
import { runDatabaseContract } from './database-contract.ts'

const here = await postgresHere()

if (here !== undefined) {
  runDatabaseContract(
    'postgres',
    async () => {
      const { connection, schema, drop } = await openTestSchema(here)
      const database = await openDatabase({ ...databaseConfig('postgres'), connection, schema }, '.')
      const close = database.close.bind(database)
      database.close = async () => {
        await close()
        await drop()
      }
      return database
    },
    true,
  )
}
