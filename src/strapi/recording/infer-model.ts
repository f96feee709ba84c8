// Infers content-types and components from entries, where the content-type-builder may not be read.

import { getPlural, getSingular } from '../../config/names-of.ts'
import { buildRecord } from '../../lib/is-record.ts'
import { formatText, type Json } from '../import/strapi-source.ts'
import { type Builder, type EntryResponse, getEntry, getRelated, type Snapshot } from './exchange.ts'
import { guessAttribute } from './infer-attribute.ts'
import { pairSides } from './pair-sides.ts'

export const SYSTEM: ReadonlySet<string> = new Set([
  'id',
  'documentId',
  'createdAt',
  'updatedAt',
  'publishedAt',
  'locale',
  'localizations',
])

interface TypeSamples {
  readonly kind: Snapshot['kind']
  readonly singular: string
  readonly plural: string
  readonly samples: Map<number, Json>
}

export function inferModel(snapshots: ReadonlyMap<string, Snapshot>): Builder {
  const seen = new Map<string, TypeSamples>()
  const components = new Map<string, Json>()
  for (const [segment, { kind, entries }] of snapshots) {
    const [singular, plural] =
      kind === 'singleType' ? [segment, `${segment}-items`] : [getName(segment), segment]
    const samples = new Map(
      entries.flatMap((one) => {
        const entry = getEntry(one)
        return entry === undefined ? [] : [[entry.id, entry.attributes] as const]
      }),
    )
    seen.set(singular, { kind, singular, plural, samples })
  }
  const contentTypes = new Map<string, Json>()
  for (const [singular, type] of seen) {
    const attributes = getAttributes(singular, [...type.samples.values()])
    const drafts = [...type.samples.values()].some((sample) => 'publishedAt' in sample)
    contentTypes.set(getUid(singular), {
      kind: type.kind,
      info: { displayName: singular, singularName: singular, pluralName: type.plural },
      options: { draftAndPublish: drafts },
      ...([...type.samples.values()].some((sample) => 'locale' in sample) && {
        pluginOptions: { i18n: { localized: true } },
      }),
      attributes,
    })
  }
  const samples = new Map([...seen].map(([singular, type]) => [getUid(singular), type.samples]))
  return { contentTypes: pairSides(contentTypes, samples), components }

  function getAttributes(owner: string, samples: readonly Json[]): Json {
    const names = new Set(samples.flatMap((sample) => Object.keys(sample)))
    const attributes: Record<string, Json> = {}
    for (const name of names) {
      if (SYSTEM.has(name) || name === '__component') continue
      const attribute = getAttribute(
        owner,
        name,
        samples.map((sample) => sample[name]),
      )
      if (attribute !== undefined) attributes[name] = attribute
    }
    return attributes
  }

  function getAttribute(owner: string, name: string, values: readonly unknown[]): Json | undefined {
    const guess = guessAttribute(values.filter((value) => value !== undefined))
    switch (guess?.kind) {
      case undefined:
        return undefined
      case 'scalar':
        return guess.attribute
      case 'relation': {
        const target = getTarget(
          name,
          guess.values.flatMap((value) => getRelated(value)?.entries ?? []),
        )
        if (target === undefined) return undefined
        return { type: 'relation', relation: guess.many ? 'manyToMany' : 'manyToOne', target: getUid(target) }
      }
      case 'component': {
        const component = `${owner.split('.').at(-1)}.${slug(name)}`
        components.set(component, {
          info: { displayName: name },
          attributes: getAttributes(component, guess.values),
        })
        return { type: 'component', component, ...(guess.repeatable && { repeatable: true }) }
      }
      case 'dynamiczone': {
        const found = new Set(guess.values.map((value) => formatText(value['__component'])))
        for (const component of found) {
          const samples = guess.values.filter((value) => value['__component'] === component)
          components.set(component, {
            info: { displayName: component },
            attributes: getAttributes(component, samples),
          })
        }
        return { type: 'dynamiczone', components: [...found] }
      }
    }
  }

  /** Prefers the content-type with the attribute's name, then one with the same attributes. */
  function getTarget(name: string, entries: readonly EntryResponse[]): string | undefined {
    const keys = new Set(entries.flatMap(({ attributes }) => Object.keys(attributes)))
    // Accounts are not recorded.
    if (keys.has('username') && keys.has('email')) return undefined
    const named = [...seen.keys()].find((one) => one === slug(name) || seen.get(one)?.plural === slug(name))
    const own = [...keys].filter((key) => !SYSTEM.has(key))
    const alike = [...seen].find(([, { samples }]) => {
      const [sample] = samples.values()
      if (sample === undefined || own.length === 0 || !own.every((key) => key in sample)) return false
      // Two content-types may have the same attributes, but different values for an id show that they differ.
      return entries.every(({ id, attributes }) => {
        const known = samples.get(id)
        return known === undefined || own.every((key) => isSame(attributes[key], known[key]))
      })
    })
    const target = named ?? alike?.[0] ?? getSingular(slug(name))
    const type = seen.get(target) ?? {
      kind: 'collectionType' as const,
      singular: target,
      plural: getPlural(target) === target ? `${target}-items` : getPlural(target),
      samples: new Map<number, Json>(),
    }
    for (const { id, attributes } of entries)
      if (!type.samples.has(id)) type.samples.set(id, buildRecord(attributes))
    seen.set(target, type)
    return target
  }
}

/** Objects may be populated in one response only, so they count as equal. */
function isSame(one: unknown, other: unknown): boolean {
  return typeof one === 'object' || typeof other === 'object' || one === other
}

function getUid(singular: string): string {
  return `api::${singular}.${singular}`
}

function getName(segment: string): string {
  const singular = getSingular(segment)
  return singular === segment ? `${segment}-item` : singular
}

function slug(name: string): string {
  return name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
}
