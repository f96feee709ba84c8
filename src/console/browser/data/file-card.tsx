// A chosen file: its picture, name and size, and its alternative text, which is changed at once.

import { RefreshCw, X } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { say } from '../messages.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { describeFile, type MediaFile, writeFileInfo } from './media.ts'
import { Thumbnail } from './thumbnail.tsx'

interface FileCardProps {
  readonly file: MediaFile
  readonly model: Model
  readonly id: string
  /** The handle and buttons that move it. */
  readonly grip?: ComponentChildren
  readonly order?: ComponentChildren
  onReplace(): void
  onRemove(): void
}

export function FileCard({ file, model, id, grip, order, onReplace, onRemove }: FileCardProps) {
  const { name, url, mime } = file
  return (
    <>
      <div class="file-picture">
        <Thumbnail file={file} />
        {grip}
      </div>
      <div class="file-text">
        <a class="file-name" href={url} target="_blank" rel="noreferrer" title={name}>
          {name}
        </a>
        <span class="file-facts">{describeFile(file)}</span>
      </div>
      <div class="file-actions">
        {order}
        <IconButton
          of={RefreshCw}
          label={say('Replace {name}', { name })}
          title={say('Choose another in its place')}
          onClick={onReplace}
        />
        <IconButton
          of={X}
          label={say('Remove {name}', { name })}
          title={say('Remove it from the entry; the library keeps it')}
          onClick={onRemove}
        />
      </div>
      {mime.startsWith('image/') && <AlternativeText {...{ file, model, id }} />}
    </>
  )
}

interface TextProps {
  readonly file: MediaFile
  readonly model: Model
  readonly id: string
}

function AlternativeText({ file, model, id }: TextProps) {
  const input = `alternative-of-${id}-${file.id}`
  const known = file.alternativeText ?? ''
  const [text, setText] = useState(known)
  const [saved, setSaved] = useState(known)
  const [said, setSaid] = useState('')
  useEffect(() => {
    setText(known)
    setSaved(known)
  }, [known])
  const save = (): void => {
    if (text === saved) return
    writeFileInfo(model, file.id, { alternativeText: text }).then(
      () => {
        setSaved(text)
        setSaid(say('Saved for every place that shows the picture.'))
      },
      (error: Error) => setSaid(error.message),
    )
  }
  return (
    <div class="alternative">
      <label for={input}>{say('Alternative text')}</label>
      <input
        id={input}
        value={text}
        placeholder={say('What the picture shows')}
        onInput={(event) => setText(event.currentTarget.value)}
        onBlur={save}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return
          event.preventDefault()
          save()
        }}
      />
      <span class="file-facts" role="status">
        {said}
      </span>
    </div>
  )
}
