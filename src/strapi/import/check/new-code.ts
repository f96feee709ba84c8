// Finds routes and files of code that a configuration does not name.

import type { Config, OwnRouteConfig, RouteConfig } from '../../../config/config.ts'
import { buildKey } from '../code/compare-requests.ts'
import type { Addition } from './new-schemas.ts'

export function findNewCode(project: Config, file: Config): readonly Addition[] {
  const used = [
    ...findNewGuards('any path', [project.server, project], [file.server, file]),
    ...findNewRoutes(project, file),
    ...Object.keys(project.contentTypes).flatMap((uid) => findOfType(uid, project, file)),
  ]
  const names = new Set(used.map(({ name }) => name))
  const declared = (['services', 'policies', 'middlewares', 'settings'] as const).flatMap((section) =>
    findOfSection(section, project[section], file[section]),
  )
  return [
    ...used,
    ...declared.filter(({ name }) => !names.has(name)),
    ...(project.extensions !== undefined && file.extensions === undefined
      ? [toCode(project.extensions, 'for "extensions"')]
      : []),
  ]
}

function findNewRoutes(project: Config, file: Config): readonly Addition[] {
  return project.routes.flatMap((route): readonly Addition[] => {
    const name = `${route.method} ${route.path}`
    const found = file.routes.find((one) => buildKey(one) === buildKey(route))
    return found === undefined
      ? [{ group: 'routes', name, message: `${name} is new${describeRoute(route)}` }]
      : findNewGuards(name, [route, project], [found, file])
  })
}

function describeRoute({ handler = '', closed }: OwnRouteConfig): string {
  return closed === undefined ? `: ${handler}` : ', and closed'
}

/** Of a type that the file has. */
function findOfType(uid: string, project: Config, file: Config): readonly Addition[] {
  const [type, known] = [project.contentTypes[uid], file.contentTypes[uid]]
  if (type === undefined || known === undefined) return []
  const hooks = type.lifecycles
  return [
    ...(hooks !== undefined && known.lifecycles === undefined
      ? [toCode(hooks, `for lifecycles of ${uid}`)]
      : []),
    ...Object.entries(type.rest.config).flatMap(([action, route]) => {
      const inFile = known.rest.config[action] ?? {}
      const isNew = route.handler !== undefined && inFile.handler === undefined
      return [
        ...(isNew ? [toCode(route.handler ?? '', `for ${uid}.${action}`)] : []),
        ...findNewGuards(`${uid}.${action}`, [route, project], [inFile, file]),
      ]
    }),
  ]
}

type Section = Readonly<Record<string, unknown>>

/** The file may name the same code in another way. */
function findOfSection(section: string, project: Section, file: Section): readonly Addition[] {
  const known = Object.values(file)
  return Object.entries(project).flatMap(([name, code]) =>
    typeof code !== 'string' || Object.hasOwn(file, name) || known.includes(code)
      ? []
      : [toCode(code, `for ${section}.${name}`)],
  )
}

type Guarded = readonly [route: Pick<RouteConfig, 'policies' | 'middlewares'>, config: Config]

function findNewGuards(name: string, project: Guarded, file: Guarded): readonly Addition[] {
  const known = listGuards(...file)
  return listGuards(...project)
    .filter((guard) => !known.includes(guard))
    .map((guard) => toCode(guard, `for requests to ${name}`))
}

/** Their files, or their names. */
function listGuards(...[{ policies = [], middlewares = [] }, config]: Guarded): readonly string[] {
  const ofPolicies = policies.map((one) =>
    typeof one === 'string' ? one : 'name' in one ? one.name : one.cel,
  )
  const ofMiddlewares = middlewares.map((one) => (typeof one === 'string' ? one : one.name))
  return [
    ...ofPolicies.map((name) => formatFile(config.policies[name], name)),
    ...ofMiddlewares.map((name) => formatFile(config.middlewares[name], name)),
  ]
}

function formatFile(code: unknown, name: string): string {
  return typeof code === 'string' ? code : name
}

function toCode(name: string, use: string): Addition {
  return { group: 'code', name, message: `${name} is new ${use}` }
}
