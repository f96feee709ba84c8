// Creates, updates or deletes one entry; one transaction writes it and reads the response.

import { everyPermission, isServer } from '../access/principal.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { listChangedNames } from '../lib/sent-values.ts'
import { traceWork } from '../lib/traced.ts'
import { hasVersions } from '../model/content-rules.ts'
import type { ContentType } from '../model/content-type.ts'
import { makesDraft } from '../plan/plan-system-values.ts'
import { planWrite } from '../plan/write/plan-write.ts'
import type { LocaleVariants, PayloadOptions } from '../plan/write/write-building.ts'
import { getWriteLimits } from '../plan/write/write-limits.ts'
import type { PlannedPayload } from '../plan/write/write-plan.ts'
import type { EntryReader } from '../query/rows/entry-reader.ts'
import { createRequestBudget } from '../query/rows/request-budget.ts'
import type { Database, Work } from '../storage/database.ts'
import {
  assertLocale,
  assertMayJoin,
  assertMayLocalize,
  buildLocalizationData,
  findSharedFaults,
  listNamedLocalizations,
  withoutLocalizations,
} from './check-localization.ts'
import type { Content, WriteOptions, WriteResult } from './content.ts'
import { type HashPassword, hashPasswords, holdsPassword } from './hash-passwords.ts'
import type { WriteEvent } from './lifecycle.ts'
import type { TypeHooks } from './run-lifecycles.ts'
import type { WriteContext } from './validated-write.ts'
import { createWrite } from './write.ts'
import { createWriteRules, type RuledWrite } from './write-rules.ts'
import {
  getSource,
  readAllLocaleVariants,
  readLocaleState,
  readLocaleVariants,
} from './writes/localize-entries.ts'
import { createNotFound, readState } from './writes/write-entries.ts'

type Data = Readonly<Record<string, unknown>>

interface WritesContext extends WriteContext {
  readonly database: Database
  readonly hashPassword: HashPassword
  readonly writeRows: number
  readonly strict: boolean
  /** `dryRun`: without users' hooks. */
  findHooks(type: ContentType, dryRun?: boolean): TypeHooks | undefined
}

export interface Writes
  extends Pick<Content, 'create' | 'localize' | 'update' | 'delete' | 'assertMayChange'> {
  plan(type: ContentType, data: Data, options: PayloadOptions): PlannedPayload | Promise<PlannedPayload>
}

