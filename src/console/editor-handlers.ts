// The responses to the pages of a logged-in user, by method and path below `/_console`. Entries themselves come from the
// API, which the pages ask as that user.

import type { Permissions } from '../access/principal.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import type { WriteAction } from '../model/access.ts'
import { ownTypes } from '../model/actions.ts'
import type { ContentType } from '../model/content-type.ts'
import type { ConsoleSession } from '../plugins/console-logins.ts'
import type { ConsoleContext, LiveApp } from './console-context.ts'
import { countEntries } from './count-entries.ts'
import { describeTypes } from './describe-types.ts'
import type { Account, EntryRights, Home, State } from './described.ts'
import { isShown, restrictModel } from './editor-model.ts'
import { listMay } from './list-may.ts'
import { readBody } from './read-body.ts'
import { getLogins } from './sessions.ts'

interface EditorRequest {
  readonly request: HttpRequest
  readonly session: ConsoleSession
  readonly permissions: Permissions
}

type EditorHandler = (asked: EditorRequest) => unknown

export function createEditorHandlers(context: ConsoleContext): ReadonlyMap<string, EditorHandler> {
  const { place } = context
  return new Map<string, EditorHandler>([
    ['GET /_console/state', () => readState(context)],
    [
      'GET /_console/model',
      ({ permissions, session: { user } }) => {
        const live = place()
        return restrictModel(describeTypes(live, undefined), { permissions, console: user.console, live })
      },
    ],
    ['GET /_console/home', (asked) => readHome(place(), asked)],
    [
      'POST /_console/rights',
      async ({ request, permissions }) => readRights(place(), await readBody(request), permissions),
    ],
    ['GET /_console/account', ({ session, permissions }) => readAccount(context, session, permissions)],
    [
      'DELETE /_console/sessions',
      async ({ request, session }) => {
        const id = new URLSearchParams(request.query).get('id') ?? ''
        if (!(await getLogins(context).end(session.user.id, id)))
          throw new ApiError('NotFoundError', 'Session not found')
        return {}
      },
    ],
  ])
}

async function readAccount(
  context: ConsoleContext,
  session: ConsoleSession,
  { can }: Permissions,
): Promise<Account> {
  const logins = getLogins(context)
  return { sessions: await logins.list(session), mayChangePassword: can(logins.passwordPermission) }
}

/** Errors of the file and requests are for developers. */
async function readState({ lookAtAll }: ConsoleContext): Promise<State> {
  const looks = await lookAtAll({ readings: {} })
  return {
    ...{ file: undefined, wrong: undefined, readings: [], requests: [] },
    processes: looks.length,
    generation: Math.max(0, ...looks.map(({ live }) => live)),
  }
}

async function readHome(live: LiveApp, { permissions, session }: EditorRequest): Promise<Partial<Home>> {
  const viewer = { permissions, console: session.user.console, live }
  const shown = ownTypes(live.model).filter((type) => isShown(type, viewer))
  return { counts: await countEntries(live, shown, permissions), prefix: live.config.rest.prefix }
}

const MAX_ENTRIES = 100

/** `ids`: of entries as the API shows them. */
async function readRights(
  live: LiveApp,
  { type: uid, ids }: Readonly<Record<string, unknown>>,
  permissions: Permissions,
): Promise<EntryRights> {
  const type = typeof uid === 'string' ? live.model.contentTypes.get(uid) : undefined
  if (
    type === undefined ||
    !Array.isArray(ids) ||
    ids.length > MAX_ENTRIES ||
    !ids.every(Number.isSafeInteger)
  )
    throw new ApiError(
      'ValidationError',
      `type must be the uid of a content-type, and ids at most ${MAX_ENTRIES} numbers`,
    )
  const may = listMay(type, permissions, live)
  const select = async (action: WriteAction & keyof EntryRights): Promise<readonly number[]> => {
    if (!may.includes(action) || ids.length === 0) return []
    return selectIds(live.content, type, ids, action, permissions)
  }
  return {
    update: await select('update'),
    updateMany: await select('updateMany'),
    delete: await select('delete'),
  }
}

async function selectIds(
  content: LiveApp['content'],
  type: ContentType,
  ids: readonly number[],
  action: WriteAction,
  permissions: Permissions,
): Promise<readonly number[]> {
  const params = {
    fields: ['id'],
    filters: { id: { $in: ids } },
    selectedFor: action,
    publicationState: 'preview',
    locale: 'all',
  } as const
  const found = await content.findAll(type, params, permissions)
  return found.map(({ id }) => Number(id))
}
