// Implements `cms-run users`: an operator lists users, makes one, gives a new password or another role.

import { everyPermission } from '../../access/principal.ts'
import { didYouMean } from '../../lib/did-you-mean.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { buildRecord } from '../../lib/is-record.ts'
import { toPrintable } from '../../lib/printable.ts'
import type { ContentType } from '../../model/content-type.ts'
import { listTables } from '../../storage/check-drift.ts'
import { buildLayout } from '../../storage/sql/build-layout.ts'
import type { Content, WriteOptions } from '../../write/content.ts'
import { createContent } from '../../write/create-content.ts'
import type { CommandResult, ContentTarget, PluginCommand } from '../plugin.ts'
import { type Account, type Accounts, createAccounts } from './accounts.ts'
import { ROLE } from './content-types.ts'
import { createUserWrites, type UserWrites } from './user-writes.ts'

const stored = 'users'
const NO_USERS = 'the file has no users: users-permissions is off'
const WRITE: WriteOptions = { params: { fields: ['id'] }, access: everyPermission, by: undefined }

export const userCommands: Readonly<Record<string, PluginCommand>> = {
  users: {
    stored,
    async run({ database, model }) {
      const { userType } = model
      if (userType === undefined) return { fault: NO_USERS }
      const tables = await database.read(() => listTables(database.dialect))
      if (!tables.has(userType.collectionName)) return { document: { users: [] }, text: formatUsers([]) }
      const content = createContent({
        ...{ model, database, layout: buildLayout(model) },
        hashPassword: () => Promise.reject(new Error('nothing is written')),
        now: () => Date.now(),
      })
      const users = await listUsers(content, userType)
      return { document: { users }, text: formatUsers(users) }
    },
  },
  'users create': {
    stored,
    change: (target) =>
      withAccounts(target, async ({ accounts, writes, findRole }) => {
        const { username = '', email = '', role = '' } = target.flags
        const found = await findRole(role)
        if ('fault' in found) return found
        const holder =
          (await accounts.findBy('username', username)) ??
          (await accounts.findBy('email', email.toLowerCase()))
        if (holder !== undefined) return { fault: formatTaken(holder, username) }
        const given = await target.readPassword()
        if ('fault' in given) return given
        const data = { username, email, password: given.password, role: found.id, confirmed: true }
        const { entry } = await writes.create(data, WRITE)
        const id = Number(entry.row[entry.at])
        const user = { id, username, email: email.toLowerCase(), role }
        return showUser(`user ${id} is made, with the role ${role}`, user, given)
      }),
  },
  'users password': {
    stored,
    change: (target) =>
      withUser(target, async ({ account: { id, username, email } }, writes) => {
        const given = await target.readPassword()
        if ('fault' in given) return given
        await writes.update(id, { password: given.password }, WRITE)
        const told = `user ${id} (${toPrintable(username)}) has a new password; sessions and tokens are ended`
        return showUser(told, { id, username, email }, given)
      }),
  },
  'users role': {
    stored,
    change: (target) =>
      withUser(target, async ({ account: { id, username, email }, findRole }, writes) => {
        const { role = '' } = target.flags
        const found = await findRole(role)
        if ('fault' in found) return found
        await writes.update(id, { role: found.id }, WRITE)
        return showUser(`user ${id} (${toPrintable(username)}) has the role ${role}`, {
          ...{ id, username, email, role },
        })
      }),
  },
}

interface FoundAccounts {
  readonly accounts: Accounts
  readonly writes: UserWrites
  findRole(type: string): Promise<{ readonly id: number } | { readonly fault: string }>
}

async function withAccounts(
  { content, model }: ContentTarget,
  task: (found: FoundAccounts) => Promise<CommandResult>,
): Promise<CommandResult> {
  const { userType } = model
  const roleType = model.contentTypes.get(ROLE)
  if (userType === undefined || roleType === undefined) return { fault: NO_USERS }
  const accounts = createAccounts(content, userType, roleType)
  const email = userType.attributes.get('email')
  const options = { uniqueEmail: email?.kind === 'scalar' && email.unique }
  const writes = createUserWrites({ content, userType, accounts, options })
  try {
    return await task({ accounts, writes, findRole: (type) => findRole(content, roleType, type) })
  } catch (error) {
    // Values that the API would refuse.
    if (error instanceof ApiError && error.status < 500) return { fault: formatRefusal(error) }
    throw error
  }
}

