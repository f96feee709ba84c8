// Links relations and media to entries, with a search and an upload of files.

import { useEffect, useState } from 'preact/hooks'
import type { Attribute, Model } from '../../described.ts'
import { api } from '../server.ts'
import { type FoundLinks, type SentFile, searchLinks, searchTargets, toLink } from './search-links.ts'
import { type EntryLink, isSameLink } from './values.ts'

interface LinkProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly value: readonly EntryLink[]
  readonly id: string
  onChange(value: readonly EntryLink[]): void
}

export function LinkField({ attribute, model, value, id, onChange }: LinkProps) {
  const targets = searchTargets(attribute, model)
  const [uid, setUid] = useState(targets[0]?.uid ?? '')
  const [text, setText] = useState('')
  const [open, setOpen] = useState(false)
  const [page, setPage] = useState(1)
  const [found, setFound] = useState<FoundLinks>()
  const [error, setError] = useState<string>()
  const many = attribute.many === true
  const choose = (linked: EntryLink): void => {
    onChange(many ? [...value.filter((one) => !isSameLink(one, linked)), linked] : [linked])
    setOpen(false)
    setText('')
    setPage(1)
  }
  useEffect(() => {
    if (!open) return
    let current = true
    searchLinks(attribute, model, uid, text, page).then(
      (next) => {
        if (!current) return
        setFound((before) =>
          page === 1 ? next : { links: [...(before?.links ?? []), ...next.links], more: next.more },
        )
        setError(undefined)
      },
      (fault: Error) => current && setError(fault.message),
    )
    return () => {
      current = false
    }
  }, [open, uid, text, page])
  const others = found?.links.filter((one) => !value.some((known) => isSameLink(known, one)))
  return (
    <div class="links">
      {value.length > 0 && (
        <ul class="chips">
          {value.map((one) => (
            <li>
              <Thumbnail file={one} />
              {one.label}
              {one.type !== undefined && <span class="kind">{findDisplayName(model, one.type)}</span>}
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
      )}
      <div class="buttons">
        {targets.length > 1 && (
          <select
            aria-label={`Content-type for ${attribute.name}`}
            value={uid}
            onChange={(event) => {
              setUid(event.currentTarget.value)
              setPage(1)
            }}
          >
            {targets.map((target) => (
              <option value={target.uid}>{target.displayName}</option>
            ))}
          </select>
        )}
        <input
          id={id}
          type="search"
          placeholder="search"
          autocomplete="off"
          value={text}
          onFocus={() => {
            if (!open) setPage(1)
            setOpen(true)
          }}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setPage(1)
            setOpen(true)
          }}
          onKeyDown={(event) => {
            if (event.key === 'Escape') setOpen(false)
          }}
        />
        {attribute.kind === 'media' && (
          <Upload
            prefix={model.prefix}
            many={many}
            onFiles={(files) => onChange(many ? [...value, ...files] : files.slice(0, 1))}
            onError={setError}
          />
        )}
      </div>
      {open && (
        <ul class="found" aria-label={`Entries for ${attribute.name}`}>
          {others?.map((one) => (
            <li>
              <button type="button" onClick={() => choose(one)}>
                <Thumbnail file={one} />
                {one.label} <span class="kind">{one.id}</span>
              </button>
            </li>
          ))}
          {others?.length === 0 && found?.more === false && <li class="quiet">nothing else</li>}
          <li class="buttons">
            {found?.more === true && (
              <button type="button" class="small" onClick={() => setPage(page + 1)}>
                More
              </button>
            )}
            <button type="button" class="small" onClick={() => setOpen(false)}>
              Close
            </button>
          </li>
        </ul>
      )}
      {error !== undefined && (
        <p class="fault error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

function findDisplayName(model: Model, uid: string): string {
  return model.types.find((type) => type.uid === uid)?.displayName ?? uid
}

/** Shows images of this server only, so that the page contacts no other host. */
function Thumbnail({ file: { url = '', mime = '' } }: { readonly file: EntryLink }) {
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
  onFiles(files: readonly EntryLink[]): void
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
            onFiles((await api<readonly SentFile[]>(`${prefix}/upload`, 'POST', form)).map(toLink))
          } catch (error) {
            onError((error as Error).message)
          }
        }}
      />
    </label>
  )
}
