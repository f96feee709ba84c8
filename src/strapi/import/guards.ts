// Code of a Strapi project that may refuse a request which a permission allows. It is not taken, so the permissions that it
// guards are not granted.

export interface Guards {
  /** Why a permission (`api::note.note.find`) is not granted; empty if nothing guards it. */
  reasons(action: string): readonly string[]
  /** Actions that were open without a permission, with the place that says so. */
  readonly opened: ReadonlyMap<string, string>
  /** One for each guard: its place, and the permissions that it guards. */
  readonly notes: readonly string[]
}

export interface GuardList extends Guards {
  /** `actions`: one action, or the beginning of several (`api::note.`, or '' for all). */
  add(actions: string, reason: string): void
  open(action: string, reason: string): void
  /** Something that is not taken, and guards nothing. */
  note(text: string): void
}

export function createGuardList(): GuardList {
  const guards = new Map<string, Set<string>>()
  const opened = new Map<string, string>()
  const notes = new Set<string>()
  return {
    opened,
    get notes() {
      return [...notes]
    },
    reasons(action) {
      const found = [...guards].flatMap(([actions, reasons]) => (covers(actions, action) ? [...reasons] : []))
      return [...new Set(found)]
    },
    add(actions, reason) {
      const text = toLine(reason)
      const reasons = guards.get(actions) ?? new Set<string>()
      guards.set(actions, reasons.add(text))
      notes.add(`${text}: ${toText(actions)} not granted`)
    },
    note(text) {
      notes.add(toLine(text))
    },
    open(action, reason) {
      opened.set(action, toLine(reason))
      notes.add(`${toLine(reason)}: grant ${toLine(action)} to the role public by hand if it shall stay open`)
    },
  }
}

/** For sources whose permissions are made here, not read. */
export const NO_GUARDS: Guards = createGuardList()

/** For an archive, which has no code, without its project. */
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

/** Names in a project may hold line breaks, which would end a comment. */
function toLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '?')
}
