// Explains to developers which permission a refused request lacks.

import type { Explanation } from '../lib/errors/api-error.ts'
import { shortenActionName } from '../model/actions.ts'
import type { Principal } from './principal.ts'

/** `action`: an action id, such as `api::article.article.find`. */
export function explainMissingPermission(action: string, { kind, source }: Principal): Explanation {
  const name = shortenActionName(action)
  const who =
    kind === 'public' ? 'a request without a token' : kind === 'user' ? 'this user' : 'this API token'
  const role = /^auth\.roles\.([\w-]+)\.permissions$/.exec(source)?.[1]
  const what = source.endsWith('.permissions') ? `add "${name}" to ${source}` : `change ${source}`
  return {
    permission: action,
    grantedIn: source,
    message: `${who} needs the permission ${name}: ${what}`,
    ...(role !== undefined && { yaml: `auth: { roles: { ${role}: { permissions: [${name}] } } }` }),
  }
}

export const loginNeeded: Explanation = {
  message: 'this needs a caller: send the header "authorization: Bearer <token>" of a user or an API token',
}

export function explainHiddenDrafts(uid: string): Explanation {
  const permission = `${uid}.update`
  const message = `drafts are for callers who may update them (${shortenActionName(permission)}), or set rest.publicDrafts: true`
  return { permission, message }
}
