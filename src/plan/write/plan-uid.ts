// Finds the slug of an omitted uid, from another attribute's text or from the default.

import { attributeTypes } from '../../attribute-types/attribute-types.ts'
import { slugify } from '../../lib/slugify.ts'
import type { ScalarAttribute } from '../../model/attribute.ts'
import type { Schema } from '../../model/content-type.ts'
import { fault, formatLabel, getMaxFaults, type Path, type PayloadContext } from './write-building.ts'

export function planUid(
  building: PayloadContext,
  schema: Schema,
  attribute: ScalarAttribute,
  data: Readonly<Record<string, unknown>>,
  path: Path,
): boolean {
  const text = textFor(attribute, schema, data)
  if (text === undefined) return false
  const { maxLength = Number.POSITIVE_INFINITY } = attribute
  const slug = slugify(text).slice(0, maxLength).replace(/-+$/, '')
  const numbered = slug === ''
  const made = numbered ? getName(schema).slice(0, Math.max(0, maxLength - '-1'.length)) : slug
  const first = numbered ? `${made}-1` : made
  for (const one of attributeTypes[attribute.type].check(
    attribute,
    formatLabel(path),
    first,
    building.options.draft,
    getMaxFaults(building.options),
  ).faults) {
    if (typeof one === 'string') fault(building, path, one)
  }
  building.generated.push({ attribute, slug: made, numbered })
  return true
}

function textFor(
  attribute: ScalarAttribute,
  schema: Schema,
  data: Readonly<Record<string, unknown>>,
): string | undefined {
  const target =
    attribute.targetField === undefined ? undefined : schema.attributes.get(attribute.targetField)
  const given = target === undefined ? undefined : data[target.name]
  const texts = [
    given,
    given === undefined && target?.kind === 'scalar' ? target.default : undefined,
    attribute.default,
  ].filter((text) => typeof text === 'string')
  return texts.find((text) => text.trim() !== '') ?? texts[0]
}

/** `article` of `api::article.article`, `seo` of `shared.seo`. */
function getName({ uid }: Pick<Schema, 'uid'>): string {
  return uid.slice(uid.lastIndexOf('.') + 1)
}
