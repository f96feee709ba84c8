// Says the API's faults in words for editors, and where they belong.

import type { Attribute, Model } from '../../described.ts'
import { say } from '../messages.ts'
import type { Fault } from '../server.ts'
import { listAttributes, type Values } from './values.ts'

/** The API begins with the name of the attribute, which stands beside it in a form. */
export function explainFault({ path, message }: Fault): Fault {
  const names = [path.join('.'), path.at(-1) ?? '']
  const name = names.find((one) => one !== '' && message.startsWith(`${one} `))
  const rest = name === undefined ? message : message.slice(name.length + 1)
  return { path, message: explainMessage(rest) }
}

function explainMessage(message: string): string {
  if (/^(?:must be defined|cannot be (?:null|empty))\.?$/.test(message) || / value was: `null`/.test(message))
    return say('Fill this in: it is required.')
  if (/must be unique/.test(message)) return say('Another entry has this value already: it must be unique.')
  return `${message.charAt(0).toUpperCase()}${message.slice(1)}`
}

/** `Opening hours 2, Day`; undefined for faults of no attribute. */
export function labelPath(
  attributes: readonly Attribute[],
  values: Values,
  path: readonly string[],
  model: Model,
): string | undefined {
  const [name = '', ...rest] = path
  const attribute = attributes.find((one) => one.name === name)
  if (attribute === undefined) return undefined
  const [index = ''] = rest
  const list = values[name]
  const item = (Array.isArray(list) ? list[Number(index)] : list) as Values | undefined
  const numbered = Array.isArray(list) && /^\d+$/.test(index)
  const label = numbered ? `${attribute.label} ${Number(index) + 1}` : attribute.label
  const uid = attribute.component ?? item?.['__component']
  const inner =
    typeof uid === 'string' && item !== undefined && item !== null
      ? labelPath(listAttributes(model, uid), item, numbered ? rest.slice(1) : rest, model)
      : undefined
  return inner === undefined ? label : `${label}, ${inner}`
}
