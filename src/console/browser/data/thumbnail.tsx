// A small picture of a file, or an icon of its kind.

import type { IconNode } from 'lucide'
import { File as FileIcon, FileText, Film, Image, Music } from 'lucide'
import { Icon } from '../parts/icon.tsx'
import { isOwnPicture, type MediaFile } from './media.ts'

const ICONS: readonly (readonly [start: string, icon: IconNode])[] = [
  ['image/', Image],
  ['video/', Film],
  ['audio/', Music],
  ['text/', FileText],
  ['application/pdf', FileText],
]

export function Thumbnail({ file }: { readonly file: MediaFile }) {
  const { url, mime, formats } = file
  const address = formats?.['small']?.url ?? formats?.['thumbnail']?.url ?? url
  if (isOwnPicture(mime, address)) return <img class="thumbnail" src={address} alt="" loading="lazy" />
  const [, icon = FileIcon] = ICONS.find(([start]) => mime.startsWith(start)) ?? []
  return (
    <span class="thumbnail">
      <Icon of={icon} size={28} />
    </span>
  )
}
