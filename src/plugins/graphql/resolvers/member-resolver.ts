// Resolves relations, components and zones of an entry: they were read ahead with it if the whole selection was known,
// otherwise they are read now (because users' code made the parent or changed the arguments).

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
import { buildPath, shownEntries } from '../selection/cut-lists.ts'
import { completeAnswer, ListAnswer, memberReadAhead } from '../selection/entry-value.ts'
import { getReadMode } from '../selection/read-mode.ts'
import { getBudget } from '../selection/request-budget.ts'
import { selectMember } from '../selection/select-entry.ts'
import { getEnv, optionsOfMember } from '../selection/selection-params.ts'
import type { ResolverOptions } from './entry-resolvers.ts'

type Member = Exclude<Attribute, { readonly kind: 'scalar' }>

export function createMemberResolver({ content, limits }: ResolverOptions) {
  return (schema: Schema, attribute: Member): GraphqlResolver => {
    const isPaged =
      attribute.kind !== 'dynamiczone' && isToMany(attribute) && getSchemaBehind(attribute) !== undefined
    return (parent, args, context, info) => {
      const [node] = info.fieldNodes
      if (node === undefined) return null
      const key = getResponseName(node)
      const shown = (value: unknown): unknown =>
        shownMember(value, (rows) => shownEntries(rows, limits, context, () => buildPath(info)))
      const ahead = memberReadAhead(parent, key)
      if (ahead !== undefined) return isPaged ? shown(ahead) : ahead
      const entry = parent as Readonly<Record<string, unknown>>
      const given = entry[attribute.name]
      if (given !== undefined) return answerOfGiven(attribute, given)
      const id = Number(entry['id'])
      if (!isContentType(schema) || !Number.isSafeInteger(id)) return answerOfGiven(attribute, null)
      const env = getEnv(context, info, limits)
      const field = info.parentType.getFields()[info.fieldName]
      if (field === undefined) return null
      const levels = selectMember(info.fieldNodes, field, env)
      const options = optionsOfMember({ attribute, levels }, args, env)
      const params: Params = { fields: ['id'], populate: new Map([[key, options]]) }
      const prepared = content.prepareFindOne(schema, params, context.principal.permissions, false)
      const { finished, dependencies } = getReadMode(context)
      dependencies?.add(prepared.dependencies({ id }))
      const assemble = createAssembler(prepared.plan, finished)
      const answer = (row: EntryRow | undefined): unknown =>
        row === undefined
          ? answerOfGiven(attribute, null)
          : isPaged
            ? shown(memberReadAhead(assemble(row), key))
            : memberReadAhead(assemble(row), key)
      const found = prepared.run({ id }, { budget: getBudget(context) })
      return found instanceof Promise
        ? found.then(({ entries }) => answer(entries[0]))
        : answer(found.entries[0])
    }
  }
}

/** A list is an answer with nodes, of components the list itself. */
function shownMember(value: unknown, shown: (rows: readonly unknown[]) => readonly unknown[]): unknown {
  if (Array.isArray(value)) return shown(value)
  if (!isRecord(value) || !Array.isArray(value['nodes'])) return value
  const nodes = shown(value['nodes'])
  return nodes === value['nodes'] ? value : new ListAnswer(nodes)
}

/** Wraps a value that users' code put in the place of the member: plain entries without an envelope. */
function answerOfGiven(attribute: Member, given: unknown): unknown {
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
    return completeAnswer(given)
  return completeAnswer(many ? { nodes: Array.isArray(given) ? given : [] } : { value: given })
}