export function createWrites(context: WritesContext): Writes {
  const { database, storage, changedTypes, prepareOne, findHooks } = context
  const limits = getWriteLimits(context.writeRows)
  const rules = createWriteRules(context)

  const { write, faultsBeforePublishing } = createWrite(context)

  /** A response that costs too much is refused before the write. */
  function getOutput(
    type: ContentType,
    { params, access, output, budget = createRequestBudget() }: WriteOptions,
    hideDrafts = false,
  ): Pick<EntryReader, 'query' | 'readWork'> {
    const { query, charge, readWork } = output?.() ?? prepareOne(type, params, access, hideDrafts, false)
    charge(budget)
    const part = budget.part()
    return { query, readWork: (id) => readWork(id, part) }
  }

  /** `from`: the localized entry, and whether the rules for drafts apply. */
  async function insert(
    type: ContentType,
    data: Data,
    ruled: RuledWrite,
    from?: { readonly source: number; readonly draft: boolean },
  ): Promise<WriteResult> {
    const { options } = ruled
    const output = getOutput(type, options)
    const hooks = findHooks(type, options.dryRun)
    const event = buildEvent('create', type, undefined, data, options)
    if (hooks !== undefined) await hooks.prepare(event)
    const storedDraft = makesDraft(type, event.data)
    const publishes = options.finish === 'publish' && hasVersions(type)
    const draft = options.complete !== true && !publishes && (from?.draft ?? storedDraft)
    const joined = from === undefined ? listNamedLocalizations(type, event.data) : [from.source]
    if (from === undefined) assertMayJoin(type, joined, options.access)
    const variants = type.localized
      ? await siblingsBefore(type, () => readAllLocaleVariants(storage, type, joined))
      : undefined
    const planned = plan(type, event.data, payloadOptions('create', event, options, data, draft, variants))
    // Without passwords and localizations, this stays synchronous.
    const asked = planned instanceof Promise ? await planned : planned
    const [source] = storedDraft ? [] : joined
    const taken =
      source === undefined ? [] : await database.read(() => faultsBeforePublishing(type, source, event.data))
    const { moreFaults, dateFault, access } = asked
    const faults = taken.length === 0 ? asked.faults : [...asked.faults, ...findSharedFaults(type, taken)]
    const outcome = { plan: withoutLocalizations(type, asked.plan), faults, moreFaults, dateFault, access }
    const entry = await write({
      event,
      planned: outcome,
      hooks,
      rules: ruled,
      output,
      joined,
      localizes: from?.source,
      types: () => changedTypes.byWrite(outcome.plan, joined.length > 0),
    })
    return { plan: output.query.plan, entry }
  }

  function siblingsBefore(
    type: ContentType,
    find: () => Work<readonly number[]>,
  ): LocaleVariants | undefined | Promise<LocaleVariants | undefined> {
    return database.read(() => siblingsState(type, find()))
  }

  function* siblingsState(
    type: ContentType,
    variants: Work<readonly number[]>,
  ): Work<LocaleVariants | undefined> {
    return yield* readLocaleState(storage, type, yield* variants)
  }

  /** `sent` is the data before the hooks ran. */
  function payloadOptions(
    mode: PayloadOptions['mode'],
    { type, data }: WriteEvent,
    { access, trusted = false, own, documentId, tally, linkedLater }: WriteOptions,
    sent: Data,
    draft: boolean,
    variants: LocaleVariants | undefined,
  ): PayloadOptions {
    const names = data === sent ? own : new Set([...(own ?? []), ...listChangedNames(sent, data)])
    const byServer = names === undefined || names.size === 0 ? undefined : { names, access: everyPermission }
    const { looseRelations } = context
    const closed = isServer(access) ? undefined : context.strict ? 'refused' : 'ignored'
    // One literal: V8 gives each object built by spreading its own shape, so that every access misses its
    // cache.
    return {
      mode,
      draft,
      access,
      trusted,
      now: context.now(),
      limits,
      tally,
      linkedLater,
      own: byServer,
      closed,
      strict: context.strict && !trusted,
      documentId,
      looseRelations,
      variants,
      versions: hasVersions(type),
      documents: type.document !== undefined,
    }
  }

  function plan(
    type: ContentType,
    data: Data,
    options: PayloadOptions,
  ): PlannedPayload | Promise<PlannedPayload> {
    const outcome = traceWork('plan', () => planWrite(type, data, options))
    if (!holdsPassword(outcome.plan)) return outcome
    const hashed = hashPasswords(outcome.plan, context.hashPassword, options.trusted)
    return hashed.then((hashedPlan) => ({ ...outcome, plan: hashedPlan }))
  }

  return {
    plan,

    async create(type, data, options) {
      // `update` covers creating a single type's entry.
      const action = type.kind === 'singleType' ? 'update' : 'create'
      const ruled = rules.forCreate(type, action, data, options)
      return insert(type, ruled.data, ruled)
    },

    async localize(type, id, data, options) {
      assertMayLocalize(type, data, options.access)
      const source = await database.read(() => getSource(storage, type, id, options.access))
      if (source === undefined) throw new ApiError('NotFoundError', 'Entity not found')
      assertLocale(type, data['locale'])
      const localized = buildLocalizationData(type, data)
      // Documents get their locales from updates.
      const localizing = type.document === undefined ? 'createLocalization' : 'update'
      const ruled = await rules.forEntry(type, localizing, source, localized, options)
      return insert(type, ruled.data, ruled, { source, draft: makesDraft(type, data) })
    },

    async assertMayChange(type, action, id, access) {
      const state = await database.read(() => readState(storage, type, id), { single: true })
      await rules.forEntry(type, action, id, {}, { params: {}, access, by: undefined }, state !== undefined)
    },

    async update(type, id, sent, given) {
      const output = getOutput(type, given)
      const state = await database.read(() => readState(storage, type, id), { single: true })
      const ruled = await rules.forEntry(type, 'update', id, sent, given, state !== undefined)
      if (state === undefined) throw createNotFound()
      const { data, options } = ruled
      const hooks = findHooks(type, options.dryRun)
      const publishes = options.finish === 'publish' && hasVersions(type)
      const event = buildEvent(
        'update',
        type,
        id,
        data,
        options,
        getChange(type, state.draft, data, publishes),
      )
      if (hooks !== undefined) await hooks.prepare(event)
      const published = getChange(type, state.draft, event.data, publishes) === 'publish'
      const draft = state.draft && !published
      const variants = type.localized
        ? await siblingsBefore(type, () => readLocaleVariants(storage, type, id))
        : undefined
      const planning = payloadOptions('update', event, options, data, draft, variants)
      const outcome = await plan(type, event.data, planning)
      const entry = await write({
        event,
        planned: outcome,
        hooks,
        rules: ruled,
        output,
        publishes: published,
        types: () => changedTypes.byWrite(outcome.plan),
      })
      return { plan: output.query.plan, entry }
    },

    async delete(type, id, options) {
      const output = getOutput(type, options, !options.access.seesDrafts(type))
      const ruled = await rules.forEntry(type, 'delete', id, {}, options)
      const hooks = findHooks(type, options.dryRun)
      const event = buildEvent('delete', type, id, {}, options)
      if (hooks !== undefined) {
        if ((await database.read(() => output.readWork(id))) === undefined) throw createNotFound()
        await hooks.prepare(event)
      }
      const entry = await write({
        event,
        planned: undefined,
        hooks,
        rules: ruled,
        output,
        types: () => changedTypes.byDelete(type),
      })
      return { plan: output.query.plan, entry }
    },
  }
}

function buildEvent(
  action: WriteEvent['action'],
  type: ContentType,
  id: number | undefined,
  data: Data,
  { access, trusted = false }: WriteOptions,
  publishes?: WriteEvent['publishes'],
): WriteEvent {
  return { action, type, id, data, access, trusted, publishes, state: {} }
}

/** A draft that is being published must meet the rules of a published entry. */
function getChange(
  type: ContentType,
  draft: boolean,
  data: Data,
  publishes: boolean,
): WriteEvent['publishes'] {
  if (type.document !== undefined) return publishes ? 'publish' : undefined
  const given = type.publishedAt === undefined ? undefined : data[type.publishedAt.name]
  if (given === undefined) return undefined
  if (given === null) return draft ? undefined : 'unpublish'
  return draft ? 'publish' : undefined
}
