// The packages `@strapi/strapi` (its factories) and `@strapi/utils` for users' code.

import { errorClasses } from '../lib/errors/error-classes.ts'
import { loadQs } from '../lib/parse-brackets.ts'
import { CORE, type StrapiCore } from './strapi-core.ts'
import { strapiFactories } from './strapi-factories.ts'
import type { Sanitizers } from './strapi-sanitize.ts'

const STRAPI = '@strapi/strapi'
const STRAPI_UTILS = '@strapi/utils'

export const STRAPI_PACKAGES = [STRAPI, STRAPI_UTILS] as const

type Query = Readonly<Record<string, unknown>>
type Tools = { readonly [CORE]: StrapiCore }
type OfType = { readonly uid?: unknown }
/** `ctx.state.auth`. */
type ForCaller = { readonly auth?: object }

/** Functions of `@strapi/utils` that are not there; they throw when they are called. */
const ABSENT: Readonly<Record<string, string>> = {
  parseMultipartData: 'files of a form are read by POST /api/upload and by the routes of content-types',
  parseMultipart: 'files of a form are read by POST /api/upload and by the routes of content-types',
  contentTypes: 'schemas are under strapi.contentTypes',
  pagination: 'strapi.service(uid).find() answers with its pagination',
  convertQueryParams: 'cms.entries() takes the parameters of REST',
  yup: 'import the package yup',
}

const NAMES = [...Object.keys(ABSENT), 'sanitize', 'validate', 'env', 'async']

/** By name; `strapi` is the object of the app that runs the code. */
export const strapiPackages: ReadonlyMap<string, (strapi: Tools) => unknown> = new Map([
  [STRAPI, (): unknown => ({ factories: strapiFactories })],
  [STRAPI_UTILS, createUtils],
])

/** For a place where code is only loaded, not called. */
export const strapiPackageNames = {
  strapi: STRAPI,
  factories: Object.keys(strapiFactories),
  utils: STRAPI_UTILS,
  errors: Object.keys(errorClasses),
  others: NAMES,
}

function createUtils(strapi: Tools): unknown {
  const getSanitizers = ({ uid }: OfType): Sanitizers => strapi[CORE].getSanitizers(String(uid))
  const output = async (data: unknown, type: OfType, { auth }: ForCaller = {}): Promise<unknown> =>
    getSanitizers(type).sanitizeOutput(data, auth)
  const validateQuery = async (query: Query, type: OfType, { auth }: ForCaller = {}): Promise<void> =>
    getSanitizers(type).validateQuery(toText(query), auth)
  return {
    errors: errorClasses,
    sanitize: {
      contentAPI: {
        output,
        async input(data: unknown, type: OfType, { auth }: ForCaller = {}) {
          return getSanitizers(type).sanitizeInput(data, auth)
        },
        async query(query: Query, type: OfType, caller: ForCaller = {}) {
          await validateQuery(query, type, caller)
          return getSanitizers(type).withoutDrafts(query, caller.auth)
        },
      },
      sanitizers: { defaultSanitizeOutput: (type: OfType, data: unknown) => output(data, type) },
    },
    // Every write is validated.
    validate: { contentAPI: { query: validateQuery, async input() {} } },
    ...Object.fromEntries(
      Object.entries(ABSENT).map(([name, instead]) => [name, createAbsent(name, instead)]),
    ),
  }
}

function toText(query: Query): string {
  return loadQs().stringify(query, { strictNullHandling: true, encodeValuesOnly: true })
}

/** May be read and destructured, because many files only import it. */
function createAbsent(name: string, instead: string): unknown {
  const refuse = (): never => {
    throw new Error(`${name} of ${STRAPI_UTILS} is not there: ${instead} (docs/reference/from-strapi.md)`)
  }
  const absent: unknown = new Proxy(refuse, {
    get: (target, key) => (key in target || key === 'then' ? Reflect.get(target, key) : absent),
    construct: refuse,
  })
  return absent
}
