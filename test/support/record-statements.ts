// Records the statements that each open database is asked for, as they are asked, and passes everything on. A test says
// `vi.mock('../../src/storage/open-database.ts', async (original) => wrapOpen(await original()))`, with `wrapOpen`
// imported in there.

import {
  type Database,
  isSteps,
  type ReadOptions,
  type TransactionOptions,
  type Work,
} from '../../src/storage/database.ts'
import type { openDatabase } from '../../src/storage/open-database.ts'

/** The texts of the statements, in their order, by database in the order in which they were opened. */
export const recorded: string[][] = []

export function wrapOpen<M extends { readonly openDatabase: typeof openDatabase }>(actual: M): M {
  return {
    ...actual,
    openDatabase: async (...given) => {
      const texts: string[] = []
      recorded.push(texts)
      return recording(await actual.openDatabase(...given), texts)
    },
  }
}

/** Tables are counted from time to time, and uses of tokens noted later: not for the request at hand. */
const ASIDE = /coalesce\(\(select max\(|cms_run_/

function recording(database: Database, texts: string[]): Database {
  const noted =
    <T>(work: () => Work<T>) =>
    (): Work<T> =>
      noting(work(), texts)
  return new Proxy(database, {
    get(target, name) {
      if (name === 'read')
        return (work: () => Work<unknown>, options?: ReadOptions) => target.read(noted(work), options)
      if (name === 'transaction')
        return (work: () => Work<unknown>, options?: TransactionOptions) =>
          target.transaction(noted(work), options)
      const value: unknown = Reflect.get(target, name)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function* noting<T>(work: Work<T>, texts: string[]): Work<T> {
  let next = work.next()
  while (next.done !== true) {
    const asked = next.value
    for (const { statement } of isSteps(asked) ? asked : [asked])
      if (!ASIDE.test(statement.text)) texts.push(statement.text)
    let failure: { readonly error: unknown } | undefined
    let answer: Parameters<typeof work.next>[0] | undefined
    try {
      answer = yield asked
    } catch (error) {
      failure = { error }
    }
    next = failure === undefined ? work.next(answer ?? []) : work.throw(failure.error)
  }
  return next.value
}
