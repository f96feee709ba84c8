// Resolvers of lists, single entries and single types. Each read is planned once for the same request and permissions,
// and returns values or the text of its answer.

import { type GraphQLObjectType, getNamedType, isObjectType } from 'graphql'
import type { EntryRow, Found } from '../../../content/rows/entry.ts'
import { InvariantError } from '../../../errors/invariant.ts'
import type { ContentType } from '../../../model/content-type.ts'
import { parseId } from '../../../plan/parse-id.ts'
import type { ReadPlan } from '../../../plan/read-plan.ts'
import { weightOfPlan } from '../../../plan/weight-of-plan.ts'
import type { GraphqlContext } from '../../graphql-extension.ts'
import { createCollectionEncoder } from '../encoding/encode-collection.ts'
import { createOneEncoder } from '../encoding/encode-entry.ts'
import type { Encode, EncodeEnv, SelectionSets } from '../encoding/encode-object.ts'
import type { FieldPlace } from '../fields/encode-field.ts'
import { Unencodable } from '../fields/encode-field.ts'
import { type AssembleEntry, createAssembler } from '../selection/assemble-entry.ts'
import { responseNameOf } from '../selection/collect-fields.ts'
import { encodingFor, pathOf, shownEntries } from '../selection/cut-lists.ts'
import type { AnswerInfo, ListAnswer, OneAnswer } from '../selection/entry-value.ts'
import { pageOf } from '../selection/graphql-page.ts'
import { budgetOf } from '../selection/request-budget.ts'
import { envOf, type ReadEnv } from '../selection/selection-params.ts'
import { ownFilters } from '../selection/sent-arguments.ts'
import type { EntryResolvers, ReadResolver, ResolverParts } from './entry-resolvers.ts'
import { createQueryPlans } from './plan-queries.ts'
import { createFieldCache, createReadMemory } from './read-memory.ts'

type QueryResolvers = Pick<EntryResolvers, 'find' | 'findOne' | 'findSingle' | 'findDocument'>
/** Bytes of an error with its stack. */
const REFUSAL_WEIGHT = 1000

type Args = Readonly<Record<string, unknown>>

