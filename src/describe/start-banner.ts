// Prints the first lines of a start: the URLs, the public types, and a first request to try.

import type { Config } from '../config/config.ts'
import { listModelActions, ownTypes } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { listPermissions } from '../model/permission-list.ts'
import { expandPermission } from '../model/permission-pattern.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import { listPath } from '../rest/rest-paths.ts'

export function getFirstPath(config: Config, model: Model): string | undefined {
  const type = ownTypes(model).find(readableBy(config, model))
  return type === undefined ? undefined : listPath(type, config.rest.prefix)
}

export function startBanner(url: string, config: Config, model: Model): string {
  const types = ownTypes(model)
  const isReadable = readableBy(config, model)
  const lines = types.map(
    (type) => `  ${url}${listPath(type, config.rest.prefix)}${isReadable(type) ? '' : '  (private)'}`,
  )
  for (const { addresses = [] } of enablePlugins(config)) {
    for (const address of addresses) lines.push(`  ${url}${address}`)
  }
  const first = types.find(isReadable)
  const attempt =
    first === undefined
      ? `Everything is private: give a role permissions under auth.roles to open it.`
      : `Try:  curl -g '${url}${listPath(first, config.rest.prefix)}${first.kind === 'collectionType' ? '?pagination[pageSize]=3' : ''}'`
  return `\n${lines.join('\n')}\n\n${attempt}\n\n`
}

function readableBy({ auth }: Config, model: Model): (type: ContentType) => boolean {
  const actions = listModelActions(model, [])
  const granted = new Set(
    listPermissions(auth.roles['public']?.permissions ?? []).flatMap(({ pattern }) =>
      expandPermission(pattern, actions),
    ),
  )
  return (type) => granted.has(`${type.uid}.find`)
}
