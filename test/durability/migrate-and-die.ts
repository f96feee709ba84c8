// A process that migrates a database, and kills itself at a statement. Its argument is JSON.

import type { Database } from '../../src/storage/database.ts'
import { applyMigration } from '../../src/storage/migrate.ts'
import { openDatabase } from '../../src/storage/open-database.ts'
import { layoutOf } from '../contract/database/model-layout.ts'
import { withoutUndo } from '../support/without-undo.ts'

export interface Death {
  readonly database: Parameters<typeof openDatabase>[0]
  readonly model: object
  readonly destructive: 'refuse' | 'apply'
  /** The number of statements of the migration before it. */
  readonly after: number
  /** Whether the next statement may be on its way. */
  readonly soon: boolean
  /** Whether a killed transaction would leave its tables and columns. */
  readonly bySteps: boolean
}

const {
  database: config,
  model,
  destructive,
  after,
  soon,
  bySteps,
}: Death = JSON.parse(process.argv[2] ?? '')
const die = (): unknown => process.kill(process.pid, 'SIGKILL')
const opened = await openDatabase(config, '.')
const database = bySteps && opened.dialect.undoesDefinitions ? withoutUndo(opened) : opened
let number = 0

const dying: Database = Object.create(database, {
  transaction: {
    value: (work: Parameters<Database['transaction']>[0], options: object) =>
      database.transaction(function* () {
        const steps = work()
        let next = steps.next()
        while (!next.done) {
          if (number++ === after) {
            if (soon) setImmediate(die)
            else die()
          }
          next = steps.next(yield next.value)
        }
        return next.value
      }, options),
  },
})
const layout = await layoutOf(model)
await opened.exclusively(() => applyMigration(dying, layout, { destructive }))
die()
