// Declares what a project has and a configuration lacks.

export const ADDITION_GROUPS = ['contentTypes', 'components', 'attributes', 'routes', 'code'] as const

export interface Addition {
  readonly group: (typeof ADDITION_GROUPS)[number]
  /** `api::note.note`, `api::note.note.title`, `GET /notes/mine`, `./src/api/note/services/note.js`. */
  readonly name: string
  readonly message: string
}
