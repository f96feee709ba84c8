// Chooses an image of the media library for the block editor.

import { useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import type { MediaFile } from '../data/media.ts'
import { MediaDialog } from '../data/media-dialog.tsx'
import { say } from '../messages.ts'
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
  readonly label: string
  readonly model: Model
  onImage(image: object): void
  onCancel(): void
}

export function ImageChoice({ label, model, onImage, onCancel }: ImageChoiceProps) {
  const [error, setError] = useState<string>()
  const take = async ({ id, name }: MediaFile): Promise<void> => {
    try {
      const found = await api<Readonly<Record<string, unknown>>>(`${model.prefix}/upload/files/${id}`)
      const isPicture = String(found['mime']).startsWith('image/') && typeof found['width'] === 'number'
      if (!isPicture) {
        setError(
          say('{name} cannot be put into blocks: it is no picture, or its size is not known.', { name }),
        )
        return
      }
      const image = Object.fromEntries(KEYS.flatMap((key) => (key in found ? [[key, found[key]]] : [])))
      onImage({ ...image, formats: image['formats'] ?? {} })
    } catch (fault) {
      setError((fault as Error).message)
    }
  }
  return (
    <MediaDialog
      title={say('An image for {label}', { label })}
      {...{ model, error }}
      kinds={['images']}
      many={false}
      onChoose={([file]) => file !== undefined && void take(file)}
      onClose={onCancel}
    />
  )
}
