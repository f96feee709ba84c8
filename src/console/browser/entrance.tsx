// Asks for a login, or for the key of a developer, while nobody is logged in.

import { useState } from 'preact/hooks'
import type { LoginState } from '../described.ts'
import { enterWithPassword } from './live.ts'
import { say } from './messages.ts'
import { ProviderLinks } from './provider-links.tsx'
import type { KeyFault } from './server.ts'

function sayFault(fault: KeyFault): { readonly title: string; readonly reason: string } {
  switch (fault) {
    case 'missing':
      return {
        title: say('The key is missing'),
        reason: say('This tab has no key. The server prints it when it starts.'),
      }
    case 'expired':
      return {
        title: say('The key has expired'),
        reason: say('The server has been started again since this tab was opened, and has a new key.'),
      }
    case 'wrong':
      return {
        title: say('The key is wrong'),
        reason: say(
          'The server does not know this key: it is that of another start, that of another server, or was not copied as a whole.',
        ),
      }
  }
}

interface EntranceProps {
  readonly login: LoginState
  readonly fault: KeyFault
}

export function Entrance({ login: { byKey, byPassword, providers }, fault }: EntranceProps) {
  const { title, reason } = sayFault(fault)
  if (!byPassword && !byKey)
    return (
      <section class="narrow">
        <h1>{say('Nobody can log in')}</h1>
        <p role="alert">
          {say(
            'No role has “console: true”. Write it at a role of the file, and log in as a user of that role.',
          )}
        </p>
      </section>
    )
  if (!byPassword)
    return (
      <section class="narrow">
        <h1>{title}</h1>
        <p role="alert">{reason}</p>
        <KeyForm />
      </section>
    )
  return (
    <section class="narrow entrance">
      <h1>{say('Log in')}</h1>
      <ProviderLinks providers={providers} />
      <LoginForm />
      {byKey && (
        <details open={fault !== 'missing'}>
          <summary>{say('For developers: use the key of the terminal')}</summary>
          {fault !== 'missing' && <p role="alert">{reason}</p>}
          <KeyForm />
        </details>
      )}
    </section>
  )
}

/** `onDone`: runs after the login. */
export function LoginForm({ name = '', onDone }: { readonly name?: string; onDone?(): void }) {
  const [problem, setProblem] = useState<string>()
  const [busy, setBusy] = useState(false)
  return (
    <form
      class="login"
      onSubmit={async (event) => {
        event.preventDefault()
        const given = new FormData(event.currentTarget)
        setBusy(true)
        try {
          await enterWithPassword(String(given.get('identifier') ?? ''), String(given.get('password') ?? ''))
          onDone?.()
        } catch (error) {
          setProblem((error as Error).message)
          setBusy(false)
        }
      }}
    >
      <label class="stacked">
        {say('E-mail or user name')}
        <input name="identifier" autocomplete="username" required defaultValue={name} />
      </label>
      <label class="stacked">
        {say('Password')}
        <input name="password" type="password" autocomplete="current-password" required />
      </label>
      {problem !== undefined && (
        <p class="fault error" role="alert">
          {problem}
        </p>
      )}
      <button type="submit" class="main" disabled={busy}>
        {say('Log in')}
      </button>
    </form>
  )
}

function KeyForm() {
  const [problem, setProblem] = useState<string>()
  return (
    <>
      <p>
        {say(
          'Open the console by the address that the terminal shows behind “Console:”, or paste that address here.',
        )}
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const text = String(new FormData(event.currentTarget).get('key') ?? '')
          const key = /^(?:.*#key=)?([\w-]+)$/.exec(text.trim())?.[1]
          setProblem(
            key === undefined ? say('There is no key in this text: it stands behind “#key=”.') : undefined,
          )
          if (key !== undefined) location.hash = `key=${key}`
        }}
      >
        <label class="stacked">
          {say('Address or key')}
          <input name="key" autocomplete="off" required />
        </label>
        <button type="submit">{say('Open')}</button>
      </form>
      {problem !== undefined && (
        <p class="fault error" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}
