// A button that copies a text.

import { useState } from 'preact/hooks'

export function Copy({ text, label }: { readonly text: string; readonly label: string }) {
  const [done, setDone] = useState(false)
  return (
    <button
      type="button"
      class="small"
      title={text}
      onClick={async () => {
        await navigator.clipboard.writeText(text)
        setDone(true)
        setTimeout(() => setDone(false), 1500)
      }}
    >
      {done ? 'Copied' : label}
    </button>
  )
}
