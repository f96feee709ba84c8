// Resolves relations, components and zones that were read ahead, or reads them now if users' code made the
// parent or changed the arguments.

import { isRecord } from '../../../lib/is-record.ts'
import { type Attribute, isToMany } from '../../../model/attribute.ts'
import { getSchemaBehind } from '../../../model/attribute-targets.ts'
import type { Schema } from '../../../model/content-type.ts'
import { isContentType } from '../../../plan/find-attribute.ts'
import type { Params } from '../../../plan/params.ts'
import type { EntryRow } from '../../../query/rows/entry.ts'
import type { GraphqlResolver } from '../../graphql-extension.ts'
import { createAssembler } from '../selection/assemble-entry.ts'
import { getResponseName } from '../selection/collect-fields.ts'
import { buildPath, cutEntries } from '../selection/cut-lists.ts'
import { completeResponse, getReadAhead, ListResponse } from '../selection/entry-value.ts'
import { getReadMode } from '../selection/read-mode.ts'
import { getBudget } from '../selection/request-budget.ts'
import { selectField } from '../selection/select-entry.ts'
import { buildFieldOptions, getEnv } from '../selection/selection-params.ts'
import type { ResolverOptions } from './entry-resolvers.ts'

type Member = Exclude<Attribute, { readonly kind: 'scalar' }>

export function createFieldResolver({ content, limits }: ResolverOptions) {
  return (schema: Schema, attribute: Member): GraphqlResolver => {
    const isPaged =
      attribute.kind !== 'dynamiczone' && isToMany(attribute) && getSchemaBehind(attribute) !== undefined
    return (parent, args, context, info) => {
      const [node] = info.fieldNodes
      if (node === undefined) return null
      const key = getResponseName(node)
      const shown = (value: unknown): unknown =>
        filterShown(value, (rows) => cutEntries(rows, limits, context, () => buildPath(info)))
      const ahead = getReadAhead(parent, key)
      if (ahead !== undefined) return isPaged ? shown(ahead) : ahead
      const entry = parent as Readonly<Record<string, unknown>>
      const given = entry[attribute.name]
      if (given !== undefined) return resolveGiven(attribute, given)
      const id = Number(entry['id'])
      if (!isContentType(schema) || !Number.isSafeInteger(id)) return resolveGiven(attribute, null)
      const env = getEnv(context, info, limits)
      const field = info.parentType.getFields()[info.fieldName]
      if (field === undefined) return null
      const levels = selectField(info.fieldNodes, field, env)
      const options = buildFieldOptions({ attribute, levels }, args, env)
      const params: Params = { fields: ['id'], populate: new Map([[key, options]]) }
      const prepared = content.prepareFindOne(schema, params, context.principal.permissions, false)
      const { finished, dependencies } = getReadMode(context)
      dependencies?.add(prepared.dependencies({ id }))
      const assemble = createAssembler(prepared.plan, finished)
      const result = (row: EntryRow | undefined): unknown =>
        row === undefined
          ? resolveGiven(attribute, null)
          : isPaged
            ? shown(getReadAhead(assemble(row), key))
            : getReadAhead(assemble(row), key)
      const found = prepared.run({ id }, { budget: getBudget(context) })
      return found instanceof Promise
        ? found.then(({ entries }) => result(entries[0]))
        : result(found.entries[0])
    }
  }
}

/** A list of entries is an object with `nodes`, a list of components an array. */
function filterShown(value: unknown, shown: (rows: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(value)) return shown(value)
  if (!isRecord(value) || !Array.isArray(value['nodes'])) return value
  const nodes = shown(value['nodes'])
  return nodes === value['nodes'] ? value : new ListResponse(nodes)
}

/** Wraps entries that users' code returned for a populated field without an envelope. */
function resolveGiven(attribute: Member, given: unknown): unknown {
  switch (attribute.kind) {
    case 'relation': {
      if (attribute.target === undefined) return given
      return wrapped(given, attribute.cardinality === 'many')
    }
    case 'media':
      return wrapped(given, attribute.multiple)
    case 'component':
      return given ?? (attribute.repeatable ? [] : null)
    case 'dynamiczone':
      return given ?? []
  }
}

function wrapped(given: unknown, many: boolean): unknown {
  if (typeof given === 'object' && given !== null && ('nodes' in given || 'value' in given))
    return completeResponse(given)
  return completeResponse(many ? { nodes: Array.isArray(given) ? given : [] } : { value: given })
}
