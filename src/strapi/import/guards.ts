// Lists code of a Strapi project that may refuse a permitted request. Such code is not imported, so its
// permissions are not granted.

import { ImportNotes, toLine } from './import-notes.ts'
import type { Json } from './strapi-source.ts'

export interface CarriedCode {
  /** By name: a file, relative to the configuration. */
  readonly policies: ReadonlyMap<string, string>
  readonly middlewares: ReadonlyMap<string, string>
  /** `rest.config` by the uid of its type. */
  readonly options: ReadonlyMap<string, Json>
  /** By the uid of the type: a file. */
  readonly lifecycles: ReadonlyMap<string, string>
  readonly services: ReadonlyMap<string, string>
  /** Files of `strapi.config` by name. */
  readonly settings: ReadonlyMap<string, string>
  readonly routes: ReadonlyMap<string, Json>
  /** `server.middlewares`: of every request, in their order. */
  readonly requests: readonly (Json | string)[]
  /** `src/index`. */
  readonly extensions: string | undefined
  /** Of users-permissions: a file that changes the plugin. */
  readonly userExtension: string | undefined
  /** Permissions that it adds. */
  readonly addedActions: ReadonlySet<string>
}

const NO_CODE: CarriedCode = {
  policies: new Map(),
  middlewares: new Map(),
  options: new Map(),
  lifecycles: new Map(),
  services: new Map(),
  settings: new Map(),
  routes: new Map(),
  requests: [],
  extensions: undefined,
  userExtension: undefined,
  addedActions: new Set(),
}

export interface Guards {
  /** Why a permission (`api::note.note.find`) is not granted; empty if it is not guarded. */
  reasons(action: string): readonly string[]
  readonly opened: ReadonlyMap<string, string>
  readonly carried: CarriedCode
  readonly notes: ImportNotes
}

export interface GuardList extends Guards {
  /** `actions`: one action, or a prefix of several (`api::note.`, or '' for all). */
  add(actions: string, reason: string): void
  open(action: string, reason: string): void
}

export function createGuardList(carried: CarriedCode = NO_CODE): GuardList {
  const guards = new Map<string, Set<string>>()
  const opened = new Map<string, string>()
  const notes = new ImportNotes()
  return {
    carried,
    opened,
    notes,
    reasons(action) {
      const found = [...guards].flatMap(([actions, reasons]) => (covers(actions, action) ? [...reasons] : []))
      return [...new Set(found)]
    },
    add(actions, reason) {
      const text = toLine(reason)
      const reasons = guards.get(actions) ?? new Set<string>()
      guards.set(actions, reasons.add(text))
      notes.add('closed', `${text}: ${toText(actions)} not granted`)
    },
    open(action, reason) {
      opened.set(action, toLine(reason))
      notes.add(
        'closed',
        `${toLine(reason)}: grant ${toLine(action)} to the role public by hand if it shall stay open`,
      )
    },
  }
}

export const NO_GUARDS: Guards = createGuardList()

/** For an archive without its project, because an archive has no code. */
export function guardEverything(reason: string): Guards {
  const guards = createGuardList()
  guards.add('', reason)
  return guards
}

function covers(actions: string, action: string): boolean {
  return actions === action || ((actions === '' || actions.endsWith('.')) && action.startsWith(actions))
}

function toText(actions: string): string {
  if (actions === '') return 'permissions are'
  return actions.endsWith('.')
    ? `permissions of ${toLine(actions.slice(0, -1))} are`
    : `${toLine(actions)} is`
}