export function createQueryResolvers(parts: ResolverParts): QueryResolvers {
  const plans = createQueryPlans(parts)
  const { limits } = parts
  const cache = createFieldCache()

  /** Caches a plan together with what `make` derives from it. */
  function remembered<P extends { readonly plan: ReadPlan }, M>(
    plan: (type: ContentType, args: Args, place: FieldPlace, env: ReadEnv) => P,
    make: (prepared: P, place: FieldPlace, env: ReadEnv) => M,
  ) {
    return (type: ContentType) => {
      const memory = createReadMemory<{ readonly prepared: P; readonly made: M } | Unencodable>(
        cache,
        (known) => (known instanceof Unencodable ? REFUSAL_WEIGHT : weightOfPlan(known.prepared.plan)),
      )
      return (args: Args, context: GraphqlContext, place: FieldPlace) => {
        const prepareRead = () => {
          const env = envOf(context, place, parts.limits)
          const prepared = plan(type, args, place, env)
          try {
            return { prepared, made: make(prepared, place, env) }
          } catch (error) {
            // Cached too: other requests with these permissions fail in the same way.
            if (error instanceof Unencodable) return error
            throw error
          }
        }
        // Filters added by users' code have the server's rights, so such arguments are never cached as a client's.
        const known =
          ownFilters(args) === undefined
            ? memory.of(context.principal.permissions, args, place, prepareRead)
            : prepareRead()
        if (known instanceof Unencodable) throw known
        return known
      }
    }
  }

  const assembler = ({ plan }: { readonly plan: ReadPlan }) => createAssembler(plan)
  const collectionEncoder = ({ plan }: { readonly plan: ReadPlan }, place: FieldPlace, env: ReadEnv) =>
    encoderBelow(createCollectionEncoder, plan, place, env)
  const oneEncoder = ({ plan }: { readonly plan: ReadPlan }, place: FieldPlace, env: ReadEnv) =>
    encoderBelow(createOneEncoder, plan, place, env)

  return {
    find(type): ReadResolver {
      const asValues = remembered(plans.list, assembler)(type)
      const asText = remembered(plans.list, collectionEncoder)(type)
      return {
        resolve(_parent, args, context, info) {
          const pagination = pageOf(args)
          const { prepared, made } = asValues(withoutPage(args), context, info)
          return whenRead(
            prepared.read({ budget: budgetOf(context), pagination }),
            (found: Found): ListAnswer => ({
              nodes: shownEntries(found.entries, limits, context, () => pathOf(info)).map(made),
              info: { args, resourceUID: type.uid },
              page: found.page,
              total: found.total,
            }),
          )
        },
        encode(args, context, place, budget, readFrom) {
          const pagination = pageOf(args)
          const { prepared, made } = asText(withoutPage(args), context, place)
          readFrom?.add(prepared.version)
          return whenEncoded(context, prepared.read({ budget, pagination }), (found) =>
            made({ ...found, entries: shownEntries(found.entries, limits, context, () => keyOf(place)) }),
          )
        },
      }
    },

    findOne(type): ReadResolver {
      const asValues = remembered(plans.one, assembler)(type)
      const asText = remembered(plans.one, oneEncoder)(type)
      return {
        resolve(_parent, args, context, info) {
          const about = { args, resourceUID: type.uid }
          const { id, others } = idOf(args)
          if (id === undefined) return { value: null, info: about } satisfies OneAnswer
          const { prepared, made } = asValues(others, context, info)
          return whenRead(prepared.read(id, { budget: budgetOf(context) }), (entry) =>
            oneAnswer(entry, made, about),
          )
        },
        encode(args, context, place, budget, readFrom) {
          const { id, others } = idOf(args)
          const { prepared, made } = asText(others, context, place)
          if (id === undefined) return made(null)
          readFrom?.add(prepared.entryVersion(id))
          return whenEncoded(context, prepared.read(id, { budget }), (entry) => made(entry ?? null))
        },
      }
    },

    findSingle(type): ReadResolver {
      const asValues = remembered(plans.single, assembler)(type)
      const asText = remembered(plans.single, oneEncoder)(type)
      return {
        resolve(_parent, args, context, info) {
          const { prepared, made } = asValues(args, context, info)
          const about = { args, resourceUID: type.uid }
          return whenRead(prepared.read({ budget: budgetOf(context) }), ({ entries: [entry] }) =>
            oneAnswer(entry, made, about),
          )
        },
        encode(args, context, place, budget, readFrom) {
          const { prepared, made } = asText(args, context, place)
          readFrom?.add(prepared.version)
          return whenEncoded(context, prepared.read({ budget }), ({ entries: [entry] }) =>
            made(entry ?? null),
          )
        },
      }
    },

    findDocument(type): ReadResolver {
      const asValues = remembered(plans.document, assembler)(type)
      const asText = remembered(plans.document, oneEncoder)(type)
      return {
        resolve(_parent, args, context, info) {
          const { documentId, ...others } = args
          const { prepared, made } = asValues(others, context, info)
          const about = { args, resourceUID: type.uid }
          return whenRead(prepared.read(String(documentId), { budget: budgetOf(context) }), (entry) =>
            oneAnswer(entry, made, about),
          )
        },
        encode(args, context, place, budget, readFrom) {
          const { documentId, ...others } = args
          const { prepared, made } = asText(others, context, place)
          readFrom?.add(prepared.version)
          return whenEncoded(context, prepared.read(String(documentId), { budget }), (entry) =>
            made(entry ?? null),
          )
        },
      }
    },
  }
}

function oneAnswer(entry: EntryRow | undefined, assemble: AssembleEntry, info: AnswerInfo): OneAnswer {
  return { value: entry === undefined ? null : assemble(entry), info }
}

/** Reads of one entry share a plan, whatever its id. */
function idOf({ id, ...others }: Args): { readonly id: number | undefined; readonly others: Args } {
  return { id: typeof id === 'string' ? parseId(id) : undefined, others }
}

/** All pages of a list have one plan, except where users' code added filters, which are known by the arguments. */
function withoutPage(args: Args): Args {
  if (ownFilters(args) !== undefined) return args
  const { pagination: _, ...others } = args
  return others
}

function whenRead<T, R>(read: T | Promise<T>, use: (value: T) => R): R | Promise<R> {
  return read instanceof Promise ? read.then(use) : use(read)
}

function whenEncoded<T>(
  context: GraphqlContext,
  read: T | Promise<T>,
  encode: (value: T) => string,
): string | Promise<string> {
  const write = (value: T): string => encodingFor(context, () => encode(value))
  return read instanceof Promise ? read.then(write) : write(read)
}

function keyOf({ fieldNodes: [node] }: FieldPlace): readonly string[] {
  return node === undefined ? [] : [responseNameOf(node)]
}

function encoderBelow<T>(
  create: (sets: SelectionSets, type: GraphQLObjectType, plan: ReadPlan, env: EncodeEnv) => Encode<T>,
  plan: ReadPlan,
  place: FieldPlace,
  env: ReadEnv,
): Encode<T> {
  const { fieldNodes, returnType } = place
  const type = getNamedType(returnType)
  if (!isObjectType(type)) throw new InvariantError('entries are answered as objects')
  return create(
    fieldNodes.map(({ selectionSet }) => selectionSet),
    type,
    plan,
    { ...env, path: keyOf(place) },
  )
}
