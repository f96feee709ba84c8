// Leaves out parts of an imported schema that Strapi tolerates and a configuration does not, such as a default that its
// own attribute would refuse.

import { type CheckOptions, checkConfig } from '../../app/check-config.ts'
import type { Diagnostic, DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import { isRecord } from '../../lib/is-record.ts'

/** A part that is left out may be named by others, which are left out in the next round. */
const MAX_ROUNDS = 20

/** `note`: `article.title: its default is left out: …`. */
type AddNote = (group: 'missing' | 'different', note: string) => void

/** Changes `config`. Resolves with the last check. */
export async function repairConfig(
  config: Readonly<Record<string, unknown>>,
  options: CheckOptions,
  addNote: AddNote,
): ReturnType<typeof checkConfig> {
  let checked = await checkConfig({ object: config }, options)
  for (let round = 0; round < MAX_ROUNDS && checked.config === undefined; round += 1) {
    const faults = checked.diagnostics.filter(({ severity }) => severity === 'error')
    const repaired = faults.filter((fault) => leaveOut(config, fault, addNote))
    if (repaired.length === 0) break
    checked = await checkConfig({ object: config }, options)
  }
  return checked
}

/** Leaves out an option of an attribute, else the attribute. */
function leaveOut(config: unknown, { path, message }: Diagnostic, addNote: AddNote): boolean {
  const [section, type, , name, option] = path
  if ((section !== 'contentTypes' && section !== 'components') || path[2] !== 'attributes') return false
  const attribute = getAt(config, path.slice(0, 4))
  const attributes = getAt(config, path.slice(0, 3))
  if (!isRecord(attributes) || attribute === undefined) return false
  const isOption =
    isRecord(attribute) && Object.hasOwn(attribute, String(option)) && !ESSENTIAL.has(String(option))
  if (isOption) delete attribute[String(option)]
  else delete attributes[String(name)]
  addNote(
    isOption ? 'different' : 'missing',
    `${type}.${name}${isOption ? `: its ${option}` : ''} is left out: ${message}`,
  )
  return true
}

/** An attribute without one of these would be another, or be shown to others: it is left out as a whole. */
const ESSENTIAL: ReadonlySet<string> = new Set([
  ...['type', 'enum', 'component', 'components', 'relation', 'target', 'inversedBy', 'mappedBy', 'morphBy'],
  ...['private', 'writable'],
])

function getAt(value: unknown, path: DiagnosticPath): unknown {
  return path.reduce<unknown>((inner, key) => (isRecord(inner) ? inner[String(key)] : undefined), value)
}
