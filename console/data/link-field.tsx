// Relations and media: the entries that are linked, and a search for others. Files can be sent as well.

import { useEffect, useState } from 'preact/hooks'
import type { Attribute, Model } from '../../src/console/described.ts'
import { api } from '../server.ts'
import { searchEntries } from './load.ts'
import { type Linked, labelOf, typeOf } from './values.ts'

interface LinkProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly value: readonly Linked[]
  readonly id: string
  onChange(value: readonly Linked[]): void
}

export function LinkField(props: LinkProps) {
  const { attribute, value, id, onChange } = props
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Linked[]>()
  const [error, setError] = useState<string>()
  const many = attribute.many === true
  const choose = (linked: Linked): void => {
    onChange(many ? [...value.filter((one) => one.id !== linked.id), linked] : [linked])
    setFound(undefined)
    setText('')
  }
  useEffect(() => {
    if (found === undefined && text === '') return
    let current = true
    search(props, text).then(
      (next) => current && setFound(next),
      (fault: Error) => current && setError(fault.message),
    )
    return () => {
      current = false
    }
  }, [text])
  const others = found?.filter((one) => !value.some(({ id: known }) => known === one.id))
  return (
    <div class="links">
      <ul class="chips">
        {value.map((one) => (
          <li>
            <Thumbnail file={one} />
            {one.label}
            <button
              type="button"
              class="small"
              aria-label={`Remove ${one.label}`}
              onClick={() => onChange(value.filter((other) => other !== one))}
            >
              ×
            </button>
          </li>
        ))}
      </ul>
      <div class="buttons">
        <input
          id={id}
          type="search"
          placeholder="search"
          value={text}
          onFocus={() => {
            if (found === undefined)
              search(props, text).then(setFound, (fault: Error) => setError(fault.message))
          }}
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setFound(undefined)
          }}
        />
        {attribute.kind === 'media' && (
          <Upload
            prefix={props.model.prefix}
            many={many}
            onFiles={(files) => onChange(many ? [...value, ...files] : files.slice(0, 1))}
            onError={setError}
          />
        )}
      </div>
      {others !== undefined && (
        <ul class="found" aria-label={`Entries for ${attribute.name}`}>
          {others.map((one) => (
            <li>
              <button type="button" onClick={() => choose(one)}>
                <Thumbnail file={one} />
                {one.label} <span class="kind">{one.id}</span>
              </button>
            </li>
          ))}
          {others.length === 0 && <li class="quiet">nothing else</li>}
          <li>
            <button type="button" class="small" onClick={() => setFound(undefined)}>
              Close
            </button>
          </li>
        </ul>
      )}
      {error !== undefined && <p class="fault error">{error}</p>}
    </div>
  )
}

async function search({ attribute, model }: LinkProps, text: string): Promise<readonly Linked[]> {
  if (attribute.kind === 'media' || attribute.target === 'plugin::upload.file') {
    const files = await api<readonly File[]>(`${model.prefix}/upload/files`)
    return files
      .filter(({ name }) => name.toLowerCase().includes(text.toLowerCase()))
      .slice(0, 20)
      .map(asLinked)
  }
  const target = typeOf(model, attribute.target)
  if (target === undefined) return []
  if (target.uid === 'plugin::users-permissions.user') {
    const users = await api<readonly { id: number; username: string }[]>(`${model.prefix}/users`)
    return users
      .filter(({ username }) => username.includes(text))
      .map(({ id, username }) => ({ id, label: username }))
  }
  const entries = await searchEntries(target, text)
  return entries.map((entry) => ({ id: entry.id, label: labelOf(entry, entry.id, target.attributes) }))
}

interface File {
  readonly id: number
  readonly name: string
  readonly url: string
  readonly mime: string
}

function asLinked({ id, name, url, mime }: File): Linked {
  return { id, label: name, url, mime }
}

/** Images of this server only: the page asks no other host. */
function Thumbnail({ file: { url = '', mime = '' } }: { readonly file: Linked }) {
  if (!mime.startsWith('image/') || !url.startsWith('/')) return null
  return <img src={url} alt="" width="40" height="40" loading="lazy" />
}

function Upload({
  prefix,
  many,
  onFiles,
  onError,
}: {
  readonly prefix: string
  readonly many: boolean
  onFiles(files: readonly Linked[]): void
  onError(message: string): void
}) {
  return (
    <label class="button small">
      Send a file
      <input
        type="file"
        class="hidden"
        multiple={many}
        onChange={async ({ currentTarget }) => {
          const form = new FormData()
          for (const file of currentTarget.files ?? []) form.append('files', file)
          currentTarget.value = ''
          try {
            onFiles((await api<readonly File[]>(`${prefix}/upload`, 'POST', form)).map(asLinked))
          } catch (error) {
            onError((error as Error).message)
          }
        }}
      />
    </label>
  )
}
