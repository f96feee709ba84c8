import { openDatabase } from '../../../src/storage/open-database.ts'
import { databaseConfig } from './database-config.ts'
import { runDatabaseContract } from './database-contract.ts'

runDatabaseContract('memory', () => openDatabase(databaseConfig('memory'), '.'))
