// `strapi.contentAPI` of Strapi 5 for users' code, and `sanitize` and `validate` of `@strapi/utils`, which are the same.

import { loadQs } from '../lib/parse-brackets.ts'
import type { Sanitizers } from './strapi-sanitize.ts'

type Query = Readonly<Record<string, unknown>>

/** A schema of `strapi.contentTypes`. */
export interface SchemaReference {
  readonly uid?: unknown
}

/** `ctx.state.auth`; without it only private attributes are left out. */
interface CallerOptions {
  readonly auth?: object
}

export interface ContentApi {
  readonly sanitize: {
    output(data: unknown, type: SchemaReference, caller?: CallerOptions): Promise<unknown>
    input(data: unknown, type: SchemaReference, caller?: CallerOptions): Promise<unknown>
    /** Throws as `validate`, because ignored filters would find other entries. */
    query(query: Query, type: SchemaReference, caller?: CallerOptions): Promise<Query>
  }
  readonly validate: {
    /** Throws ValidationError for names that the caller may not ask for. */
    query(query: Query, type: SchemaReference, caller?: CallerOptions): Promise<void>
    /** Every write is validated. */
    input(): Promise<void>
  }
}

export function createContentApi(getSanitizers: (uid: string) => Sanitizers): ContentApi {
  const find = ({ uid }: SchemaReference): Sanitizers => getSanitizers(String(uid))
  const validate: ContentApi['validate'] = {
    async query(query, type, { auth } = {}) {
      const text = loadQs().stringify(query, { strictNullHandling: true, encodeValuesOnly: true })
      find(type).validateQuery(text, auth)
    },
    async input() {},
  }
  return {
    validate,
    sanitize: {
      output: async (data, type, { auth } = {}) => find(type).sanitizeOutput(data, auth),
      input: async (data, type, { auth } = {}) => find(type).sanitizeInput(data, auth),
      async query(query, type, caller = {}) {
        await validate.query(query, type, caller)
        return find(type).withoutDrafts(query, caller.auth)
      },
    },
  }
}
