// Prepares the users of `auth.users` and `data` for storage, with ids of roles that are named by type.

import type { AuthConfig } from '../../config/auth-config.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Content } from '../../write/content.ts'
import type { SeedSource } from '../../write/seed/seed-source.ts'
import { listEntries, PERMISSION, ROLE, USER } from './content-types.ts'

interface SeedUsersOptions {
  readonly users: AuthConfig['users']
  readonly content: Content
  readonly roleType: ContentType
}

export function seedUsers({ users, content, roleType }: SeedUsersOptions): SeedSource {
  return {
    entries: listEntries(users),
    async complete(entries) {
      if (!entries.some(({ type }) => type.uid === USER)) return entries
      const roles = await content.findAll(roleType, { fields: ['type'] })
      const ids = new Map(roles.map(({ type, id }) => [String(type), id]))
      return entries.map((entry) => {
        if (entry.type.uid !== USER) return entry
        const { role, email } = entry.data
        const id = typeof role === 'string' ? ids.get(role) : undefined
        const data = {
          provider: 'local',
          ...entry.data,
          // Logins look it up in lower case.
          ...(typeof email === 'string' ? { email: email.toLowerCase() } : {}),
          ...(id === undefined ? {} : { role: id }),
        }
        return { ...entry, data }
      })
    },
    kept: [ROLE, PERMISSION],
  }
}
