// A button that shows an icon, with its words for screen readers and the pointer.

import type { IconNode } from 'lucide'
import { Icon } from './icon.tsx'

interface IconButtonProps {
  readonly of: IconNode
  /** With the name of what it acts on, since several may be in a list. */
  readonly label: string
  readonly title: string
  readonly disabled?: boolean
  onClick(): void
}

export function IconButton({ of: icon, label, title, disabled = false, onClick }: IconButtonProps) {
  return (
    <button
      type="button"
      class="small quiet-button"
      aria-label={label}
      title={title}
      disabled={disabled}
      onClick={onClick}
    >
      <Icon of={icon} />
    </button>
  )
}
