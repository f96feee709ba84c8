// Ids that the group's earlier cases have shifted. A create that one side refuses takes no number on that side, so
// what is created later is called differently: such ids are compared, and sent, as what they stand for. Ids of
// seeded entries are the same on both sides and never touched.

import type { Answer, ComponentNames } from './compare.ts'
import type { RecordedCase, RecordedRequest } from './recorded-case.ts'

type Json = Record<string, unknown>

export interface Renumbering {
  /** The recorded request with our ids in it. */
  ours(request: RecordedRequest): RecordedRequest
  /** Our answer with the recorded ids in it, after learning from it which is which. */
  asRecorded(one: RecordedCase, ours: Answer): Answer
}

/** `/api/articles/7?x` */
const ENTRY_PATH = /^(\/api\/([a-z-]+)\/)(\d+)(?=[/?]|$)/

/** Localizations are answered without an envelope. */
const BARE_ENTRY = /\/localizations(?=\?|$)/

/** `largestSeeded`: by plural name. One for each group. */
export function createRenumbering(
  largestSeeded: ReadonlyMap<string, number>,
  components: ComponentNames,
): Renumbering {
  /** How much larger our ids of created entries are, by plural name. */
  const shifts = new Map<string, number>()
  const componentIds = new Map<number, number>()
  /** Recorded ids by ours. */
  const fileIds = new Map<number, number>()

  const isCreated = (plural: string, id: unknown): id is number =>
    typeof id === 'number' && id > (largestSeeded.get(plural) ?? Number.POSITIVE_INFINITY)

  function learn(recorded: unknown, ours: unknown): void {
    if (!isContainer(recorded) || !isContainer(ours)) return
    for (const key of Object.keys(recorded)) {
      if (components.has(key)) learnComponents(recorded[key], ours[key])
      else learn(recorded[key], ours[key])
    }
  }

  function learnComponents(recorded: unknown, ours: unknown): void {
    if (Array.isArray(recorded) && Array.isArray(ours)) {
      for (const [index, element] of recorded.entries()) learnComponents(element, ours[index])
    } else if (isContainer(recorded) && isContainer(ours)) {
      if (typeof recorded['id'] === 'number' && typeof ours['id'] === 'number')
        componentIds.set(recorded['id'], ours['id'])
      learn(recorded, ours)
    }
  }

  /** Files are answered flat, in lists. */
  function learnFiles(recorded: unknown, ours: unknown): void {
    if (!Array.isArray(recorded) || !Array.isArray(ours)) return
    for (const [index, element] of recorded.entries()) {
      const own: unknown = ours[index]
      if (!isContainer(element) || !isContainer(own) || !isCreated('files', own['id'])) continue
      if (typeof element['id'] === 'number' && element['id'] !== own['id'])
        fileIds.set(own['id'], element['id'])
    }
  }

  /** Only files are created where files are uploaded: whatever has such an id is one. */
  function withRecordedFileIds(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(withRecordedFileIds)
    if (!isContainer(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => [
        key,
        key === 'id' ? (fileIds.get(Number(inner)) ?? inner) : withRecordedFileIds(inner),
      ]),
    )
  }

  function withOurComponentIds(value: unknown, isComponent: boolean): unknown {
    if (Array.isArray(value)) return value.map((element) => withOurComponentIds(element, isComponent))
    if (!isContainer(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        if (isComponent && key === 'id') return [key, componentIds.get(Number(inner)) ?? inner]
        return [key, withOurComponentIds(inner, components.has(key))]
      }),
    )
  }

  return {
    ours(request) {
      const path = request.path.replace(ENTRY_PATH, (all, before: string, plural: string, id: string) =>
        isCreated(plural, Number(id)) ? `${before}${Number(id) + (shifts.get(plural) ?? 0)}` : all,
      )
      const body = 'body' in request ? { body: withOurComponentIds(request.body, false) } : {}
      return { ...request, path, ...body }
    },
    asRecorded({ request, response }, ours) {
      learn(response?.body, ours.body)
      if (/^\/api\/upload\b/.test(request.path)) learnFiles(response?.body, ours.body)
      if (fileIds.size > 0) return { ...ours, body: withRecordedFileIds(ours.body) }
      const plural = /^\/api\/([a-z-]+)/.exec(request.path)?.[1]
      const bare = BARE_ENTRY.test(request.path)
      const entry = bare ? bareEntryOf(ours.body) : entryOf(ours.body)
      if (plural === undefined || entry === undefined || !isCreated(plural, entry['id'])) return ours
      const recordedId = (bare ? bareEntryOf(response?.body) : entryOf(response?.body))?.['id']
      if (request.method === 'POST' && typeof recordedId === 'number')
        shifts.set(plural, entry['id'] - recordedId)
      const id = entry['id'] - (shifts.get(plural) ?? 0)
      const body = bare ? { ...entry, id } : { ...(ours.body as Json), data: { ...entry, id } }
      return { ...ours, body }
    },
  }
}

function entryOf(body: unknown): Json | undefined {
  const data = isContainer(body) ? body['data'] : undefined
  return isContainer(data) && !Array.isArray(data) ? data : undefined
}

function bareEntryOf(body: unknown): Json | undefined {
  return isContainer(body) && 'id' in body ? body : undefined
}

function isContainer(value: unknown): value is Json {
  return typeof value === 'object' && value !== null
}
