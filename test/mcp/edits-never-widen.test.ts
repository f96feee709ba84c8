// Random edits that an agent applies without the words of the plan never show anybody more than before. The oracle is REST:
// every stored value is unlike all others, so that a value that a caller did not see before is found in any answer.

import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest'
import { type EditedFile, openEditedFile } from '../support/edited-file.ts'
import { takeLeaks } from '../support/taint/trap.ts'

const RUNS = process.env['LONG'] === '1' ? 1000 : 30

const text = `
plugins: { mcp: true }
# A plan starts two servers in memory, which takes long on a busy machine.
server: { limits: { requestTimeout: 10min } }
contentTypes:
  note:
    drafts: true
    attributes:
      title: string!
      cost: { type: string, private: true }
      pin: password
      mood: [glad, sad]
      part: part
      about: topic
      owner: user
  topic: { label: string!, hidden: { type: string, private: true }, notes: [note] }
  log: { line: string }
components:
  part: { text: string, inner: { type: string, private: true } }
auth:
  roles:
    public: [topic.find]
    reader: { permissions: [{ note.read: { where: mood == "glad", fields: [title, mood, about] } }], extends: public }
    editor: [note.*, topic.read, { topic.update: { where: label != "value topic label 1" } }]
data:
  note:
    - { title: value note title 1, cost: value note cost 1, pin: value-pin-1, mood: glad, part: { text: value part text 1, inner: value part inner 1 }, about: value topic label 1 }
    - { title: value note title 2, cost: value note cost 2, pin: value-pin-2, mood: sad, part: { text: value part text 2, inner: value part inner 2 } }
    - { title: value note title 3, cost: value note cost 3, mood: glad, publishedAt: null }
  topic: [{ label: value topic label 1, hidden: value topic hidden 1 }, { label: value topic label 2, hidden: value topic hidden 2 }]
  log: [{ line: value log line 1 }]
`

const ROLES = ['public', 'reader', 'editor', 'authenticated'] as const
const TYPES = ['note', 'topic', 'log']

type Edit = Readonly<Record<string, unknown>>

const type = fc.constantFrom(...TYPES)
const attribute = fc.constantFrom('title', 'cost', 'pin', 'part', 'about', 'label', 'hidden', 'line', 'shown')
const role = fc.constantFrom('public', 'reader', 'editor', 'authenticated', 'guest')
const permission = fc
  .tuple(type, fc.constantFrom('find', 'findOne', 'read', 'create', 'update', 'delete', '*'))
  .map(([name, action]) => `${name}.${action}`)
const rule = fc.constantFrom<Edit>(
  { where: 'mood == "glad"' },
  { where: 'mood == "sad" || mood == "glad"' },
  { where: 'mood == "glad" && id > 1' },
  { where: 'mood == "glad"', fields: ['title'] },
  { where: 'mood == "glad"', fields: ['title', 'mood', 'about', 'part'] },
  { fields: ['title', 'mood', 'about'] },
  { where: 'id > 0' },
)
const shape = fc.constantFrom<unknown>(
  'string',
  { type: 'string', private: true },
  { type: 'string', private: false },
  { computed: 'cost' },
  { computed: 'cost + "!"' },
  { computed: 'hidden' },
  { type: 'string', renamedFrom: 'cost' },
  { type: 'string', renamedFrom: 'hidden' },
  { type: 'uid', targetField: 'cost' },
  { type: 'component', component: 'shared.part' },
  ['note'],
  'topic',
  { target: 'note', private: true },
)
const set = (path: readonly unknown[], value: unknown): Edit => ({ do: 'set', path, value })
const edit: fc.Arbitrary<Edit> = fc.oneof(
  fc.record(
    { do: fc.constant('allow'), role, permission, rule },
    { requiredKeys: ['do', 'role', 'permission'] },
  ),
  fc.record({
    do: fc.constant('revoke'),
    role,
    permission: fc.constantFrom('note.read', 'note.*', 'topic.find', 'topic.update', 'topic.read'),
  }),
  fc.record({ do: fc.constant('setAttribute'), type, attribute, value: shape }),
  fc.record({ do: fc.constant('rename'), type, attribute, to: fc.constantFrom('shown', 'other') }),
  fc.record({ do: fc.constant('rename'), type, to: fc.constantFrom('memo', 'paper') }),
  fc.record({ do: fc.constant('remove'), type, attribute }),
  fc.record({ do: fc.constant('remove'), type }),
  fc.record({
    do: fc.constant('setAttribute'),
    component: fc.constant('part'),
    attribute: fc.constantFrom('inner', 'text', 'shown'),
    value: fc.constantFrom<unknown>(
      'string',
      { type: 'string', renamedFrom: 'inner' },
      { computed: 'inner' },
    ),
  }),
  fc.record(
    {
      do: fc.constant('addType'),
      type: fc.constantFrom('memo', 'paper'),
      attributes: fc.constantFrom<unknown>(
        { title: 'string', cost: 'string' },
        { notes: ['note'], label: 'string' },
      ),
      options: fc.constantFrom({}, { collectionName: 'notes' }, { renamedFrom: 'note' }),
    },
    { requiredKeys: ['do', 'type', 'attributes'] },
  ),
  fc.record({
    do: fc.constant('addEntries'),
    type,
    entries: fc.constant([{ title: 'new', label: 'new', line: 'new' }]),
  }),
  fc.constantFrom(
    set(['contentTypes', 'note', 'drafts'], false),
    set(['contentTypes', 'note', 'drafts'], { off: 'publish' }),
    set(['contentTypes', 'note', 'attributes', 'cost', 'private'], false),
    set(['contentTypes', 'topic', 'hidden'], 'string'),
    set(['auth', 'roles', 'reader', 'extends'], ['public', 'editor']),
    set(['auth', 'roles', 'reader', 'console'], true),
    set(['auth', 'roles', 'public'], ['note.find', 'topic.find']),
    set(['public'], ['note.read']),
    { do: 'unset', path: ['auth', 'roles', 'reader', 'permissions', 0] },
    { do: 'unset', path: ['contentTypes', 'topic', 'hidden', 'private'] },
    { do: 'unset', path: ['auth', 'roles', 'reader'] },
  ),
)

