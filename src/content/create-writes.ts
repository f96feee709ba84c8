// Create, update and delete of one entry: lifecycles, checks, passwords, one transaction, and the answer read back
// within it (spec 4.1).

import { everyPermission } from '../auth/principal.ts'
import { type Database, UniqueViolation, type Work } from '../databases/database.ts'
import { type ErrorItem, validationErrors } from '../errors/api-error.ts'
import { invariant } from '../errors/invariant.ts'
import type { AttributeHolder, ContentType } from '../model/content-type.ts'
import type { Params } from '../plan/params.ts'
import { makesDraft } from '../plan/plan-system-values.ts'
import { planWrite } from '../plan/plan-write.ts'
import type { Access } from '../plan/planning.ts'
import type { Question } from '../plan/read-plan.ts'
import type { WriteQuestion } from '../plan/write-building.ts'
import type { WriteOutcome } from '../plan/write-plan.ts'
import { faultsOfStored, paramsForPublishing } from './check-published.ts'
import type { Content, WriteOptions } from './content.ts'
import type { EntryRow } from './entry.ts'
import { type HashPassword, hashPasswords } from './hash-passwords.ts'
import type { WriteEvent } from './lifecycle.ts'
import type { TypeHooks } from './run-lifecycles.ts'
import type { Storage } from './storage.ts'
import { type EntryObject, toObject } from './to-object.ts'
import { createEntry, deleteEntry, lockEntry, notFound, stateOf, updateEntry } from './write-entries.ts'

type Data = Readonly<Record<string, unknown>>

/** One entry by id, as `Work` for use within a transaction. */
export interface ReadableOne {
  readonly question: Question
  readWork(id: number): Work<EntryRow | undefined>
}

export interface WriteParts {
  readonly database: Database
  readonly storage: Storage
  readonly hashPassword: HashPassword
  now(): number
  prepareOne(type: ContentType, params: Params, access: Access, hideDrafts: boolean): ReadableOne
  hooksOf(type: ContentType): TypeHooks | undefined
}

export interface Writes extends Pick<Content, 'create' | 'update' | 'delete'> {
  /** The data as a plan, passwords hashed. */
  plan(type: ContentType, data: Data, question: WriteQuestion): Promise<WriteOutcome>
}

interface Done {
  readonly entry: EntryRow
  /** For users' hooks; undefined when there are none. */
  readonly result: EntryObject | undefined
}

const WHOLE: Params = { publicationState: 'preview', locale: 'all' }

