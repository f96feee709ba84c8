// Stands where a page needs the model until it is read, and says why it is not.

import { readModelAgain, useLive } from '../live.ts'
import { say } from '../messages.ts'

export function ModelWait() {
  const { model, modelError } = useLive()
  if (model !== undefined || modelError === undefined) return <p class="quiet">{say('Loading …')}</p>
  return (
    <div class="notice wrong" role="alert">
      <p>{say('The content-types could not be loaded: {reason}', { reason: modelError })}</p>
      <button type="button" onClick={readModelAgain}>
        {say('Try again')}
      </button>
    </div>
  )
}
