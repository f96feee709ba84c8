// The files of the media library as pictures: searched, filtered by kind, sent, and chosen with mouse or keyboard.

import { Check } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { say, sayCount } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { describeFile, type MediaFile, type MediaKind, nameKind, searchFiles } from './media.ts'
import { Thumbnail } from './thumbnail.tsx'
import { UploadButton, useUploads } from './uploads.tsx'

interface MediaLibraryProps {
  readonly model: Model
  readonly kinds: readonly MediaKind[]
  readonly many: boolean
  readonly chosen: readonly MediaFile[]
  onChosen(files: readonly MediaFile[]): void
  /** Enter or a double click on a file. */
  onOpen(file: MediaFile): void
}

const DELAY_MS = 200

export function MediaLibrary({ model, kinds, many, chosen, onChosen, onOpen }: MediaLibraryProps) {
  const [text, setText] = useState('')
  const [kind, setKind] = useState<MediaKind | ''>('')
  const [page, setPage] = useState(1)
  const [files, setFiles] = useState<readonly MediaFile[]>()
  const [more, setMore] = useState(false)
  const [error, setError] = useState<string>()
  const [current, setCurrent] = useState(0)
  const grid = useRef<HTMLDivElement>(null)
  const uploads = useUploads({
    ...{ model, kinds, many },
    onFiles(sent) {
      const ids = sent.map(({ id }) => id)
      setFiles((before = []) => [...sent, ...before.filter(({ id }) => !ids.includes(id))])
      onChosen(many ? [...chosen, ...sent] : sent)
    },
  })
  useEffect(() => {
    let isCurrent = true
    const look = (): void => {
      searchFiles(model, text.trim(), kind === '' ? kinds : [kind], page).then(
        (found) => {
          if (!isCurrent) return
          setFiles((before = []) => (page === 1 ? found.files : [...before, ...found.files]))
          setMore(found.more)
          setError(undefined)
          if (page === 1) setCurrent(0)
        },
        (fault: Error) => isCurrent && setError(fault.message),
      )
    }
    const timer = setTimeout(look, text === '' ? 0 : DELAY_MS)
    return () => {
      isCurrent = false
      clearTimeout(timer)
    }
  }, [text, kind, page])

  const isChosen = ({ id }: MediaFile): boolean => chosen.some((one) => one.id === id)
  const toggle = (file: MediaFile): void => {
    if (isChosen(file)) onChosen(chosen.filter(({ id }) => id !== file.id))
    else onChosen(many ? [...chosen, file] : [file])
  }
  const focus = (index: number): void => {
    const items = grid.current?.querySelectorAll<HTMLElement>('[role=option]')
    const next = Math.min(Math.max(index, 0), (items?.length ?? 1) - 1)
    setCurrent(next)
    items?.[next]?.focus()
  }
  const countColumns = (): number => {
    const tops = [...(grid.current?.children ?? [])].map((item) => (item as HTMLElement).offsetTop)
    return Math.max(1, tops.filter((top) => top === tops[0]).length)
  }
  const steps: Readonly<Record<string, () => number>> = {
    ArrowRight: () => current + 1,
    ArrowLeft: () => current - 1,
    ArrowDown: () => current + countColumns(),
    ArrowUp: () => current - countColumns(),
    Home: () => 0,
    End: () => Number.POSITIVE_INFINITY,
  }
  const press = (event: KeyboardEvent, file: MediaFile): void => {
    const step = steps[event.key]
    if (step !== undefined) focus(step())
    else if (event.key === ' ') toggle(file)
    else if (event.key === 'Enter') onOpen(file)
    else return
    event.preventDefault()
  }
  return (
    <section
      class={uploads.isOver ? 'library over' : 'library'}
      aria-label={say('Media library')}
      {...(model.uploads ? uploads.targetProps : {})}
    >
      <div class="library-head">
        <input
          type="search"
          aria-label={say('Search the files by name')}
          placeholder={say('Search by name')}
          value={text}
          onInput={(event) => {
            setText(event.currentTarget.value)
            setPage(1)
          }}
        />
        {kinds.length > 1 && (
          <select
            aria-label={say('Kind of file')}
            value={kind}
            onChange={(event) => {
              setKind(event.currentTarget.value as MediaKind | '')
              setPage(1)
            }}
          >
            <option value="">{say('All kinds')}</option>
            {kinds.map((one) => (
              <option value={one}>{nameKind(one)}</option>
            ))}
          </select>
        )}
        {model.uploads && <UploadButton kinds={kinds} many={many} onFiles={uploads.send} />}
        <span class="quiet hint" hidden={!model.uploads}>
          {say('or drop or paste files here')}
        </span>
      </div>
      {uploads.status}
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
      {files === undefined && error === undefined && <p class="quiet">{say('Loading …')}</p>}
      <p class="hidden" role="status">
        {files !== undefined &&
          (more
            ? say('{count} or more files', { count: files.length })
            : sayCount(files.length, 'one file', '{count} files'))}
      </p>
      {files?.length === 0 && <p class="quiet empty">{say('There is no such file. Upload the first.')}</p>}
      {files !== undefined && files.length > 0 && (
        <div
          ref={grid}
          class="library-files"
          role="listbox"
          aria-label={say('Files')}
          aria-multiselectable={many}
        >
          {files.map((file, index) => (
            <div
              key={file.id}
              class="library-file"
              role="option"
              aria-selected={isChosen(file)}
              tabIndex={index === Math.min(current, files.length - 1) ? 0 : -1}
              title={file.name}
              onClick={() => {
                setCurrent(index)
                toggle(file)
              }}
              onDblClick={() => onOpen(file)}
              onKeyDown={(event) => press(event, file)}
            >
              <Thumbnail file={file} />
              <span class="file-name">{file.name}</span>
              <span class="file-facts">{describeFile(file)}</span>
              <span class="mark">
                <Icon of={Check} size={14} />
              </span>
            </div>
          ))}
        </div>
      )}
      {more && (
        <button type="button" onClick={() => setPage(page + 1)}>
          {say('More files')}
        </button>
      )}
    </section>
  )
}
