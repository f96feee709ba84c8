// The packages `@strapi/strapi` (its factories) and `@strapi/utils` (its errors) for users' code. The rest of `@strapi/utils`
// throws when it is called.

import { errorClasses } from '../lib/errors/error-classes.ts'
import { strapiFactories } from './strapi-factories.ts'

const STRAPI = '@strapi/strapi'
const STRAPI_UTILS = '@strapi/utils'

export const STRAPI_PACKAGES = [STRAPI, STRAPI_UTILS] as const

const ABSENT: Readonly<Record<string, string>> = {
  sanitize:
    'cms.entries() and strapi.service() return entries; a response of the API leaves out private attributes itself',
  validate: 'the API checks queries and payloads itself',
  parseMultipartData: 'files of a form are read by POST /api/upload and by the routes of content-types',
  parseMultipart: 'files of a form are read by POST /api/upload and by the routes of content-types',
  contentTypes: 'schemas are under strapi.contentTypes',
  pagination: 'strapi.service(uid).find() answers with its pagination',
  convertQueryParams: 'cms.entries() takes the parameters of REST',
  yup: 'import the package yup',
  env: 'the environment of the process has the same variables',
}

const strapiUtils = {
  errors: errorClasses,
  ...Object.fromEntries(Object.entries(ABSENT).map(([name, instead]) => [name, createAbsent(name, instead)])),
}

/** By name. */
export const strapiPackages: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  [STRAPI, { factories: strapiFactories }],
  [STRAPI_UTILS, strapiUtils],
])

/** For a place where code is only loaded, not called. */
export const strapiPackageNames = {
  strapi: STRAPI,
  factories: Object.keys(strapiFactories),
  utils: STRAPI_UTILS,
  errors: Object.keys(errorClasses),
  others: Object.keys(ABSENT),
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
