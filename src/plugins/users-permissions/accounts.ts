// The users of the database, as logins need them: who they are, in what standing, and their secrets. Written once
// for every face.

import { everyPermission } from '../../auth/principal.ts'
import type { Content } from '../../content/content.ts'
import { toObject } from '../../content/to-object.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { Params } from '../../plan/params.ts'

/** What decides whether a token of the user is believed. */
export interface Standing {
  readonly id: number
  readonly blocked: boolean
  readonly confirmed: boolean
  readonly epoch: number
  /** The role's type. */
  readonly role: string | undefined
}

export interface Accounts {
  findStanding(id: number): Promise<Standing | undefined>
}

const STANDING: Params = {
  fields: ['blocked', 'confirmed'],
  populate: new Map([['role', { fields: ['type'] }]]),
}

export function createAccounts(content: Content, userType: ContentType): Accounts {
  const standing = content.prepareFindOne(userType, STANDING, everyPermission, false)
  return {
    async findStanding(id) {
      const entry = await standing.read(id)
      if (entry === undefined) return undefined
      const { blocked, confirmed, role } = toObject(standing.plan, entry)
      const secrets = await content.findSecrets(userType, { name: 'id', value: id }, ['tokenEpoch'])
      return {
        id,
        blocked: blocked === true,
        confirmed: confirmed === true,
        epoch: Number(secrets?.values.get('tokenEpoch') ?? 0),
        role: roleType(role),
      }
    },
  }
}

function roleType(role: unknown): string | undefined {
  if (typeof role !== 'object' || role === null || !('type' in role)) return undefined
  return typeof role.type === 'string' ? role.type : undefined
}
