// The account of the user who is logged in: its sessions, its password, and the way out.

import { useState } from 'preact/hooks'
import type { Account } from '../../described.ts'
import { formatMoment } from '../data/format-value.ts'
import { forgetDrafts } from '../data/kept-drafts.ts'
import { sendRemovals } from '../data/remove-later.ts'
import { leave, useAsked, useLive, useModel } from '../live.ts'
import { changeLanguage, getLanguage, languages, say } from '../messages.ts'
import { api, ask } from '../server.ts'

export default function AccountPage() {
  const { login } = useLive()
  const { value: account, error, again } = useAsked<Account>('account')
  const [problem, setProblem] = useState<string>()
  if (login?.user === undefined)
    return <p class="notice">{say('You use the key of a developer, which has no account.')}</p>
  const { id: user, username, email, role } = login.user
  const signOut = (everywhere: boolean): void => {
    endLogin(user, everywhere).catch(({ message }: Error) => setProblem(message))
  }
  return (
    <>
      <h1>{username}</h1>
      <p class="quiet">
        {email} · {role}
      </p>
      <h2>{say('Sessions')}</h2>
      {error !== undefined && <p class="notice wrong">{error}</p>}
      <section class="scroll" tabIndex={0} aria-label={say('Sessions')}>
        <table>
          <thead>
            <tr>
              {[say('Device'), say('Since'), say('Last used')].map((name) => (
                <th scope="col">{name}</th>
              ))}
              <td />
            </tr>
          </thead>
          <tbody>
            {account?.sessions.map(({ id, deviceName, current, loginAt, lastActiveAt }) => (
              <tr>
                <td>
                  {deviceName ?? say('unknown')} {current && <span class="tag good">{say('this one')}</span>}
                </td>
                <td>{formatMoment(loginAt)}</td>
                <td>{formatMoment(lastActiveAt)}</td>
                <td>
                  {!current && (
                    <button
                      type="button"
                      class="small"
                      onClick={() => void ask(`sessions?id=${id}`, undefined, 'DELETE').then(again, again)}
                    >
                      {say('End')}
                    </button>
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p class="buttons">
        <button type="button" onClick={() => signOut(false)}>
          {say('Sign out')}
        </button>
        <button type="button" onClick={() => signOut(true)}>
          {say('Sign out everywhere')}
        </button>
      </p>
      {problem !== undefined && (
        <p class="notice wrong" role="alert">
          {problem}
        </p>
      )}
      {account?.mayChangePassword === true && <PasswordForm />}
      <section class="narrow">
        <h2>{say('Language')}</h2>
        <label class="stacked">
          {say('Language of the pages')}
          <select
            value={getLanguage().split('-')[0]}
            onChange={(event) => changeLanguage(event.currentTarget.value)}
          >
            {Object.entries(languages).map(([tag, name]) => (
              <option value={tag}>{name}</option>
            ))}
          </select>
        </label>
      </section>
    </>
  )
}

async function endLogin(user: number, everywhere: boolean): Promise<void> {
  await sendRemovals()
  forgetDrafts(user)
  await leave(everywhere)
}

function PasswordForm() {
  const { prefix = '/api' } = useModel() ?? {}
  const [problem, setProblem] = useState<string>()
  return (
    <section class="narrow">
      <h2>{say('Password')}</h2>
      <form
        class="login"
        onSubmit={async (event) => {
          event.preventDefault()
          const given = Object.fromEntries(new FormData(event.currentTarget))
          try {
            await sendRemovals()
            await api(`${prefix}/auth/change-password`, 'POST', given)
            await leave()
          } catch (error) {
            setProblem((error as Error).message)
          }
        }}
      >
        <label class="stacked">
          {say('Present password')}
          <input name="currentPassword" type="password" autocomplete="current-password" required />
        </label>
        <label class="stacked">
          {say('New password')}
          <input name="password" type="password" autocomplete="new-password" minLength={6} required />
        </label>
        <label class="stacked">
          {say('New password again')}
          <input name="passwordConfirmation" type="password" autocomplete="new-password" required />
        </label>
        {problem !== undefined && (
          <p class="fault error" role="alert">
            {problem}
          </p>
        )}
        <button type="submit">{say('Change the password')}</button>
        <p class="quiet">{say('All your sessions end, and you log in again.')}</p>
      </form>
    </section>
  )
}
