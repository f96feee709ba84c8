// Short messages at the lower edge that go by themselves, with one action such as Undo.

import { useEffect, useState } from 'preact/hooks'
import { say } from '../messages.ts'

interface ToastOptions {
  readonly text: string
  readonly action?: { readonly label: string; run(): void }
  readonly wrong?: boolean
  /** Runs when the time is over or the message is closed, unless the action was taken. `leaving`: the tab is closed. */
  onExpire?(leaving: boolean): void
}

interface Toast extends ToastOptions {
  readonly number: number
}

const TOAST_MS = 8000
const MAX_TOASTS = 4

let toasts: readonly Toast[] = []
let lastNumber = 0
const listeners = new Set<() => void>()

function change(next: readonly Toast[]): void {
  toasts = next
  for (const listener of listeners) listener()
}

/** Returns a function that takes the message away; nothing else happens then. */
export function showToast(options: ToastOptions): () => void {
  lastNumber += 1
  const toast = { ...options, number: lastNumber }
  const [oldest] = toasts
  if (toasts.length >= MAX_TOASTS && oldest !== undefined) expire(oldest)
  change([...toasts, toast])
  return () => take(toast)
}

/** False if the message is gone already. */
function take(toast: Toast): boolean {
  if (!toasts.includes(toast)) return false
  change(toasts.filter((one) => one !== toast))
  return true
}

function expire(toast: Toast, leaving = false): void {
  if (take(toast)) toast.onExpire?.(leaving)
}

function expireAll(): void {
  for (const toast of toasts) expire(toast, true)
}

export function Toasts() {
  const [list, setList] = useState(toasts)
  useEffect(() => {
    const listener = (): void => setList(toasts)
    listeners.add(listener)
    addEventListener('pagehide', expireAll)
    listener()
    return () => {
      listeners.delete(listener)
      removeEventListener('pagehide', expireAll)
    }
  }, [])
  return (
    <section class="toasts" aria-label={say('Messages')}>
      <div role="status">
        {list.map((toast) => (
          <ToastView key={toast.number} toast={toast} />
        ))}
      </div>
    </section>
  )
}

/** The time stands still while the pointer or the focus is on it. */
function ToastView({ toast }: { readonly toast: Toast }) {
  const [held, setHeld] = useState(false)
  const [left, setLeft] = useState(TOAST_MS)
  useEffect(() => {
    if (held) return
    const began = Date.now()
    const timer = setTimeout(() => expire(toast), left)
    return () => {
      clearTimeout(timer)
      setLeft((before) => Math.max(1500, before - (Date.now() - began)))
    }
  }, [held])
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the pointer only holds the time
    <div
      class={`toast ${toast.wrong === true ? 'wrong' : ''}`}
      onMouseEnter={() => setHeld(true)}
      onMouseLeave={() => setHeld(false)}
      onFocusIn={() => setHeld(true)}
      onFocusOut={() => setHeld(false)}
    >
      <span>{toast.text}</span>
      {toast.action !== undefined && (
        <button
          type="button"
          class="small"
          onClick={() => {
            if (take(toast)) toast.action?.run()
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button type="button" class="small" aria-label={say('Close the message')} onClick={() => expire(toast)}>
        ×
      </button>
    </div>
  )
}
