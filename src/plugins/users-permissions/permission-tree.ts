// Converts actions to and from the format of the role routes: `{"api::a": {"controllers": {"a": {"find":
// {"enabled": true}}}}}`.

import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import { isLeftOut } from '../../model/actions.ts'

interface Switch {
  readonly enabled: boolean
  readonly policy: ''
}

type PermissionTree = Record<string, { controllers: Record<string, Record<string, Switch>> }>

/** Actions that Strapi lacks are shown only if they are granted. */
export function buildPermissionTree(
  actions: ReadonlySet<string>,
  granted: (action: string) => boolean,
): PermissionTree {
  const tree: PermissionTree = {}
  for (const id of actions) {
    if (!granted(id) && isLeftOut(id, actions)) continue
    const { owner, controller, action } = getParts(id)
    tree[owner] ??= { controllers: {} }
    const { controllers } = tree[owner]
    controllers[controller] ??= {}
    controllers[controller][action] = { enabled: granted(id), policy: '' }
  }
  return tree
}

/** Throws ValidationError for an unknown action. */
export function listEnabledActions(tree: unknown, actions: ReadonlySet<string>): readonly string[] {
  const enabled: string[] = []
  for (const [owner, part] of listEntries(tree)) {
    for (const [controller, names] of listEntries(isRecord(part) ? part['controllers'] : undefined)) {
      for (const [action, state] of listEntries(names)) {
        if (!isRecord(state) || state['enabled'] !== true) continue
        const id = `${owner}.${controller}.${action}`
        if (!actions.has(id)) throw new ApiError('ValidationError', `There is no action ${id}`)
        enabled.push(id)
      }
    }
  }
  return enabled
}

function getParts(id: string): { owner: string; controller: string; action: string } {
  const [owner = '', controller = '', ...action] = id.split('.')
  return { owner, controller, action: action.join('.') }
}

function listEntries(value: unknown): readonly (readonly [string, unknown])[] {
  return isRecord(value) ? Object.entries(value) : []
}
