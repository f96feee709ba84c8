// Checks a configuration's code before the server starts: expressions compile and files export functions.

import type { Config, RouteConfig } from '../config/config.ts'
import type { Diagnostic, DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import type { EnabledPlugin } from '../plugins/plugin.ts'
import { createWrongKind, type OwnCode } from './own-code.ts'
import type { UserCms } from './user-cms.ts'

/** Checking runs no user code. */
const NO_CMS = {} as UserCms

export async function checkCode(
  config: Config,
  plugins: readonly EnabledPlugin[],
  own: OwnCode,
): Promise<readonly Diagnostic[]> {
  const diagnostics: Diagnostic[] = []
  const report: Report = (diagnostic) => diagnostics.push(diagnostic)
  for (const name of Object.keys(config.policies)) {
    await own.policies([name], NO_CMS, { path: ['policies'], report })
  }
  for (const [name, text] of Object.entries(config.middlewares)) {
    const value = own.code.exported(text)
    if (value === undefined || typeof value === 'function') continue
    report(createWrongKind(['middlewares', name], 'a middleware is made by a function', value))
  }
  for (const { text, path, rule } of plugins.flatMap(({ code }) => code ?? [])) {
    const value = own.code.exported(text)
    if (value === undefined || typeof value === 'function') continue
    report(createWrongKind(path, rule, value))
  }
  for (const { options, path } of listRoutes(config)) {
    const inline = (options.policies ?? []).map((one) => (isRecord(one) && 'cel' in one ? one : undefined))
    for (const [index, one] of inline.entries()) {
      if (one === undefined) continue
      await own.policies([one], NO_CMS, {
        path: [...path, 'policies'],
        // The checked list holds only this expression; `index` is its position in the file.
        report: (fault) => report({ ...fault, path: [...path, 'policies', index, 'cel'] }),
      })
    }
  }
  return diagnostics
}

interface Options {
  readonly options: RouteConfig
  readonly path: DiagnosticPath
}

function listRoutes({ contentTypes, routes, graphql }: Config): readonly Options[] {
  const generated = Object.values(contentTypes).flatMap(({ sourceKey, rest }) =>
    Object.entries(rest.config).map(([action, options]) => ({
      options,
      path: ['contentTypes', sourceKey, 'rest', 'config', action],
    })),
  )
  const own = routes.map((options, index) => ({ options, path: ['routes', index] }))
  const resolvers = Object.entries(graphql.resolversConfig).map(([key, options]) => ({
    options: options as RouteConfig,
    path: ['graphql', 'resolversConfig', key],
  }))
  return [...generated, ...own, ...resolvers]
}
