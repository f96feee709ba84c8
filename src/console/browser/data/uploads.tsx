// Sends files that are chosen, dropped or pasted, one after another, and shows how far each is.

import { Upload } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { isAccepted, listAccepted, type MediaFile, type MediaKind, sendFile } from './media.ts'

interface Sending {
  readonly number: number
  readonly name: string
  /** The part that is sent, from 0 to 1. */
  readonly part?: number
  readonly error?: string
}

interface Uploads {
  send(files: Iterable<File>): void
  /** What is on its way, and what has failed. */
  readonly status: ComponentChildren
  readonly isOver: boolean
  /** For the element that takes files that are dropped or pasted. */
  readonly targetProps: Readonly<Record<string, unknown>>
}

interface UploadOptions {
  readonly model: Model
  readonly kinds: readonly MediaKind[]
  readonly many: boolean
  /** Called once for all that are sent together, in their order. */
  onFiles(files: readonly MediaFile[]): void
}

let lastNumber = 0

export function useUploads({ model, kinds, many, onFiles }: UploadOptions): Uploads {
  const [sending, setSending] = useState<readonly Sending[]>([])
  const [isOver, setIsOver] = useState(false)
  // What is chosen may change while files are on their way.
  const emit = useRef(onFiles)
  emit.current = onFiles
  const take = async (files: readonly File[]): Promise<void> => {
    const jobs = files.map((file) => {
      lastNumber += 1
      return { file, number: lastNumber }
    })
    setSending((before) => [
      ...before.filter(({ error }) => error === undefined),
      ...jobs.map(({ file: { name }, number }) => ({ number, name })),
    ])
    const sent: MediaFile[] = []
    for (const { file, number } of jobs) {
      try {
        if (!isAccepted({ mime: file.type }, kinds))
          throw new Error(say('This field does not take such a file.'))
        const note = (part: number): void =>
          setSending((before) => before.map((one) => (one.number === number ? { ...one, part } : one)))
        sent.push(await sendFile(model, file, note))
        setSending((before) => before.filter((one) => one.number !== number))
      } catch (fault) {
        const error = (fault as Error).message
        setSending((before) => before.map((one) => (one.number === number ? { ...one, error } : one)))
      }
    }
    if (sent.length > 0) emit.current(sent)
  }
  const send = (files: Iterable<File>): void => {
    const all = [...files]
    if (all.length > 0) void take(many ? all : all.slice(0, 1))
  }
  const hasFiles = (event: DragEvent): boolean => event.dataTransfer?.types.includes('Files') === true
  return {
    send,
    isOver,
    status: (
      <ul class="sending" aria-live="polite">
        {sending.map(({ number, name, part, error }) => (
          <li key={number}>
            {error === undefined ? (
              <>
                {say('Sending {name} …', { name })}{' '}
                <progress aria-label={say('Sending {name}', { name })} value={part} />
              </>
            ) : (
              <span class="error">
                {name}: {error}
              </span>
            )}
          </li>
        ))}
      </ul>
    ),
    targetProps: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        event.stopPropagation()
        setIsOver(true)
      },
      onDragLeave(event: DragEvent) {
        const to = event.relatedTarget as Node | null
        if (!(event.currentTarget as Element).contains(to)) setIsOver(false)
      },
      onDrop(event: DragEvent) {
        setIsOver(false)
        if (!hasFiles(event)) return
        event.preventDefault()
        event.stopPropagation()
        send(event.dataTransfer?.files ?? [])
      },
      onPaste(event: ClipboardEvent) {
        const files = event.clipboardData?.files
        if (files === undefined || files.length === 0) return
        event.preventDefault()
        event.stopPropagation()
        send(files)
      },
    },
  }
}

interface UploadButtonProps {
  readonly kinds: readonly MediaKind[]
  readonly many: boolean
  /** For screen readers: what the files are for. */
  readonly of?: string
  onFiles(files: Iterable<File>): void
}

export function UploadButton({ kinds, many, of, onFiles }: UploadButtonProps) {
  return (
    <label class="button upload">
      <Icon of={Upload} /> {say('Upload')}
      {of !== undefined && <span class="hidden"> {say('for {label}', { label: of })}</span>}
      <input
        type="file"
        class="hidden"
        multiple={many}
        accept={listAccepted(kinds)}
        onChange={({ currentTarget }) => {
          onFiles([...(currentTarget.files ?? [])])
          currentTarget.value = ''
        }}
      />
    </label>
  )
}
