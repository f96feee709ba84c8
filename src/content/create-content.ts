// Model, tables and a database -> Content. Its caches belong to one generation of the configuration and go with it.

import { everyPermission } from '../auth/principal.ts'
import { type Database, UniqueViolation, type Work } from '../databases/database.ts'
import { ApiError, type ErrorItem, validationErrors } from '../errors/api-error.ts'
import { invariant } from '../errors/invariant.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import type { PageLimits } from '../plan/plan-page.ts'
import { planFind, planFindOne } from '../plan/plan-read.ts'
import { makesDraft } from '../plan/plan-system-values.ts'
import { planWrite } from '../plan/plan-write.ts'
import type { Access } from '../plan/planning.ts'
import type { Question } from '../plan/read-plan.ts'
import { shapeOf } from '../plan/shape.ts'
import type { WriteQuestion } from '../plan/write-building.ts'
import type { WriteOutcome } from '../plan/write-plan.ts'
import type { ModelLayout } from '../sql/build-layout.ts'
import { type CompiledRead, compileRead } from '../sql/compile-read.ts'
import { createWriteStatements } from '../sql/compile-write.ts'
import { LruMap } from '../util/lru-map.ts'
import { faultsOfStored, paramsForPublishing } from './check-published.ts'
import { type Content, SeedFailure, type WriteOptions, type Written } from './content.ts'
import type { EntryRow } from './entry.ts'
import { findSecrets } from './find-secrets.ts'
import { type HashPassword, hashPasswords } from './hash-passwords.ts'
import { readCounted, readEntries } from './read-entries.ts'
import { seedEntries } from './seed-entries.ts'
import { createStorage } from './storage.ts'
import { toObject } from './to-object.ts'
import { createEntry, deleteEntry, lockEntry, notFound, stateOf, updateEntry } from './write-entries.ts'

/** Shapes come from clients: only so many are kept. */
const KEPT_SHAPES = 1000
const ONE: PageLimits = { defaultLimit: 1, maxLimit: 1, withCount: false }

export interface ContentParts {
  readonly layout: ModelLayout
  readonly database: Database
  readonly hashPassword: HashPassword
  /** Epoch milliseconds. */
  now(): number
}

