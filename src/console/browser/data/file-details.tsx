// A file of the media library: its picture, its texts, where it is used, and what can be done with it.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { say } from '../messages.ts'
import { Dialog } from '../parts/dialog.tsx'
import { api } from '../server.ts'
import { FilePicture } from './file-picture.tsx'
import { formatPoint, readPoint } from './focal-point.ts'
import { formatTitle } from './format-value.ts'
import { getPage } from './load.ts'
import { describeFile, FILES, type MediaFile, writeFileInfo } from './media.ts'
import { queryText, toEntry } from './values.ts'

interface DetailsProps {
  readonly model: Model
  readonly file: MediaFile
  /** Undefined: the file was deleted. */
  onChange(file: MediaFile | undefined): void
}

const TEXTS = ['name', 'alternativeText', 'caption'] as const

export function FileDetails({ model, file, onChange }: DetailsProps) {
  const [texts, setTexts] = useState(() => readTexts(file))
  const [point, setPoint] = useState(() => readPoint(file.focalPoint))
  const [said, setSaid] = useState<{ readonly text: string; readonly wrong: boolean }>()
  const [asked, setAsked] = useState(false)
  const replacement = useRef<HTMLInputElement>(null)
  const may = model.types.find(({ uid }) => uid === FILES)?.may ?? []
  const isMoved = formatPoint(point) !== formatPoint(readPoint(file.focalPoint))
  const isChanged = isMoved || TEXTS.some((name) => texts[name] !== (file[name] ?? ''))
  const save = async (): Promise<void> =>
    onChange(await writeFileInfo(model, file.id, { ...texts, ...(isMoved && { focalPoint: point }) }))
  const act = async (task: () => Promise<void>, done: string): Promise<void> => {
    try {
      await task()
      setSaid({ text: done, wrong: false })
    } catch (error) {
      setSaid({ text: (error as Error).message, wrong: true })
    }
  }
  const labels = {
    name: say('Name'),
    alternativeText: say('Alternative text'),
    caption: say('Caption'),
  }
  return (
    <aside class="file-details card" aria-label={say('The file {name}', { name: file.name })}>
      <FilePicture {...{ file, point }} onPoint={may.includes('update') ? setPoint : undefined} />
      <p class="quiet">{describeFile(file)}</p>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void act(save, say('Saved.'))
        }}
      >
        {TEXTS.map((name) => (
          <label class="field">
            {labels[name]}
            <input
              class="wide"
              value={texts[name]}
              disabled={!may.includes('update')}
              onInput={(event) => setTexts({ ...texts, [name]: event.currentTarget.value })}
            />
          </label>
        ))}
        <div class="buttons">
          {may.includes('update') && (
            <button type="submit" class="main" disabled={!isChanged}>
              {say('Save')}
            </button>
          )}
          <a class="button" href={file.url} target="_blank" rel="noreferrer">
            {say('Open')}
          </a>
          {may.includes('update') && (
            <button type="button" onClick={() => replacement.current?.click()}>
              {say('Replace')}
            </button>
          )}
          {may.includes('delete') && (
            <button type="button" class="danger" onClick={() => setAsked(true)}>
              {say('Delete')}
            </button>
          )}
        </div>
        <input
          ref={replacement}
          type="file"
          class="hidden"
          tabIndex={-1}
          aria-label={say('The file that takes its place')}
          onChange={({ currentTarget }) => {
            const [sent] = currentTarget.files ?? []
            if (sent !== undefined)
              void act(async () => onChange(await replaceFile(model, file, sent)), say('Replaced.'))
            currentTarget.value = ''
          }}
        />
      </form>
      {said !== undefined && (
        <p class={said.wrong ? 'error' : 'good'} role={said.wrong ? 'alert' : 'status'}>
          {said.text}
        </p>
      )}
      <Usage model={model} file={file} />
      {asked && (
        <Dialog title={say('Delete {name}?', { name: file.name })} onClose={() => setAsked(false)}>
          <p>{say('Entries that show it lose it. This cannot be undone.')}</p>
          <div class="buttons">
            <button
              type="button"
              class="danger"
              onClick={() => {
                setAsked(false)
                void act(async () => {
                  await api(`${model.prefix}/upload/files/${file.id}`, 'DELETE')
                  onChange(undefined)
                }, '')
              }}
            >
              {say('Delete')}
            </button>
            <button type="button" onClick={() => setAsked(false)}>
              {say('Cancel')}
            </button>
          </div>
        </Dialog>
      )}
    </aside>
  )
}

function readTexts(file: MediaFile): Record<(typeof TEXTS)[number], string> {
  return { name: file.name, alternativeText: file.alternativeText ?? '', caption: file.caption ?? '' }
}

/** Its address and its id stay. */
async function replaceFile({ prefix }: Model, { id }: MediaFile, sent: File): Promise<MediaFile> {
  const form = new FormData()
  form.append('files', sent)
  return api<MediaFile>(`${prefix}/upload?id=${id}`, 'POST', form)
}

function Usage({ model, file }: { readonly model: Model; readonly file: MediaFile }) {
  const [related, setRelated] = useState<readonly unknown[]>()
  useEffect(() => {
    let current = true
    const query = queryText({ populate: { related: 'true' } })
    api<{ related?: readonly unknown[] }>(`${model.prefix}/upload/files/${file.id}?${query}`).then(
      (found) => current && setRelated(found.related ?? []),
      () => current && setRelated([]),
    )
    return () => {
      current = false
    }
  }, [file.id])
  if (related === undefined) return null
  const links = new Map(
    related.flatMap((one) => {
      const entry = toEntry(one)
      const type = model.types.find(({ uid }) => uid === entry?.['__type'])
      if (entry === undefined || type === undefined) return []
      return [[getPage(type, entry), `${type.displayName}: ${formatTitle(type, entry)}`] as const]
    }),
  )
  return (
    <>
      <h2>{say('Used by')}</h2>
      {links.size === 0 && <p class="quiet">{say('No entry that you may see uses it.')}</p>}
      <ul>
        {[...links].map(([address, label]) => (
          <li>
            <a href={`#${address}`}>{label}</a>
          </li>
        ))}
      </ul>
    </>
  )
}
