// Whether the entry is saved, and the buttons that save it, always in sight.

import { CircleCheck, CircleDot, CloudOff, LoaderCircle } from 'lucide'
import { useEffect, useRef } from 'preact/hooks'
import { useLive } from '../live.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import type { Progress } from './form-state.ts'
import { formatTime } from './format-value.ts'

/** A button that saves. */
export interface SaveAction {
  readonly label: string
  readonly disabled?: boolean
  run(): void
}

interface BarProps {
  readonly progress: Progress
  readonly dirty: boolean
  readonly actions: readonly SaveAction[]
  tryAgain(): void
}

/** After more failures the editor decides. */
const MAX_ATTEMPTS = 5

export function SaveBar({ progress, dirty, actions, tryAgain }: BarProps) {
  const busy = progress.kind === 'saving'
  const waiting = progress.kind === 'waiting'
  const automatic = waiting && progress.request.repeatable && progress.attempts < MAX_ATTEMPTS
  return (
    <div class="save-bar" role="group" aria-label={say('Save')}>
      <span role="status" class={waiting ? 'error' : 'quiet'}>
        <Said {...{ progress, dirty, automatic }} />
      </span>
      {automatic && <WhenBack key={progress.attempts} run={tryAgain} />}
      {waiting && (
        <button type="button" onClick={tryAgain}>
          {say('Try again')}
        </button>
      )}
      {!waiting &&
        actions.map(({ label, disabled = false, run }, index) => (
          <button
            type="button"
            class={index === 0 ? 'main' : ''}
            disabled={busy || disabled}
            aria-keyshortcuts={index === 0 ? 'Control+S Meta+S' : undefined}
            onClick={run}
          >
            {label}
          </button>
        ))}
    </div>
  )
}

function Said({
  progress,
  dirty,
  automatic,
}: {
  readonly progress: Progress
  readonly dirty: boolean
  readonly automatic: boolean
}) {
  if (progress.kind === 'saving')
    return (
      <>
        <Icon of={LoaderCircle} /> {say('Saving …')}
      </>
    )
  if (progress.kind === 'waiting')
    return (
      <>
        <Icon of={CloudOff} /> {say('Not saved: the server does not answer.')}{' '}
        {automatic ? say('It will be tried again.') : say('Nothing is lost.')}
      </>
    )
  if (dirty)
    return (
      <>
        <Icon of={CircleDot} /> {say('Unsaved changes')}
      </>
    )
  if (progress.kind !== 'saved') return null
  return (
    <span class="good">
      <Icon of={CircleCheck} /> {say('Saved {time}', { time: formatTime(progress.at) })}
    </span>
  )
}

/** Runs once, when a later look at the server finds it. */
function WhenBack({ run }: { run(): void }) {
  const live = useLive()
  const first = useRef(live)
  const isDone = useRef(false)
  useEffect(() => {
    if (live === first.current || live.gone || isDone.current) return
    isDone.current = true
    run()
  }, [live])
  return null
}
