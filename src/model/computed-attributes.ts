// Builds attributes that are computed on each read and not stored.

import { isScalarType, type ScalarType } from '../attribute-types/attribute-types.ts'
import { checkExpression } from '../expressions/check-expression.ts'
import {
  type Expression,
  listPaths,
  type ScalarKind,
  type Type,
  typeName,
} from '../expressions/expression.ts'
import type { ScalarAttribute, Schema } from './attribute.ts'
import { type AttributePlace, buildScalar } from './build-attribute.ts'
import { getAttribute } from './expression-scope.ts'
import { isFollowUp, ownScope } from './own-scope.ts'
import type { SchemaDraft } from './schema-drafts.ts'
import type { AttributeSource, ComponentSource, TypeSource } from './type-source.ts'

const inferred: Partial<Record<Type['kind'], ScalarType>> = {
  bool: 'boolean',
  int: 'integer',
  number: 'float',
  text: 'string',
  moment: 'datetime',
  date: 'date',
  time: 'time',
}

/** By the expression's type. */
const allowed: Partial<Record<ScalarKind, readonly ScalarType[]>> = {
  bool: ['boolean'],
  int: ['integer', 'float', 'decimal'],
  number: ['float', 'decimal', 'integer'],
  text: ['string', 'text', 'richtext', 'email'],
  moment: ['datetime', 'timestamp'],
  date: ['date'],
  time: ['time'],
}

/** The other keys concern stored values. */
const KEYS: ReadonlySet<string> = new Set([
  'type',
  'computed',
  'private',
  'displayName',
  'description',
  'placeholder',
  'pluginOptions',
  'configurable',
  'visible',
  'searchable',
])

/** The schema's other attributes must have been built. */
export function buildComputed(
  source: AttributeSource,
  text: string,
  { built, source: schema }: Pick<SchemaDraft<Schema, TypeSource | ComponentSource>, 'built' | 'source'>,
  place: AttributePlace,
): ScalarAttribute | undefined {
  const { config, path, name } = source
  const at = [...path, 'computed']
  for (const key of Object.keys(config)) {
    if (KEYS.has(key)) continue
    place.fault(
      'MOD097',
      [...path, key],
      `"${name}" is computed: "${key}" is for attributes that are stored`,
      {
        at: 'key',
        help: `take ${key} out`,
      },
    )
  }
  const checked = checkExpression(text, ownScope(built, schema, false))
  if (!checked.ok) {
    const { message, help, range } = checked.fault
    if (!isFollowUp(text, checked.fault, built, schema))
      place.fault('MOD096', at, message, { help, within: range })
    return undefined
  }
  const { expression } = checked
  const type = typeFor(source, expression, place)
  if (type === undefined) return undefined
  const attribute = buildScalar({ ...source, config: { ...config, type } }, place, type)
  if (!attribute.private) warnOfPrivate(expression, built, source, place)
  return {
    ...attribute,
    writable: false,
    readOnly: true,
    localized: false,
    computed: { expression, schema: built },
  }
}

function typeFor(
  { config, path, name }: AttributeSource,
  { type, range }: Expression,
  { fault }: AttributePlace,
): ScalarType | undefined {
  const own = inferred[type.kind]
  if (own === undefined) {
    fault('MOD096', [...path, 'computed'], `the value is ${typeName(type)}, which no attribute can have`, {
      within: range,
    })
    return undefined
  }
  if (config.type === 'computed') return own
  const choice = allowed[type.kind as ScalarKind] ?? []
  if (isScalarType(config.type) && choice.includes(config.type)) return config.type
  fault(
    'MOD097',
    [...path, 'type'],
    `"${name}" cannot be of type ${config.type}: its expression is ${typeName(type)}`,
    {
      help: `${choice.length === 1 ? `it is "${choice[0]}"` : `one of ${choice.map((one) => `"${one}"`).join(', ')}`}; without "type" it is "${own}"`,
    },
  )
  return undefined
}

/** Readers of the attribute can infer parts of the private one. */
function warnOfPrivate(
  expression: Expression,
  schema: Schema,
  { name, path }: AttributeSource,
  { fault }: AttributePlace,
): void {
  const shown = new Set<string>()
  for (const { names, range } of listPaths(expression)) {
    const used = names[0] === undefined ? undefined : getAttribute(schema, names[0])
    if (used === undefined || !used.private || shown.has(used.name)) continue
    shown.add(used.name)
    fault(
      'MOD098',
      [...path, 'computed'],
      `"${name}" is answered, and shows something of "${used.name}", which is private`,
      {
        severity: 'warning',
        within: range,
        help: `make "${name}" private too, or leave "${used.name}" out`,
      },
    )
  }
}
