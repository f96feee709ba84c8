// Collects the sentences of an import's report.

export const NOTE_GROUPS = ['closed', 'missing', 'different', 'taken'] as const

/** `closed`: permissions that are not granted; `taken`: code that runs as it stands. */
export type NoteGroup = (typeof NOTE_GROUPS)[number]

export interface ImportNote {
  readonly group: NoteGroup
  readonly text: string
}

export type ImportReport = Readonly<Record<NoteGroup, readonly string[]>>

/** Each sentence once. */
export class ImportNotes {
  readonly #groups = new Map<string, NoteGroup>()

  add(group: NoteGroup, text: string): void {
    this.#groups.set(toLine(text), group)
  }

  addAll(notes: readonly ImportNote[]): void {
    for (const { group, text } of notes) this.add(group, text)
  }

  get list(): readonly ImportNote[] {
    return [...this.#groups].map(([text, group]) => ({ group, text }))
  }

  get report(): ImportReport {
    const getTexts = (wanted: NoteGroup): readonly string[] =>
      this.list.flatMap(({ group, text }) => (group === wanted ? [text] : []))
    return {
      closed: getTexts('closed'),
      missing: getTexts('missing'),
      different: getTexts('different'),
      taken: getTexts('taken'),
    }
  }
}

/** Names in a project may hold line breaks, which would end a comment. */
export function toLine(text: string): string {
  return text.replace(/[\p{Cc}\u2028\u2029]/gu, '?')
}
