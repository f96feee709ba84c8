// Refuses attribute names that the server, JavaScript or the database already uses.

import { didYouMean } from '../../lib/did-you-mean.ts'
import { type CheckContext, formatSuggestion } from '../checking.ts'
import { toSnakeCase } from '../naming.ts'
import type { AttributeSource, ComponentSource, TypeSource } from '../type-source.ts'

const MAX_ATTRIBUTES = 500
const MAX_COLUMN_BYTES = 63
const NAME = /^[A-Za-z][A-Za-z0-9_]*$/

/** As columns, so that `created_at` is reserved just as `createdAt` is. */
const runtimeColumns: ReadonlySet<string> = new Set([
  'id',
  'document_id',
  'created_at',
  'updated_at',
  'published_at',
  'created_by',
  'created_by_id',
  'updated_by',
  'updated_by_id',
  'locale',
  'localizations',
])

/** `constructor`, `toString`, `__proto__`. */
const objectMembers: ReadonlySet<string> = new Set(Object.getOwnPropertyNames(Object.prototype))

export function checkAttributeNames(checking: CheckContext): void {
  const { sources, fault } = checking
  for (const schema of [...sources.types.values(), ...sources.components.values()]) {
    if (schema.attributes.length > MAX_ATTRIBUTES) {
      const count = schema.attributes.length
      fault(
        'MOD009',
        [...schema.path, 'attributes'],
        `${schema.uid} has ${count} attributes, at most ${MAX_ATTRIBUTES} are possible`,
        {
          at: 'key',
          help: 'group some of them in components',
        },
      )
    }
    const columns = new Map<string, string>()
    for (const attribute of schema.attributes) {
      if (!attribute.contributed) checkName(attribute, checking)
      checkColumn(attribute, columns, checking)
    }
    checkPrivateAttributes(schema, checking)
  }
}

function checkName({ name, path }: AttributeSource, { fault }: CheckContext): void {
  if (runtimeColumns.has(toSnakeCase(name)) && NAME.test(name)) {
    fault('MOD006', path, `"${name}" is a reserved name`, {
      at: 'key',
      help: 'choose another name for the attribute',
    })
  } else if (objectMembers.has(name)) {
    fault('MOD006', path, `"${name}" is a name that every JavaScript object has`, {
      at: 'key',
      help: 'choose another name for the attribute',
    })
  } else if (!NAME.test(name)) {
    fault('MOD007', path, `"${name}" cannot be the name of an attribute`, {
      at: 'key',
      help: 'begin with a letter and go on with letters, digits and "_"',
    })
  }
}

/** Relations, components and zones share the namespace of responses. */
function checkColumn(
  { name, path, config }: AttributeSource,
  columns: Map<string, string>,
  { fault }: CheckContext,
): void {
  const column = toSnakeCase(name)
  if (column === '') return
  const other = columns.get(column)
  if (other !== undefined) {
    fault('MOD008', path, `"${name}" and "${other}" would share the column "${column}"`, {
      at: 'key',
      help: 'rename one of them',
    })
    return
  }
  columns.set(column, name)
  const isColumn = !['relation', 'media', 'component', 'dynamiczone'].includes(config.type)
  if (isColumn && column.length > MAX_COLUMN_BYTES) {
    fault(
      'MOD011',
      path,
      `a column's name has at most ${MAX_COLUMN_BYTES} characters, "${column}" has ${column.length}`,
      {
        at: 'key',
      },
    )
  }
}

function checkPrivateAttributes(schema: TypeSource | ComponentSource, { fault }: CheckContext): void {
  const listed = schema.config.options['privateAttributes']
  if (!Array.isArray(listed)) return
  const names = schema.attributes.map(({ name }) => name)
  const answered = [...names, 'id', 'createdAt', 'updatedAt', 'publishedAt']
  for (const [index, name] of listed.entries()) {
    if (typeof name !== 'string' || names.includes(name)) continue
    const path = [...schema.path, 'options', 'privateAttributes', index]
    if (answered.includes(name)) {
      fault('MOD010', path, `"${name}" is set by the server and cannot be private`)
    } else {
      const help = formatSuggestion(didYouMean(name, names), names)
      fault('MOD010', path, `${schema.uid} has no attribute "${name}"`, { help })
    }
  }
}
