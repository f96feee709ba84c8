// `auth.users` and the users under `data` -> entries to seed, with the ids of roles that are named by type. The roles
// themselves are created from the file when a generation is prepared.

import type { Config, SeedEntry } from '../../config/config.ts'
import type { Content } from '../../content/content.ts'
import type { SeedSource } from '../../content/seed-source.ts'
import type { ContentType } from '../../model/content-type.ts'
import { PERMISSION, ROLE, USER } from './content-types.ts'

export interface SeedUsersParts {
  readonly config: Pick<Config, 'auth' | 'data'>
  readonly content: Content
  readonly roleType: ContentType
}

export function seedUsers({ config, content, roleType }: SeedUsersParts): SeedSource {
  const given = config.data[USER]?.length ?? 0
  return {
    async complete(data) {
      const users: readonly SeedEntry[] = [...(data[USER] ?? []), ...config.auth.users.map(asUser)]
      if (users.length === 0) return data
      const roles = await content.findAll(roleType, { fields: ['type'] })
      const ids = new Map(roles.map(({ type, id }) => [String(type), id]))
      const resolved = users.map((user) => {
        const { role } = user
        const id = typeof role === 'string' ? ids.get(role) : undefined
        return { provider: 'local', ...user, ...addressOf(user), ...(id === undefined ? {} : { role: id }) }
      })
      return { ...data, [USER]: resolved }
    },
    // Users of `auth.users` follow those of `data`.
    placeOf(path) {
      const [, uid, index] = path
      if (uid !== USER || typeof index !== 'number' || index < given) return path
      return ['auth', 'users', index - given]
    },
    kept: [ROLE, PERMISSION],
  }
}

function asUser(user: Readonly<Record<string, unknown>>): SeedEntry {
  return { role: 'authenticated', confirmed: true, ...user }
}

/** In lower case, as logins look it up. */
function addressOf({ email }: SeedEntry): { readonly email?: string } {
  return typeof email === 'string' ? { email: email.toLowerCase() } : {}
}
