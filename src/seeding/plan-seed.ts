// Turns `data` of the configuration into entries with ids, and every `$ref` into the id of its entry. Pure; the checks
// of the model have reported all faults already.

import type { SeedEntry as SeedConfig } from '../config/config.ts'
import type { SeedEntry } from '../content/content.ts'
import type { DiagnosticPath } from '../errors/diagnostic.ts'
import type { Attribute } from '../model/attribute.ts'
import type { AttributeHolder, Component } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { isRecord } from '../util/is-record.ts'

export interface PlannedSeed {
  readonly entries: readonly SeedEntry[]
  /** The path of each entry in the file. */
  readonly paths: readonly DiagnosticPath[]
}

interface Numbered {
  readonly uid: string
  readonly index: number
  readonly id: number
  readonly data: SeedConfig
}

/** An entry that `$ref` can name. */
interface NamedItem {
  readonly uid: string
  readonly id: number
}

type Refs = ReadonlyMap<string, NamedItem>

export function planSeed(data: Readonly<Record<string, readonly SeedConfig[]>>, model: Model): PlannedSeed {
  const numbered = Object.entries(data).flatMap(([uid, entries]) => numberEntries(uid, entries))
  const refs = new Map<string, NamedItem>()
  for (const { data: entry, uid, id } of numbered) {
    const ref = entry['$ref']
    if (typeof ref === 'string') refs.set(ref, { uid, id })
  }
  const entries: SeedEntry[] = []
  const paths: DiagnosticPath[] = []
  for (const { uid, index, id, data: entry } of numbered) {
    const type = model.contentTypes.get(uid)
    if (type === undefined) continue
    const { $ref: _, ...rest } = entry
    entries.push({ type, data: { ...resolveHolder(type, rest, refs), id } })
    paths.push(['data', type.sourceKey ?? uid, index])
  }
  return { entries, paths }
}

/** Entries without an id get the lowest free numbers from 1 on, in the order of the file. */
function numberEntries(uid: string, entries: readonly SeedConfig[]): readonly Numbered[] {
  const taken = new Set(entries.map((entry) => entry['id']))
  let next = 1
  return entries.map((data, index) => {
    const given = data['id']
    if (typeof given === 'number') return { uid, index, id: given, data }
    while (taken.has(next)) next += 1
    taken.add(next)
    return { uid, index, id: next, data }
  })
}

function resolveHolder(
  holder: AttributeHolder,
  data: Readonly<Record<string, unknown>>,
  refs: Refs,
): Record<string, unknown> {
  const resolved: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(data)) {
    const attribute = holder.attributes.get(name)
    resolved[name] = attribute === undefined ? value : resolveValue(attribute, value, refs)
  }
  return resolved
}

function resolveValue(attribute: Attribute, value: unknown, refs: Refs): unknown {
  switch (attribute.kind) {
    case 'relation':
      return attribute.target === undefined ? resolveMorphs(value, refs) : resolveRefs(value, refs)
    case 'media':
      return resolveRefs(value, refs)
    case 'component':
      return Array.isArray(value)
        ? value.map((element) => resolveComponent(attribute.component, element, refs))
        : resolveComponent(attribute.component, value, refs)
    case 'dynamiczone':
      return Array.isArray(value)
        ? value.map((element) => {
            const uid = isRecord(element) ? element['__component'] : undefined
            return resolveComponent(
              attribute.components.find((component) => component.uid === uid),
              element,
              refs,
            )
          })
        : value
    case 'scalar':
      return value
  }
}

function resolveComponent(component: Component | undefined, value: unknown, refs: Refs): unknown {
  return component !== undefined && isRecord(value) ? resolveHolder(component, value, refs) : value
}

/** `$biscotte` -> the id of the entry with this name. */
function resolveRefs(value: unknown, refs: Refs): unknown {
  if (Array.isArray(value)) return value.map((element) => resolveRefs(element, refs))
  return namedBy(value, refs)?.id ?? value
}

/** The same for an entry of any content-type: the result includes its uid. */
function resolveMorphs(value: unknown, refs: Refs): unknown {
  if (Array.isArray(value)) return value.map((element) => resolveMorphs(element, refs))
  const named = namedBy(value, refs)
  return named === undefined ? value : { __type: named.uid, id: named.id }
}

function namedBy(value: unknown, refs: Refs): NamedItem | undefined {
  return typeof value === 'string' && value.startsWith('$') ? refs.get(value.slice(1)) : undefined
}