function withUser(
  target: ContentTarget,
  task: (found: FoundAccounts & { account: Account }, writes: UserWrites) => Promise<CommandResult>,
): Promise<CommandResult> {
  return withAccounts(target, async (found) => {
    const { user = '' } = target.flags
    const account = await findAccount(found.accounts, user)
    if (account === undefined) return { fault: `the database has no user "${toPrintable(user)}"` }
    return task({ ...found, account }, found.writes)
  })
}

/** A number is an id before it is a name. */
async function findAccount(accounts: Accounts, named: string): Promise<Account | undefined> {
  const byId = /^\d{1,15}$/.test(named) ? await accounts.findBy('id', Number(named)) : undefined
  return (
    byId ??
    (await accounts.findBy('username', named)) ??
    (await accounts.findBy('email', named.trim().toLowerCase()))
  )
}

async function findRole(
  content: Content,
  roleType: ContentType,
  type: string,
): Promise<{ readonly id: number } | { readonly fault: string }> {
  const roles = await content.findAll(roleType, { fields: ['type'] })
  const found = roles.find((role) => role['type'] === type)
  if (found !== undefined) return { id: found.id }
  const types = roles.map((role) => toPrintable(String(role['type']))).sort()
  const near = didYouMean(type, types)
  const help = near === undefined ? '; the roles are' : `, did you mean "${near}"? The roles are`
  return { fault: `unknown role "${toPrintable(type)}"${help} ${types.join(', ')}` }
}

function formatTaken({ id, username }: Account, wanted: string): string {
  return username === wanted
    ? `the username "${toPrintable(wanted)}" is taken, by user ${id}`
    : `the e-mail address is taken, by user ${id} (${toPrintable(username)})`
}

function formatRefusal(error: ApiError): string {
  const { errors, explain } = error.shownDetails(true)
  const listed = (Array.isArray(errors) ? errors : []).map((one) => String(buildRecord(one)['message']))
  const { message } = buildRecord(explain)
  return toPrintable(listed.length > 0 ? listed.join('; ') : String(message ?? error.message))
}

function showUser(
  told: string,
  user: Readonly<Record<string, unknown>>,
  given: { readonly password: string; readonly made: boolean } | undefined = undefined,
): CommandResult {
  if (given?.made !== true) return { document: { user }, text: `${told}\n` }
  const { password } = given
  return { document: { user, password }, text: `# ${told}; the password, shown this once\n${password}\n` }
}

interface ListedUser {
  readonly id: number
  readonly username: string
  readonly email: string
  readonly role: string | null
  readonly blocked: boolean
  readonly confirmed: boolean
}

async function listUsers(content: Content, userType: ContentType): Promise<readonly ListedUser[]> {
  const users = await content.findAll(userType, {
    fields: ['id', 'username', 'email', 'blocked', 'confirmed'],
    populate: new Map([['role', { fields: ['type'] }]]),
  })
  return users.map(({ id, username, email, role, blocked, confirmed }) => ({
    id,
    username: String(username ?? ''),
    email: String(email ?? ''),
    role: (buildRecord(role)['type'] as string | undefined) ?? null,
    blocked: blocked === true,
    confirmed: confirmed === true,
  }))
}

function formatUsers(users: readonly ListedUser[]): string {
  if (users.length === 0) return 'there are no users\n'
  return users
    .map(({ id, username, email, role, blocked, confirmed }) => {
      const state = [blocked ? 'blocked' : '', confirmed ? '' : 'not confirmed'].filter((one) => one !== '')
      const words = [username, email, role ?? 'no role', ...state].map(toPrintable)
      return `${[String(id), ...words].join('  ')}\n`
    })
    .join('')
}
