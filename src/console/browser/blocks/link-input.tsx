// The address of a link, as the API accepts one: a URL, or a path on the site.

import { useEffect, useRef, useState } from 'preact/hooks'
import { say } from '../messages.ts'

interface LinkInputProps {
  readonly id: string
  readonly url: string
  onUrl(url: string): void
  onCancel(): void
}

function isAddress(url: string): boolean {
  return URL.canParse(url.startsWith('/') ? `https://example.com${url}` : url)
}

export function LinkInput({ id, url, onUrl, onCancel }: LinkInputProps) {
  const input = useRef<HTMLInputElement>(null)
  const [text, setText] = useState(url)
  const [wrong, setWrong] = useState(false)
  useEffect(() => input.current?.focus(), [])
  const take = (): void => {
    if (text === '' || isAddress(text)) onUrl(text)
    else setWrong(true)
  }
  return (
    <div class="beside">
      <label for={id}>{say('Address of the link')}</label>
      <div class="buttons">
        <input
          ref={input}
          id={id}
          inputMode="url"
          placeholder={say('https://example.com or /path')}
          aria-invalid={wrong || undefined}
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') onCancel()
            if (event.key !== 'Enter') return
            // Prevents submission of the surrounding form.
            event.preventDefault()
            take()
          }}
        />
        <button type="button" onClick={take}>
          {say('Set')}
        </button>
        {url !== '' && (
          <button type="button" onClick={() => onUrl('')}>
            {say('Remove the link')}
          </button>
        )}
        <button type="button" onClick={onCancel}>
          {say('Cancel')}
        </button>
      </div>
      {wrong && (
        <p class="fault error" role="alert">
          {say('This is no address: write a URL such as https://example.com, or a path that begins with /.')}
        </p>
      )}
    </div>
  )
}
