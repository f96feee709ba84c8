// Lists users, and makes, changes, blocks and deletes them as far as the caller may.

import { useEffect, useState } from 'preact/hooks'
import type { Model, Type } from '../../described.ts'
import { useModel } from '../live.ts'
import { say, sayCount } from '../messages.ts'
import { Dialog } from '../parts/dialog.tsx'
import { ModelWait } from '../parts/model-wait.tsx'
import {
  PAGE_USERS,
  type Role,
  readRoles,
  readUsers,
  removeUser,
  type User,
  type UserPage,
  type UserView,
  writeUser,
} from '../users/load-users.ts'
import { UserForm } from '../users/user-form.tsx'

const USER = 'plugin::users-permissions.user'

export default function UsersPage() {
  const model = useModel()
  if (model === undefined) return <ModelWait />
  const type = model.types.find(({ uid }) => uid === USER)
  if (type === undefined) return <p class="notice wrong">{say('Your role may not see users.')}</p>
  return <Users model={model} type={type} />
}

function Users({ model, type }: { readonly model: Model; readonly type: Type }) {
  const [view, setView] = useState<UserView>({ search: '', role: '', page: 1 })
  const [page, setPage] = useState<UserPage>()
  const [roles, setRoles] = useState<readonly Role[]>([])
  const [error, setError] = useState<string>()
  const [open, setOpen] = useState<User | 'new'>()
  const [leaving, setLeaving] = useState<User>()
  const [count, setCount] = useState(0)
  const may = (action: string): boolean => type.may.includes(action)
  useEffect(() => {
    if (type.may.includes('listRoles'))
      readRoles(model).then(setRoles, (fault: Error) => setError(fault.message))
  }, [model])
  useEffect(() => {
    let current = true
    readUsers(model, type.may, view).then(
      (found) => {
        if (!current) return
        setPage(found)
        setError(undefined)
      },
      (fault: Error) => current && setError(fault.message),
    )
    return () => {
      current = false
    }
  }, [model, view, count])
  const act = (task: () => Promise<unknown>): void => {
    task().then(
      () => setCount(count + 1),
      (fault: Error) => setError(fault.message),
    )
  }
  const pages = Math.max(1, Math.ceil((page?.total ?? 0) / PAGE_USERS))
  return (
    <>
      <h1>{say('Users')}</h1>
      <div class="toolbar">
        <label>
          {say('Search')}
          <input
            type="search"
            value={view.search}
            onInput={(event) => setView({ ...view, search: event.currentTarget.value, page: 1 })}
          />
        </label>
        {roles.length > 0 && (
          <label>
            {say('Role')}
            <select
              value={view.role}
              onChange={(event) => setView({ ...view, role: event.currentTarget.value, page: 1 })}
            >
              <option value="">{say('All')}</option>
              {roles.map(({ id, name, type: kind }) =>
                kind === 'public' ? null : <option value={String(id)}>{name}</option>,
              )}
            </select>
          </label>
        )}
        {may('create') && (
          <button type="button" class="main" onClick={() => setOpen('new')}>
            {say('New user')}
          </button>
        )}
      </div>
      {error !== undefined && (
        <p class="notice wrong" role="alert">
          {error}
        </p>
      )}
      <section class="scroll" tabIndex={0} aria-label={say('Users')}>
        <table>
          <thead>
            <tr>
              {[say('User name'), say('E-mail'), say('Role'), say('State')].map((name) => (
                <th scope="col">{name}</th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {page?.users.map((user) => (
              <tr>
                <td>
                  {may('update') ? (
                    <button type="button" class="plain" onClick={() => setOpen(user)}>
                      {user.username}
                    </button>
                  ) : (
                    user.username
                  )}
                </td>
                <td>{user.email}</td>
                <td>{user.role?.name ?? ''}</td>
                <td>
                  <UserState user={user} />
                </td>
                <td class="buttons">
                  {may('update') && (
                    <button
                      type="button"
                      class="small"
                      onClick={() => act(() => writeUser(model, user.id, { blocked: !user.blocked }))}
                    >
                      {user.blocked ? say('Unblock') : say('Block')}
                    </button>
                  )}
                  {may('delete') && (
                    <button
                      type="button"
                      class="small danger"
                      aria-label={say('Delete {name}', { name: user.username })}
                      onClick={() => setLeaving(user)}
                    >
                      {say('Delete')}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {page?.users.length === 0 && <p class="quiet empty">{say('No user is found.')}</p>}
      </section>
      <div class="pager">
        <span role="status">
          {page === undefined ? say('Loading …') : sayCount(page.total, '{count} user', '{count} users')}
        </span>
        {pages > 1 && (
          <>
            <button
              type="button"
              disabled={view.page <= 1}
              onClick={() => setView({ ...view, page: view.page - 1 })}
            >
              {say('Previous')}
            </button>
            <span>{say('page {page} of {count}', { page: view.page, count: pages })}</span>
            <button
              type="button"
              disabled={view.page >= pages}
              onClick={() => setView({ ...view, page: view.page + 1 })}
            >
              {say('Next')}
            </button>
          </>
        )}
      </div>
      {open !== undefined && (
        <UserForm
          {...{ model, type, roles }}
          user={open === 'new' ? undefined : open}
          onClose={() => setOpen(undefined)}
          onSaved={() => {
            setOpen(undefined)
            setCount(count + 1)
          }}
        />
      )}
      {leaving !== undefined && (
        <Dialog
          title={say('Delete {name}?', { name: leaving.username })}
          onClose={() => setLeaving(undefined)}
        >
          <p>{say('The account and its sessions end. Entries of the user stay.')}</p>
          <div class="buttons">
            <button
              type="button"
              class="danger"
              onClick={() => {
                setLeaving(undefined)
                act(() => removeUser(model, leaving))
              }}
            >
              {say('Delete')}
            </button>
            <button type="button" onClick={() => setLeaving(undefined)}>
              {say('Cancel')}
            </button>
          </div>
        </Dialog>
      )}
    </>
  )
}

function UserState({ user: { blocked, confirmed } }: { readonly user: User }) {
  if (blocked) return <span class="tag warning">{say('blocked')}</span>
  return confirmed ? (
    <span class="tag good">{say('active')}</span>
  ) : (
    <span class="tag">{say('unconfirmed')}</span>
  )
}