export function createWrites(parts: WriteParts): Writes {
  const { database, storage, prepareOne, hooksOf } = parts

  async function write(event: WriteEvent, hooks: TypeHooks | undefined, work: () => Work<Done>) {
    const finish = hooks?.finish
    try {
      if (finish === undefined) return (await database.transaction(work)).entry
      const whole = async (): Promise<EntryRow> => {
        const { entry, result } = await database.transaction(work)
        invariant(result !== undefined, 'hooks are given what was written')
        await finish(event, result)
        return entry
      }
      return await (database.hold === undefined ? whole() : database.hold(whole))
    } catch (error) {
      // Another request won the race between the lookup and the write.
      if (error instanceof UniqueViolation) throw takenError(event.type, error)
      throw error
    }
  }

  /** What users' hooks are given: the whole entry, whatever the answer holds. */
  function* resultOf(hooks: TypeHooks | undefined, type: ContentType, id: number): Work<Done['result']> {
    if (hooks?.finish === undefined) return undefined
    const { question, readWork } = prepareOne(type, WHOLE, everyPermission, false)
    return toObject(question.plan, present(yield* readWork(id)))
  }

  async function faultsBeforePublishing(
    type: ContentType,
    id: number,
    data: Data,
  ): Promise<readonly ErrorItem[]> {
    const { question, readWork } = prepareOne(type, paramsForPublishing(type), everyPermission, false)
    const stored = await database.read(() => readWork(id))
    return stored === undefined ? [] : faultsOfStored(type, toObject(question.plan, stored), data)
  }

  function questionOf(options: WriteOptions): Omit<WriteQuestion, 'mode' | 'draft'> {
    return { access: options.access, trusted: options.trusted ?? false, now: parts.now() }
  }

  async function plan(type: ContentType, data: Data, question: WriteQuestion): Promise<WriteOutcome> {
    const outcome = planWrite(type, data, question)
    const hashed = await hashPasswords(outcome.plan, parts.hashPassword, question.trusted)
    return hashed === outcome.plan ? outcome : { plan: hashed, faults: outcome.faults }
  }

  return {
    plan,

    async create(type, data, options) {
      const answer = prepareOne(type, options.params, options.access, false)
      const hooks = hooksOf(type)
      const event = eventOf('create', type, undefined, data, options)
      await hooks?.prepare(event)
      const draft = options.complete !== true && makesDraft(type, event.data)
      const outcome = await plan(type, event.data, { ...questionOf(options), mode: 'create', draft })
      const entry = await write(event, hooks, function* () {
        if (hooks !== undefined) yield* hooks.before(event, outcome.plan)
        const id = yield* createEntry(storage, outcome)
        event.id = id
        if (hooks !== undefined) yield* hooks.after(event, outcome.plan)
        return { entry: present(yield* answer.readWork(id)), result: yield* resultOf(hooks, type, id) }
      })
      await hooks?.committed(event)
      return { plan: answer.question.plan, entry }
    },

    async update(type, id, data, options) {
      const answer = prepareOne(type, options.params, options.access, false)
      const state = await database.read(() => stateOf(storage, type, id), true)
      if (state === undefined) throw notFound()
      const hooks = hooksOf(type)
      const event = eventOf('update', type, id, data, options, changeOf(type, state.draft, data))
      await hooks?.prepare(event)
      const published = changeOf(type, state.draft, event.data) === 'publish'
      const draft = state.draft && !published
      const asked = await plan(type, event.data, { ...questionOf(options), mode: 'update', draft })
      const faults = published ? await faultsBeforePublishing(type, id, event.data) : []
      const outcome = { ...asked, faults: [...asked.faults, ...faults] }
      const entry = await write(event, hooks, function* () {
        if (hooks !== undefined) yield* hooks.before(event, outcome.plan)
        if (!(yield* updateEntry(storage, outcome, id))) throw notFound()
        if (hooks !== undefined) yield* hooks.after(event, outcome.plan)
        return { entry: present(yield* answer.readWork(id)), result: yield* resultOf(hooks, type, id) }
      })
      await hooks?.committed(event)
      return { plan: answer.question.plan, entry }
    },

    async delete(type, id, options) {
      const answer = prepareOne(type, options.params, options.access, false)
      const hooks = hooksOf(type)
      const event = eventOf('delete', type, id, {}, options)
      if (hooks !== undefined) {
        if ((await database.read(() => stateOf(storage, type, id), true)) === undefined) throw notFound()
        await hooks.prepare(event)
      }
      const entry = await write(event, hooks, function* () {
        yield* lockEntry(storage, type, id)
        const before = yield* answer.readWork(id)
        if (before === undefined) throw notFound()
        const result = yield* resultOf(hooks, type, id)
        if (hooks !== undefined) yield* hooks.before(event, undefined)
        yield* deleteEntry(storage, type, id)
        if (hooks !== undefined) yield* hooks.after(event, undefined)
        return { entry: before, result }
      })
      await hooks?.committed(event)
      return { plan: answer.question.plan, entry }
    },
  }
}

function eventOf(
  action: WriteEvent['action'],
  type: ContentType,
  id: number | undefined,
  data: Data,
  { access }: WriteOptions,
  publishes?: WriteEvent['publishes'],
): WriteEvent {
  return { action, type, id, data, access, publishes, state: {} }
}

/** A draft that is published is held to the rules of a published entry. */
function changeOf(type: ContentType, draft: boolean, data: Data): WriteEvent['publishes'] {
  const given = type.publishedAt === undefined ? undefined : data[type.publishedAt.name]
  if (given === undefined) return undefined
  if (given === null) return draft ? undefined : 'unpublish'
  return draft ? 'publish' : undefined
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
