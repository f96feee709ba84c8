// Where in the file a column comes from: `api::article.article.title` -> contentTypes, article, attributes, title.

import type { Config } from '../config/config.ts'
import type { DiagnosticPath } from '../errors/diagnostic.ts'

export function originPath(config: Config, origin: string): DiagnosticPath {
  const whole = config.contentTypes[origin]?.sourceKey
  if (whole !== undefined) return ['contentTypes', whole]
  if (config.components[origin] !== undefined) return ['components', origin]
  const dot = origin.lastIndexOf('.')
  const uid = dot < 0 ? origin : origin.slice(0, dot)
  const attribute = origin.slice(dot + 1)
  const type = config.contentTypes[uid]
  if (type !== undefined) return ['contentTypes', type.sourceKey, 'attributes', attribute]
  const component = config.components[uid]
  if (component !== undefined) return ['components', component.sourceKey, 'attributes', attribute]
  return []
}
