// The files of a media attribute as cards, chosen from the library, sent, dropped or pasted.

import { Images } from 'lucide'
import { useEffect, useState } from 'preact/hooks'
import type { Attribute, Model } from '../../described.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { moveItem, useOrder } from '../parts/order.tsx'
import { FileCard } from './file-card.tsx'
import type { InputProps } from './labelled.tsx'
import { listKinds, type MediaFile, readFiles, toFile, toFileLink } from './media.ts'
import { MediaDialog } from './media-dialog.tsx'
import { UploadButton, useUploads } from './uploads.tsx'
import type { EntryLink } from './values.ts'

interface MediaFieldProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly value: readonly EntryLink[]
  readonly input: InputProps
  onChange(value: readonly EntryLink[]): void
}

export function MediaField({ attribute, model, value, input, onChange }: MediaFieldProps) {
  const { label, many = false, allowedTypes } = attribute
  const kinds = listKinds(allowedTypes)
  const [known, setKnown] = useState<ReadonlyMap<number, MediaFile>>(new Map())
  /** The place of the file to replace, or the end. */
  const [place, setPlace] = useState<number>()
  const learn = (files: readonly MediaFile[]): void =>
    setKnown((before) => new Map([...before, ...files.map((file) => [file.id, file] as const)]))
  const put = (files: readonly MediaFile[], at: number): void => {
    learn(files)
    const links = files.map(toFileLink)
    const others = value.filter(({ id }, index) => index !== at && !links.some((link) => link.id === id))
    const before = others.filter((link) => value.indexOf(link) < at)
    onChange(many ? [...before, ...links, ...others.slice(before.length)] : links.slice(0, 1))
  }
  const add = (files: readonly MediaFile[]): void => put(files, many ? value.length : 0)
  const uploads = useUploads({ model, kinds, many, onFiles: add })
  const order = useOrder<HTMLUListElement>({
    length: value.length,
    getName: (index) => value[index]?.label ?? '',
    onMove: (from, to) => onChange(moveItem(value, from, to)),
  })
  const unknown = value.filter(({ id }) => !known.has(id)).map(({ id }) => id)
  useEffect(() => {
    // Without their sizes and texts the files are still shown.
    readFiles(model, unknown).then(learn, () => undefined)
  }, [unknown.join(',')])
  const isOrdered = many && value.length > 1
  return (
    <div class={uploads.isOver ? 'media over' : 'media'} {...(model.uploads ? uploads.targetProps : {})}>
      {value.length > 0 && (
        <ul class="file-cards" ref={order.list}>
          {value.map((link, index) => (
            <li key={link.id} class="file-card" {...order.getItemProps(index)}>
              <FileCard
                file={known.get(link.id) ?? toFile(link)}
                model={model}
                id={input.id}
                grip={isOrdered && order.drawGrip(index)}
                order={isOrdered && order.drawButtons(index)}
                onReplace={() => setPlace(index)}
                onRemove={() => onChange(value.filter((other) => other !== link))}
              />
            </li>
          ))}
        </ul>
      )}
      <div class="buttons">
        <button {...withoutRequired(input)} type="button" onClick={() => setPlace(value.length)}>
          <Icon of={Images} />{' '}
          {value.length === 0 || many ? say('Choose from the library') : say('Choose another')}
          <span class="hidden"> {say('for {label}', { label })}</span>
        </button>
        {model.uploads && <UploadButton {...{ kinds, many }} of={label} onFiles={uploads.send} />}
        <span class="quiet hint">{many ? say('or drop files here') : say('or drop a file here')}</span>
      </div>
      {uploads.status}
      {place !== undefined && (
        <MediaDialog
          title={say('Files for {label}', { label })}
          {...{ model, kinds, many }}
          onClose={() => setPlace(undefined)}
          onChoose={(files) => {
            put(files, many ? place : 0)
            setPlace(undefined)
          }}
        />
      )}
    </div>
  )
}

/** A button cannot be required or wrong, but described. */
function withoutRequired({ id, 'aria-describedby': describedBy }: InputProps) {
  return { id, 'aria-describedby': describedBy }
}
