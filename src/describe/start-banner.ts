// The first lines that a start prints: the addresses, what the public may read, and a first request to try.

import type { Config } from '../config/config.ts'
import { actionsOfModel } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { expandPermission } from '../model/permission-pattern.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'

export function startBanner(url: string, config: Config, model: Model): string {
  const actions = actionsOfModel(model, [])
  const granted = new Set(
    config.auth.roles['public']?.permissions.flatMap((p) => expandPermission(p, actions)) ?? [],
  )
  const types = [...model.contentTypes.values()].filter((type) => type.uid.startsWith('api::'))
  const path = (type: ContentType): string =>
    `${config.rest.prefix}/${type.kind === 'singleType' ? type.singularName : type.pluralName}`
  const lines = types.map((type) => {
    const open = granted.has(`${type.uid}.find`) ? '' : '  (private)'
    return `  ${url}${path(type)}${open}`
  })
  for (const { addresses = [] } of enablePlugins(config)) {
    for (const address of addresses) lines.push(`  ${url}${address}`)
  }
  const first = types.find((type) => granted.has(`${type.uid}.find`))
  const attempt =
    first === undefined
      ? `Everything is private: give a role permissions under auth.roles to open it.`
      : `Try:  curl -g '${url}${path(first)}${first.kind === 'collectionType' ? '?pagination[pageSize]=3' : ''}'`
  return `\n${lines.join('\n')}\n\n${attempt}\n\n`
}
