// Times the steps and resolvers of an operation (`apolloServer.tracing`), in version 1 of Apollo's format.

import type { GraphQLResolveInfo, GraphQLSchema } from 'graphql'
import { resolveFields } from './prepare-schema.ts'

interface ResolverTrace {
  readonly path: readonly (string | number)[]
  readonly parentType: string
  readonly fieldName: string
  readonly returnType: string
  readonly startOffset: number
  duration: number
}

interface Step {
  readonly startOffset: number
  readonly duration: number
}

/** Durations are nanoseconds; offsets count from its start. */
export class Trace {
  readonly #startTime = new Date()
  readonly #start = process.hrtime.bigint()
  readonly resolvers: ResolverTrace[] = []
  #parsed = 0
  #validated = 0

  offset(): number {
    return Number(process.hrtime.bigint() - this.#start)
  }

  parsed(): void {
    this.#parsed = this.offset()
  }

  validated(): void {
    this.#validated = this.offset()
  }

  extension(): Readonly<Record<string, unknown>> {
    const parsing: Step = { startOffset: 0, duration: this.#parsed }
    const validation: Step = {
      startOffset: this.#parsed,
      duration: Math.max(0, this.#validated - this.#parsed),
    }
    return {
      version: 1,
      startTime: this.#startTime.toISOString(),
      endTime: new Date().toISOString(),
      duration: this.offset(),
      parsing,
      validation,
      execution: { resolvers: this.resolvers },
    }
  }
}

/** Wraps every resolver in place, to measure requests whose context has a trace. */
export function traceResolvers(
  schema: GraphQLSchema,
  getTrace: (context: unknown) => Trace | undefined,
): void {
  for (const [, field] of resolveFields(schema)) {
    const { resolve } = field
    if (resolve === undefined) continue
    field.resolve = (parent, args, context, info) => {
      const trace = getTrace(context)
      if (trace === undefined) return resolve(parent, args, context, info)
      const entry = begin(trace, info)
      trace.resolvers.push(entry)
      const end = (): void => {
        entry.duration = trace.offset() - entry.startOffset
      }
      let value: unknown
      try {
        value = resolve(parent, args, context, info)
      } finally {
        end()
      }
      return value instanceof Promise ? value.finally(end) : value
    }
  }
}

function begin(trace: Trace, { path, parentType, fieldName, returnType }: GraphQLResolveInfo): ResolverTrace {
  const keys: (string | number)[] = []
  for (let at: typeof path | undefined = path; at !== undefined; at = at.prev) keys.unshift(at.key)
  return {
    path: keys,
    parentType: parentType.name,
    fieldName,
    returnType: String(returnType),
    startOffset: trace.offset(),
    duration: 0,
  }
}
