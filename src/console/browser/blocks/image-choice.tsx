// Chooses an image of the media library for the block editor.

import { useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { LinkField } from '../data/link-field.tsx'
import type { EntryLink } from '../data/values.ts'
import { api } from '../server.ts'

const KEYS = [
  ...[
    'name',
    'alternativeText',
    'url',
    'caption',
    'width',
    'height',
    'formats',
    'hash',
    'ext',
    'mime',
    'size',
  ],
  ...['previewUrl', 'provider', 'provider_metadata', 'createdAt', 'updatedAt'],
]

interface ImageChoiceProps {
  readonly id: string
  readonly model: Model
  onImage(image: object): void
  onCancel(): void
}

export function ImageChoice({ id, model, onImage, onCancel }: ImageChoiceProps) {
  const [error, setError] = useState<string>()
  const take = async ({ id: file, label }: EntryLink): Promise<void> => {
    try {
      const found = await api<Readonly<Record<string, unknown>>>(`${model.prefix}/upload/files/${file}`)
      const isPicture = String(found['mime']).startsWith('image/') && typeof found['width'] === 'number'
      if (!isPicture) {
        setError(`${label} cannot be put into blocks: it is no picture, or its size is not known.`)
        return
      }
      const image = Object.fromEntries(KEYS.flatMap((key) => (key in found ? [[key, found[key]]] : [])))
      onImage({ ...image, formats: image['formats'] ?? {} })
    } catch (fault) {
      setError((fault as Error).message)
    }
  }
  return (
    <div class="beside">
      <label for={id}>A picture of the media library</label>
      <LinkField
        id={id}
        attribute={{ name: 'image', label: 'Image', kind: 'media', type: 'media', allowedTypes: ['images'] }}
        model={model}
        value={[]}
        onChange={([chosen]) => chosen !== undefined && void take(chosen)}
      />
      <button type="button" class="small" onClick={onCancel}>
        Cancel
      </button>
      {error !== undefined && (
        <p class="fault error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}
