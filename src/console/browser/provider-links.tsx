// Links to the OpenID providers that lead in, and why one did not.

import { useState } from 'preact/hooks'
import type { LoginFault, LoginState } from '../described.ts'
import { say } from './messages.ts'
import { leaveForProvider, takeLoginFault } from './server.ts'

interface ProviderLinksProps {
  readonly providers: LoginState['providers']
  /** Keeps the page, which goes on when the login in the other tab is done. */
  readonly inNewTab?: boolean
}

export function ProviderLinks({ providers, inNewTab = false }: ProviderLinksProps) {
  const [fault] = useState(takeLoginFault)
  return (
    <>
      {fault !== undefined && (
        <p class="fault error" role="alert">
          {sayFault(fault)}
        </p>
      )}
      {providers.length > 0 && (
        <div class="providers">
          {providers.map(({ name, label }) => (
            <a
              key={name}
              class="button"
              href={`/_console/login/${name}`}
              {...(inNewTab ? { target: '_blank', rel: 'noopener' } : { onClick: leaveForProvider })}
            >
              {say('Log in with {provider}', { provider: label })}
            </a>
          ))}
        </div>
      )}
    </>
  )
}

function sayFault(fault: LoginFault): string {
  switch (fault) {
    case 'expired':
      return say('The login took too long, or began in another browser. Try again.')
    case 'cancelled':
      return say('You have cancelled the login.')
    case 'unverified':
      return say('The provider has not verified your address of e-mail. Verify it there, and try again.')
    case 'unknown':
      return say(
        'No user with your address of e-mail may use the console. Ask somebody who manages the users.',
      )
    case 'often':
      return say('There were too many logins from here. Try again in a minute.')
    case 'failed':
      return say('The provider gave no usable answer. The log of the server says why.')
  }
}
