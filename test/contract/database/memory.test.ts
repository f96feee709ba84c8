import { openDatabase } from '../../../src/databases/open-database.ts'
import { databaseConfig } from './database-config.ts'
import { runDatabaseContract } from './database-contract.ts'
import { runMigrationContract } from './migration-contract.ts'

const open = () => openDatabase(databaseConfig('memory'), '.')

runDatabaseContract('memory', open)
runMigrationContract('memory', open)
