// All that a database must do, whatever it is: a `*.test.ts` beside this file runs it over each of them.

import type { Database } from '../../../src/storage/database.ts'
import { runDatabaseHoldContract } from './database-hold-contract.ts'
import { runDatabaseValuesContract } from './database-values-contract.ts'
import { runDatabaseWorkContract } from './database-work-contract.ts'
import { runMigrationAtomicContract } from './migration-atomic-contract.ts'
import { runMigrationKeepsContract } from './migration-keeps-contract.ts'
import { runMigrationModelsContract } from './migration-models-contract.ts'
import { runMigrationRefusesContract } from './migration-refuses-contract.ts'

/** Opens an empty database for each test, which closes it. Servers run transactions side by side. */
export function runDatabaseContract(name: string, open: () => Promise<Database>, sideBySide = false): void {
  runDatabaseWorkContract(name, open, sideBySide)
  runDatabaseHoldContract(name, open)
  runDatabaseValuesContract(name, open)
  runMigrationKeepsContract(name, open)
  runMigrationRefusesContract(name, open)
  runMigrationAtomicContract(name, open, sideBySide ? 40 : 150)
  runMigrationModelsContract(name, open, sideBySide ? 20 : 60)
}
