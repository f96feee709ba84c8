// The report of an import: sentences, grouped by what they mean for the project.

export const NOTE_GROUPS = ['closed', 'missing', 'different', 'taken'] as const

/** `closed`: permissions that are not granted; `taken`: code that runs as it stands. */
export type NoteGroup = (typeof NOTE_GROUPS)[number]

export interface ImportNote {
  readonly group: NoteGroup
  readonly text: string
}

export type ImportReport = Readonly<Record<NoteGroup, readonly string[]>>

export class ImportNotes {
  readonly #texts: Readonly<Record<NoteGroup, Set<string>>> = {
    closed: new Set(),
    missing: new Set(),
    different: new Set(),
    taken: new Set(),
  }

  closed(text: string): void {
    this.#add('closed', text)
  }

  missing(text: string): void {
    this.#add('missing', text)
  }

  different(text: string): void {
    this.#add('different', text)
  }

  taken(text: string): void {
    this.#add('taken', text)
  }

  addAll(notes: readonly ImportNote[]): void {
    for (const { group, text } of notes) this.#add(group, text)
  }

  get list(): readonly ImportNote[] {
    return NOTE_GROUPS.flatMap((group) => [...this.#texts[group]].map((text) => ({ group, text })))
  }

  get report(): ImportReport {
    const texts = (group: NoteGroup): readonly string[] => [...this.#texts[group]]
    return {
      closed: texts('closed'),
      missing: texts('missing'),
      different: texts('different'),
      taken: texts('taken'),
    }
  }

  /** Names in a project may hold line breaks, which would end a comment. */
  #add(group: NoteGroup, text: string): void {
    this.#texts[group].add(text.replace(/[\p{Cc}\u2028\u2029]/gu, '?'))
  }
}