export function createContent({ layout, database, hashPassword, now }: ContentParts): Content {
  const { dialect } = database
  const compiled = new LruMap<string, CompiledRead>(KEPT_SHAPES)
  const storage = createStorage(layout, createWriteStatements(dialect))

  function compiledFor(question: Question): CompiledRead {
    const shape = shapeOf(question.plan)
    let found = compiled.get(shape)
    if (found === undefined) {
      found = compileRead(question.plan, layout, dialect)
      compiled.set(shape, found)
    }
    return found
  }

  function prepareOne(
    type: ContentType,
    params: Params,
    access: Access,
    hideDrafts: boolean,
  ): { question: Question; readWork(id: number): Work<EntryRow | undefined> } {
    // Slot 0 holds the id; every read puts its own there.
    const question = planFindOne(type, 0, params, access, hideDrafts)
    const statements = compiledFor(question)
    return {
      question,
      *readWork(id) {
        const values = [id, ...question.values.slice(1)]
        const [entry] = yield* readEntries(statements, values)
        return entry
      },
    }
  }

  async function write(type: ContentType, work: () => Work<EntryRow>): Promise<EntryRow> {
    try {
      return await database.transaction(work)
    } catch (error) {
      // Another request won the race between the lookup and the write.
      if (error instanceof UniqueViolation) throw takenError(type, error)
      throw error
    }
  }

  return {
    database,
    get compiledPlans() {
      return compiled.size
    },

    prepareFind(type, params, access, limits) {
      const question = planFind(type, params, access, limits)
      const { page, plan, values } = question
      invariant(page !== undefined, 'a list has a page')
      const statements = compiledFor(question)
      return {
        plan,
        page,
        read: () =>
          database.read(function* () {
            if (page.withCount) return { plan, page, ...(yield* readCounted(statements, values)) }
            return { plan, page, entries: yield* readEntries(statements, values), total: undefined }
          }, plan.populate.length === 0),
      }
    },

    prepareFindOne(type, params, access, hideDrafts) {
      const { question, readWork } = prepareOne(type, params, access, hideDrafts)
      const { plan } = question
      const once = plan.populate.length === 0
      return { plan, read: (id) => database.read(() => readWork(id), once) }
    },

    async create(type, data, options) {
      const answer = prepareOne(type, options.params, options.access, false)
      const draft = makesDraft(type, data)
      const outcome = await planned(type, data, { ...questionOf(options), mode: 'create', draft })
      const entry = await write(type, function* () {
        const id = yield* createEntry(storage, outcome)
        return present(yield* answer.readWork(id))
      })
      return { plan: answer.question.plan, entry }
    },

    async update(type, id, data, options) {
      const answer = prepareOne(type, options.params, options.access, false)
      const state = await database.read(() => stateOf(storage, type, id), true)
      if (state === undefined) throw notFound()
      const published = state.draft && publishes(type, data)
      const draft = state.draft && !published
      const asked = await planned(type, data, { ...questionOf(options), mode: 'update', draft })
      const faults = published ? await faultsBeforePublishing(type, id, data) : []
      const outcome = { ...asked, faults: [...asked.faults, ...faults] }
      const entry = await write(type, function* () {
        if (!(yield* updateEntry(storage, outcome, id))) throw notFound()
        return present(yield* answer.readWork(id))
      })
      return { plan: answer.question.plan, entry }
    },

    async delete(type, id, options): Promise<Written> {
      const answer = prepareOne(type, options.params, options.access, false)
      const entry = await write(type, function* () {
        yield* lockEntry(storage, type, id)
        const before = yield* answer.readWork(id)
        if (before === undefined) throw notFound()
        yield* deleteEntry(storage, type, id)
        return before
      })
      return { plan: answer.question.plan, entry }
    },

    findSecrets: (type, by, names) => database.read(() => findSecrets(storage, type, by, names), true),

    async isEmpty(type) {
      const { read } = this.prepareFind(
        type,
        { publicationState: 'preview', locale: 'all' },
        everyPermission,
        ONE,
      )
      return (await read()).entries.length === 0
    },

    async seed(entries) {
      const outcomes: WriteOutcome[] = []
      for (const [index, { type, data }] of entries.entries()) {
        const question: WriteQuestion = {
          access: everyPermission,
          trusted: true,
          now: now(),
          mode: 'create',
          draft: makesDraft(type, data),
        }
        try {
          outcomes.push(await planned(type, data, question))
        } catch (error) {
          throw error instanceof ApiError ? new SeedFailure(index, error) : error
        }
      }
      await database.transaction(() => seedEntries(storage, outcomes))
    },
  }

  async function faultsBeforePublishing(
    type: ContentType,
    id: number,
    data: Readonly<Record<string, unknown>>,
  ): Promise<readonly ErrorItem[]> {
    const { question, readWork } = prepareOne(type, paramsForPublishing(type), everyPermission, false)
    const stored = await database.read(() => readWork(id))
    return stored === undefined ? [] : faultsOfStored(type, toObject(question.plan, stored), data)
  }

  function questionOf(options: WriteOptions): Omit<WriteQuestion, 'mode' | 'draft'> {
    return { access: options.access, trusted: options.trusted ?? false, now: now() }
  }

  async function planned(
    type: ContentType,
    data: Readonly<Record<string, unknown>>,
    question: WriteQuestion,
  ): Promise<WriteOutcome> {
    const outcome = planWrite(type, data, question)
    const plan = await hashPasswords(outcome.plan, hashPassword, question.trusted)
    return plan === outcome.plan ? outcome : { plan, faults: outcome.faults }
  }
}

/** A draft that is published is held to the rules of a published entry. */
function publishes(type: ContentType, data: Readonly<Record<string, unknown>>): boolean {
  if (type.publishedAt === undefined) return false
  const given = data[type.publishedAt.name]
  return given !== undefined && given !== null
}

function present(entry: EntryRow | undefined): EntryRow {
  invariant(entry !== undefined, 'an entry just written can be read')
  return entry
}

function takenError(type: AttributeHolder, violation: UniqueViolation): Error {
  const [column] = violation.columns
  for (const attribute of type.attributes.values()) {
    if (attribute.kind === 'scalar' && attribute.column === column) {
      return validationErrors([
        { path: [attribute.name], message: 'This attribute must be unique', name: 'ValidationError' },
      ])
    }
  }
  return validationErrors([{ path: [], message: 'This attribute must be unique', name: 'ValidationError' }])
}
