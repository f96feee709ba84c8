// `auth.users` and the users under `data` -> entries to seed: roles that are named by their type get their ids.
//

import type { Config, SeedEntry } from '../config/config.ts'
import type { Content } from '../content/content.ts'
import type { DiagnosticPath } from '../errors/diagnostic.ts'
import type { Model } from '../model/model.ts'

const USER = 'plugin::users-permissions.user'
const ROLE = 'plugin::users-permissions.role'

/** The file's `data` with its users complete; the same when there are no users. */
export async function dataWithUsers(
  config: Pick<Config, 'auth' | 'data'>,
  model: Model,
  content: Content,
): Promise<Config['data']> {
  const { auth, data } = config
  const users: readonly SeedEntry[] = [...(data[USER] ?? []), ...auth.users.map(asUser)]
  const roleType = model.contentTypes.get(ROLE)
  if (users.length === 0 || roleType === undefined) return data
  const roles = await content.findAll(roleType, { fields: ['type'] })
  const ids = new Map(roles.map(({ type, id }) => [String(type), id]))
  const resolved = users.map((user) => {
    const { role } = user
    const id = typeof role === 'string' ? ids.get(role) : undefined
    return { provider: 'local', ...user, ...addressOf(user), ...(id === undefined ? {} : { role: id }) }
  })
  return { ...data, [USER]: resolved }
}

/** Where a user of the seed stands in the file: those of `auth.users` follow those of `data`. */
export function pathOfSeed(config: Pick<Config, 'data'>, path: DiagnosticPath): DiagnosticPath {
  const [, uid, index] = path
  const given = config.data[USER]?.length ?? 0
  if (uid !== USER || typeof index !== 'number' || index < given) return path
  return ['auth', 'users', index - given]
}

function asUser(user: Readonly<Record<string, unknown>>): SeedEntry {
  return { role: 'authenticated', confirmed: true, ...user }
}

/** In small letters, as logins look for it. */
function addressOf({ email }: SeedEntry): { readonly email?: string } {
  return typeof email === 'string' ? { email: email.toLowerCase() } : {}
}
