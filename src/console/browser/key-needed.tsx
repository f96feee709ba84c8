// Replaces every page while the tab has no valid key, and explains the remedy.

import { useState } from 'preact/hooks'
import type { KeyFault } from './server.ts'

const TITLES: Readonly<Record<KeyFault, string>> = {
  missing: 'The key is missing',
  expired: 'The key has expired',
  wrong: 'The key is wrong',
}

const REASONS: Readonly<Record<KeyFault, string>> = {
  missing: 'This tab has no key. Each start of the server makes one.',
  expired: 'The server has been started again since this tab was opened, and each start makes a new key.',
  wrong:
    'The server does not know this key: it is that of another start, that of another server, or was not copied as a whole.',
}

export function KeyNeeded({ fault }: { readonly fault: KeyFault }) {
  const [problem, setProblem] = useState<string>()
  return (
    <section class="narrow">
      <h1>{TITLES[fault]}</h1>
      <p role="alert">{REASONS[fault]}</p>
      <p>
        Open the console by the address that the terminal shows behind <strong>Console:</strong>, or paste
        that address here.
      </p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          const text = String(new FormData(event.currentTarget).get('key') ?? '')
          const key = /^(?:.*#key=)?([\w-]+)$/.exec(text.trim())?.[1]
          setProblem(
            key === undefined ? 'There is no key in this text: it stands behind “#key=”.' : undefined,
          )
          if (key !== undefined) location.hash = `key=${key}`
        }}
      >
        <label>
          Address or key <input name="key" autocomplete="off" required />
        </label>
        <button type="submit">Open</button>
      </form>
      {problem !== undefined && (
        <p class="fault error" role="alert">
          {problem}
        </p>
      )}
    </section>
  )
}