const QUERIES = [
  'populate=*&publicationState=preview',
  'populate[notes][populate]=*&populate[part]=*',
  'populate[about][populate]=*',
  'sort=id:desc&fields=*',
]
const PLURALS = [...TYPES, 'memo', 'paper'].map((name) => `${name}s`)

/** The values that each role is shown, and the writes that it is not refused. */
async function look({ cms }: EditedFile): Promise<ReadonlyMap<string, ReadonlySet<string>>> {
  const seen = new Map<string, ReadonlySet<string>>()
  for (const name of ROLES) {
    const found = new Set<string>()
    const fetch = cms.as({ role: name })
    for (const plural of PLURALS) {
      const ask = async (path: string, init?: RequestInit): Promise<number> => {
        const response = await fetch(`/api/${plural}${path}`, init).catch(() => undefined)
        if (response === undefined) return 403
        for (const [value] of (await response.text()).matchAll(/value[ -][a-z0-9 -]+\d/g)) found.add(value)
        return response.status
      }
      for (const query of QUERIES) await ask(`?${query}`)
      for (const id of [1, 2, 3]) await ask(`/${id}?populate=*`)
      const json = { 'content-type': 'application/json' }
      const body = JSON.stringify({ data: { nothing: 1 } })
      // Nothing is written: the data has an unknown attribute, or the entry is not there.
      const writes = {
        create: await ask('', { method: 'POST', headers: json, body: '{"data":[]}' }),
        update: await ask('/999', { method: 'PUT', headers: json, body }),
        delete: await ask('/999', { method: 'DELETE' }),
      }
      // Without the content-type, its routes are not found either.
      if (writes.create === 404) continue
      for (const [action, status] of Object.entries(writes))
        if (![401, 403, 405].includes(status) && TYPES.includes(plural.slice(0, -1)))
          found.add(`may ${action} ${plural}`)
    }
    seen.set(name, found)
  }
  return seen
}

let file: EditedFile
beforeAll(async () => {
  file = await openEditedFile(text)
})
// A value that an edit would make private is shown until the edit is applied.
afterEach(() => void takeLeaks())
afterAll(() => file.close())

const HIDDEN = /value (note cost|part inner|topic hidden)|value-pin/

test(
  'edits without the words of their plan',
  async () => {
    let [applied, refused, invalid] = [0, 0, 0]
    const before = await look(file)
    // The oracle itself can tell: an editor sees more than the public.
    expect(before.get('editor')).toContain('value note title 2')
    expect(before.get('reader')).not.toContain('value note title 2')
    expect([...before.values()].some((seen) => seen.has('value note cost 1'))).toBe(false)
    await fc.assert(
      fc.asyncProperty(fc.array(edit, { minLength: 1, maxLength: 5 }), async (edits) => {
        const appliedBefore = applied
        for (const one of edits) {
          const planned = await file.agent.tool('file_plan', { edits: [one] })
          expect(planned.texts.join()).not.toMatch(HIDDEN)
          if (planned.isError) continue
          const { plan, mustAllow } = JSON.parse(planned.texts[0] ?? '') as {
            plan?: string
            mustAllow: string[]
          }
          if (plan === undefined) {
            invalid++
            continue
          }
          const written = file.read()
          const { isError, texts } = await file.agent.tool('file_apply', { edits: [one], plan })
          expect(texts.join()).not.toMatch(HIDDEN)
          if (mustAllow.length > 0) {
            refused++
            expect(isError).toBe(true)
            expect(file.read()).toBe(written)
          } else if (isError) expect(texts[0]).toMatch(/is as it was/)
          else applied++
        }
        if (applied === appliedBefore) return
        const after = await look(file)
        const gained = ROLES.flatMap((name) =>
          [...(after.get(name) ?? [])]
            .filter((value) => before.get(name)?.has(value) !== true)
            .map((value) => `${name}: ${value}`),
        )
        file.write(text)
        await file.cms.reload({ data: true })
        expect(gained).toEqual([])
      }),
      { numRuns: RUNS, endOnFailure: true },
    )
    // Each kind of answer has been seen.
    expect(Math.min(applied, refused, invalid)).toBeGreaterThan(RUNS / 10)
  },
  RUNS * 5_000,
)
