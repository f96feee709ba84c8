// Adapts users' `lifecycles` (as in Strapi) to `Lifecycle`.

import { didYouMean } from '../lib/did-you-mean.ts'
import type { DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import type { ContentType } from '../model/content-type.ts'
import { expandTypeName, suggestUid } from '../model/find-target.ts'
import type { Model } from '../model/model.ts'
import type { EntryObject } from '../query/rows/to-object.ts'
import { LIFECYCLE_HOOKS, type Lifecycle, type WriteEvent } from '../write/lifecycle.ts'
import type { Subscriber } from './strapi.ts'
import type { UserCms } from './user-cms.ts'
import { type UserFunction, watchTime } from './watch-time.ts'

type HookName = (typeof LIFECYCLE_HOOKS)[number]

/** All hooks of one write receive the same object. */
export interface LifecycleEvent {
  action: HookName
  readonly model: { readonly uid: string; readonly singularName: string; readonly kind: ContentType['kind'] }
  readonly params: {
    /** The data to write; `before*` may change it. */
    data: Record<string, unknown>
    readonly where?: { readonly id: number }
  }
  /** Lets the hooks of one write pass data to each other. */
  readonly state: Record<string, unknown>
  /** For `after*`: the entry as written, or as it was before deletion. */
  result?: EntryObject
}

export type LifecycleHook = (event: LifecycleEvent) => unknown

/** By short name or full uid; `*` is every content-type. */
export type Lifecycles = Readonly<Record<string, Readonly<Partial<Record<HookName, LifecycleHook>>>>>

export interface ProgramHooks {
  /** Runs before the GraphQL schema is built; may use `cms.graphql.extension`. */
  register?(cms: UserCms): unknown
  /** Runs when tables and entries exist, before the first request. */
  bootstrap?(cms: UserCms): unknown
  readonly lifecycles?: Lifecycles
}

interface LifecyclesPlace {
  readonly path: DiagnosticPath
  readonly report: Report
  readonly of: string
  readonly log: UserCms['log']
}

export function createUserLifecycles(
  given: unknown,
  model: Model,
  { path, report, of, log }: LifecyclesPlace,
): readonly Lifecycle[] {
  if (given === undefined) return []
  if (!isRecord(given)) {
    report({ code: 'USR008', severity: 'error', path, message: 'lifecycles are hooks by content-type' })
    return []
  }
  return Object.entries(given).flatMap(([name, hooks]) => {
    const uids = [...model.contentTypes.keys()]
    const uid = name === '*' ? '*' : expandTypeName(name, uids)
    if (uid === undefined) {
      const near = suggestUid(name, uids)
      report({
        code: 'USR008',
        severity: 'error',
        path,
        message: `lifecycles of an unknown content-type "${name}"`,
        ...(near === undefined ? {} : { help: `did you mean "${near}"?` }),
      })
      return []
    }
    if (!checkHooks(name, hooks, path, report)) return []
    const watched = Object.entries(hooks as Record<string, UserFunction>).map(([hook, run]) => [
      hook,
      watchTime((event) => run.call(hooks, event), `${hook} of "${name}" in ${of}`, log),
    ])
    return [buildLifecycle(uid, Object.fromEntries(watched))]
  })
}

/** Throws TypeError for a model that is no content-type. Those of the admin panel are not here and have no writes. */
export function createSubscribedLifecycles(
  subscriber: Subscriber,
  model: Model,
  log: UserCms['log'],
): readonly Lifecycle[] {
  const { models = ['*'], ...given }: Exclude<Subscriber, UserFunction> =
    typeof subscriber === 'function'
      ? Object.fromEntries(LIFECYCLE_HOOKS.map((name) => [name, subscriber]))
      : subscriber
  const hooks = Object.entries(given).flatMap(([name, run]) => {
    if (typeof run !== 'function') return []
    if ((LIFECYCLE_HOOKS as readonly string[]).includes(name))
      return [
        [name, watchTime((event) => run.call(subscriber, event), `${name} of a subscriber`, log)] as const,
      ]
    if (!name.endsWith('Many'))
      log.warn(`strapi.db.lifecycles.subscribe: there is no ${name} here, it never runs`)
    return []
  })
  return models.flatMap((uid) => {
    if (uid === '*' || model.contentTypes.has(uid as ContentType['uid']))
      return [buildLifecycle(uid, Object.fromEntries(hooks))]
    if (!uid.startsWith(ADMIN)) throw createUnknownModel(uid, model)
    log.warn(`strapi.db.lifecycles.subscribe: there is no ${uid} here, its hooks never run`)
    return []
  })
}

const ADMIN = 'admin::'

function createUnknownModel(uid: string, { contentTypes }: Model): TypeError {
  const near = suggestUid(uid, contentTypes.keys())
  const help = near === undefined ? '' : `; did you mean "${near}"?`
  return new TypeError(`strapi.db.lifecycles.subscribe: unknown content-type "${uid}"${help}`)
}

function checkHooks(name: string, hooks: unknown, path: DiagnosticPath, report: Report): boolean {
  const entries = isRecord(hooks) ? Object.entries(hooks) : undefined
  const known: readonly string[] = LIFECYCLE_HOOKS
  const wrong = entries?.find(([hook, value]) => !known.includes(hook) || typeof value !== 'function')
  if (entries !== undefined && wrong === undefined) return true
  const near = wrong === undefined ? undefined : didYouMean(wrong[0], LIFECYCLE_HOOKS)
  const what = wrong === undefined ? 'are functions by name' : `have no function "${wrong[0]}"`
  report({
    code: 'USR008',
    severity: 'error',
    path,
    message: `lifecycles of "${name}" ${what}`,
    help:
      near !== undefined && near !== wrong?.[0]
        ? `did you mean "${near}"?`
        : `there are ${LIFECYCLE_HOOKS.join(', ')}`,
  })
  return false
}

function buildLifecycle(uid: string, hooks: Partial<Record<HookName, LifecycleHook>>): Lifecycle {
  const events = new WeakMap<WriteEvent, LifecycleEvent>()

  async function run(when: 'before' | 'after', write: WriteEvent, result?: EntryObject): Promise<void> {
    const event = events.get(write) ?? buildEvent(write)
    events.set(write, event)
    if (result !== undefined) event.result = result
    for (const name of [write.action, write.publishes]) {
      const action = `${when}${capitalized(name ?? '')}` as HookName
      const hook = name === undefined ? undefined : hooks[action]
      if (hook === undefined) continue
      event.action = action
      await hook(event)
    }
    if (when === 'before' && write.action !== 'delete') write.data = event.params.data
  }

  const asks = (when: string): boolean => Object.keys(hooks).some((name) => name.startsWith(when))
  return {
    appliesTo: (type) => uid === '*' || type.uid === uid,
    isOfUsers: true,
    ...(asks('before') ? { prepare: (write: WriteEvent) => run('before', write) } : {}),
    ...(asks('after')
      ? { finish: (write: WriteEvent, result: EntryObject) => run('after', write, result) }
      : {}),
  }
}

function buildEvent({ action, type, id, data, state }: WriteEvent): LifecycleEvent {
  return {
    action: `before${capitalized(action)}` as HookName,
    model: { uid: type.uid, singularName: type.singularName, kind: type.kind },
    params: {
      data: structuredClone(data) as Record<string, unknown>,
      ...(id === undefined ? {} : { where: { id } }),
    },
    state,
  }
}

function capitalized(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1)
}
