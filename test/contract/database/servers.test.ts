import { openDatabase } from '../../../src/storage/open-database.ts'
import { openServerPlace, serversHere } from '../../support/servers.ts'
import { databaseConfig } from './database-config.ts'
import { runDatabaseContract } from './database-contract.ts'

for (const client of await serversHere()) {
  runDatabaseContract(
    client,
    async () => {
      const { database: place, drop } = await openServerPlace(client)
      const database = await openDatabase({ ...databaseConfig(client), ...place }, '.')
      // As each start does, which makes what locks need.
      await database.exclusively(async () => {})
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
