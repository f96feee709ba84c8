// Resolves references to policies and middlewares to functions.

import { compileCel } from '../access/compile-cel.ts'
import type { BoundPolicy } from '../access/policy.ts'
import type { Config } from '../config/config.ts'
import type { Environment } from '../config/interpolate-env.ts'
import { didYouMean } from '../lib/did-you-mean.ts'
import type { Diagnostic, DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import { getDeclaredName } from '../model/naming.ts'
import { isCode } from './code-references.ts'
import { noUserCode, type UserCode } from './load-user-code.ts'
import type { LoadedPlugins, OwnPlugin } from './own-plugins.ts'
import type { PluginExtension } from './plugin-extension.ts'
import type { StrapiGlobal } from './strapi-global.ts'
import type { UserCms } from './user-cms.ts'
import { type UserFunction, watchTime } from './watch-time.ts'

/** Extends or replaces the file's code. */
export interface CodeOptions {
  readonly policies?: Readonly<Record<string, UserFunction | { readonly cel: string }>>
  readonly middlewares?: Readonly<Record<string, UserFunction>>
}

export interface ReferenceContext {
  readonly path: DiagnosticPath
  readonly report: Report
}

export interface OwnCode {
  readonly code: UserCode
  readonly plugins: readonly OwnPlugin[]
  readonly extensions: readonly PluginExtension[]
  readonly env: Environment
  readonly isEmpty: boolean
  /** Whether code asks for `strapi.requestContext`. */
  readonly asksRequest: boolean
  /** Called when the configuration goes live. */
  adopt(): void
  /** Of the files of the configuration, and of plugins. */
  readonly strapiGlobals: readonly StrapiGlobal[]
  /** Entries that cannot be run are reported and left out. */
  policies(list: unknown, cms: UserCms, place: ReferenceContext): Promise<readonly BoundPolicy[]>
  middlewares(list: unknown, cms: UserCms, place: ReferenceContext): readonly UserFunction[]
}

export const noOwnCode: OwnCode = {
  code: noUserCode,
  plugins: [],
  extensions: [],
  env: {},
  isEmpty: true,
  asksRequest: false,
  adopt() {},
  strapiGlobals: [],
  policies: async () => [],
  middlewares: () => [],
}

export function createOwnCode(
  config: Pick<Config, 'policies' | 'middlewares'>,
  loaded: { readonly code: UserCode; readonly plugins: LoadedPlugins; readonly env: Environment },
  options: CodeOptions = {},
): OwnCode {
  const { code, plugins, env } = loaded
  const named: Readonly<Record<string, unknown>> = { ...config.policies, ...options.policies }
  const factories: Readonly<Record<string, unknown>> = { ...config.middlewares, ...options.middlewares }

  async function policy(
    reference: unknown,
    cms: UserCms,
    place: ReferenceContext,
    settings?: unknown,
    called?: string,
  ): Promise<BoundPolicy | undefined> {
    const { path, report } = place
    if (typeof reference === 'function') {
      return bound(reference as UserFunction, settings, cms, called ?? `policy ${path.join('.')}`)
    }
    if (isRecord(reference) && typeof reference['cel'] === 'string') {
      const inside = { path: [...path, 'cel'], report }
      return expression(reference['cel'], reference['config'] ?? settings, inside)
    }
    if (isRecord(reference) && 'name' in reference) {
      return policy(reference['name'], cms, { path: [...path, 'name'], report }, reference['config'])
    }
    if (typeof reference !== 'string') {
      report(
        createWrongKind(
          path,
          'a policy is a name, a function, an expression, or { name, config }',
          reference,
        ),
      )
      return undefined
    }
    if (isCode(reference)) return fromFile(reference, settings, cms, place)
    const known = Object.keys(named)
    const name = getDeclaredName(reference, known)
    if (!known.includes(name)) {
      report(unknownName('USR005', 'policy', reference, known, path))
      return undefined
    }
    const value = named[name]
    if (isRecord(value))
      return expression(String(value['cel']), settings, { path: ['policies', name, 'cel'], report })
    if (typeof value === 'string') return fromFile(value, settings, cms, { path: ['policies', name], report })
    return policy(value, cms, place, settings, `policy "${name}"`)
  }

  function bound(run: UserFunction, settings: unknown, cms: UserCms, called: string): BoundPolicy {
    const watched = watchTime(run, called, cms.log)
    const tools = buildTools(cms)
    const config = withTools(settings, tools)
    return { called, run: (context) => watched(context, config, tools) }
  }

  function fromFile(
    reference: string,
    settings: unknown,
    cms: UserCms,
    { path, report }: ReferenceContext,
  ): BoundPolicy | undefined {
    const value = code.exported(reference)
    // A policy of Strapi may also be an object with a check of its settings.
    const handler = isRecord(value) ? value['handler'] : value
    if (typeof handler === 'function') {
      const fault = isRecord(value) ? findSettingsFault(value['validator'], settings) : undefined
      if (fault !== undefined) report({ code: 'USR004', severity: 'error', path, message: fault })
      return bound(handler as UserFunction, settings, cms, `policy ${reference}`)
    }
    if (value !== undefined) report(createWrongKind(path, 'a policy is a function', value))
    return undefined
  }

  function middleware(
    reference: unknown,
    cms: UserCms,
    { path, report }: ReferenceContext,
  ): UserFunction | undefined {
    if (typeof reference === 'function') return reference as UserFunction
    const settings = isRecord(reference) ? reference['options'] : undefined
    const written = isRecord(reference) ? reference['name'] : reference
    if (typeof written === 'function') {
      if (settings === undefined) return written as UserFunction
      return made(written as UserFunction, settings, cms, { path, report })
    }
    if (typeof written !== 'string') {
      report(createWrongKind(path, 'a middleware is a name, a function, or { name, options }', reference))
      return undefined
    }
    const isFile = isCode(written)
    const known = Object.keys(factories)
    const name = isFile ? written : getDeclaredName(written, known)
    if (!isFile && !known.includes(name)) {
      report(unknownName('USR006', 'middleware', written, known, path))
      return undefined
    }
    const at = isFile ? path : ['middlewares', name]
    const given = isFile ? name : factories[name]
    const value = typeof given === 'string' ? code.exported(given) : given
    if (value === undefined) return undefined
    if (typeof value !== 'function') {
      report(createWrongKind(at, 'a middleware is a function', value))
      return undefined
    }
    if (isFile && settings === undefined) return value as UserFunction
    return made(value as UserFunction, settings, cms, { path: at, report })
  }

  /** A middleware that is declared by name, or a file or function with options, is a factory. */
  function made(
    factory: UserFunction,
    settings: unknown,
    cms: UserCms,
    { path, report }: ReferenceContext,
  ): UserFunction | undefined {
    const help = 'a middleware with a name is made by a function: (options, { cms }) => middleware'
    try {
      const value = factory(settings ?? {}, buildTools(cms))
      if (typeof value === 'function') return value as UserFunction
      // The function may be a middleware instead of a factory; then its promise can reject later.
      if (value instanceof Promise) value.catch(() => {})
      report({ ...createWrongKind(path, 'this middleware was not created', value), help })
    } catch (fault) {
      const message = `this middleware could not be created: ${String(fault)}`
      report({ code: 'USR004', severity: 'error', path, message, help })
    }
    return undefined
  }

  return {
    code,
    plugins: plugins.plugins,
    extensions: plugins.extensions,
    env,
    isEmpty: code === noUserCode && plugins.code === noUserCode,
    asksRequest: code.asksRequest || plugins.code.asksRequest,
    adopt() {
      code.adopt()
      plugins.code.adopt()
    },
    strapiGlobals: [code, plugins.code].flatMap(({ strapi }) => strapi ?? []),
    async policies(list, cms, { path, report }) {
      const bound: BoundPolicy[] = []
      for (const [index, reference] of getList(list, path, report).entries()) {
        const one = await policy(reference, cms, { path: [...path, index], report })
        if (one !== undefined) bound.push(one)
      }
      return bound
    },
    middlewares(list, cms, { path, report }) {
      return getList(list, path, report).flatMap((reference, index) => {
        const run = middleware(reference, cms, { path: [...path, index], report })
        return run === undefined ? [] : watchTime(run, middlewareName(reference, [...path, index]), cms.log)
      })
    },
  }
}

export function buildTools(cms: UserCms): { readonly cms: UserCms; readonly strapi: UserCms['strapi'] } {
  return { cms, strapi: cms.strapi }
}

/**
 * Strapi's guide writes `(context, { strapi })`, but Strapi calls `(context, config, { strapi })`: so the
 * config offers the tools too, except under its own keys.
 */
function withTools(settings: unknown, tools: Readonly<Record<string, unknown>>): unknown {
  if (settings !== undefined && !isPlainObject(settings)) return settings
  const config: Record<string, unknown> = { ...settings }
  for (const [name, value] of Object.entries(tools)) {
    if (!Object.hasOwn(config, name)) Object.defineProperty(config, name, { value })
  }
  return config
}

/** What a `validator` throws. */
function findSettingsFault(validator: unknown, settings: unknown): string | undefined {
  if (typeof validator !== 'function') return undefined
  try {
    validator(settings)
    return undefined
  } catch (fault) {
    return `this policy refuses its config: ${fault instanceof Error ? fault.message : String(fault)}`
  }
}

function isPlainObject(value: unknown): value is Record<string, unknown> {
  if (!isRecord(value)) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

function middlewareName(reference: unknown, path: DiagnosticPath): string {
  const given = isRecord(reference) ? reference['name'] : reference
  return `middleware ${typeof given === 'string' ? given : path.join('.')}, or what it wraps,`
}

async function expression(
  text: string,
  settings: unknown,
  { path, report }: ReferenceContext,
): Promise<BoundPolicy | undefined> {
  const compiled = await compileCel(text)
  if (compiled.ok) return compiled.bind(settings)
  const { message, help, range } = compiled
  report({
    code: 'USR007',
    severity: 'error',
    path,
    within: range,
    message: `this expression cannot be used: ${message}`,
    ...(help === undefined ? {} : { help }),
  })
  return undefined
}

function getList(list: unknown, path: DiagnosticPath, report: Report): readonly unknown[] {
  if (list === undefined) return []
  if (Array.isArray(list)) return list
  report(createWrongKind(path, 'these are given as a list', list))
  return []
}

export function createWrongKind(path: DiagnosticPath, message: string, value: unknown): Diagnostic {
  const what = Array.isArray(value) ? 'a list' : value === null ? 'null' : `of type ${typeof value}`
  return { code: 'USR004', severity: 'error', path, message: `${message}; this is ${what}` }
}

function unknownName(
  code: 'USR005' | 'USR006',
  what: string,
  name: string,
  known: readonly string[],
  path: DiagnosticPath,
): Diagnostic {
  const near = didYouMean(name, known)
  const help = near === undefined ? undefined : `did you mean "${near}"?`
  const message = `unknown ${what} "${name}"`
  return { code, severity: 'error', path, message, ...(help === undefined ? {} : { help }) }
}
