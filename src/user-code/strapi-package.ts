// The packages `@strapi/strapi` (its factories) and `@strapi/utils` for users' code.

import { errorClasses } from '../lib/errors/error-classes.ts'
import { createContentApi, type SchemaReference } from './strapi-content-api.ts'
import { CORE, type StrapiCore } from './strapi-core.ts'
import { strapiFactories } from './strapi-factories.ts'

const STRAPI = '@strapi/strapi'
const STRAPI_UTILS = '@strapi/utils'

export const STRAPI_PACKAGES = [STRAPI, STRAPI_UTILS] as const

type Tools = { readonly [CORE]: StrapiCore }

/** Functions of `@strapi/utils` that are not there; they throw when they are called. */
const ABSENT: Readonly<Record<string, string>> = {
  parseMultipartData: 'files of a form are read by POST /api/upload and by the routes of content-types',
  parseMultipart: 'files of a form are read by POST /api/upload and by the routes of content-types',
  contentTypes: 'schemas are under strapi.contentTypes',
  pagination: 'strapi.service(uid).find() answers with its pagination',
  convertQueryParams: 'cms.entries() takes the parameters of REST',
  yup: 'import the package yup',
  env: 'the environment of the process has the same variables, with those of .env',
}

const NAMES = [...Object.keys(ABSENT), 'sanitize', 'validate']

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
  const { sanitize, validate } = createContentApi((uid) => strapi[CORE].getSanitizers(uid))
  return {
    errors: errorClasses,
    sanitize: {
      contentAPI: sanitize,
      sanitizers: {
        defaultSanitizeOutput: (type: SchemaReference, data: unknown) => sanitize.output(data, type),
      },
    },
    validate: { contentAPI: validate },
    ...Object.fromEntries(
      Object.entries(ABSENT).map(([name, instead]) => [name, createAbsent(name, instead)]),
    ),
  }
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
