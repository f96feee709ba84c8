// Draws an icon of the package `lucide`, which holds them as data.

import type { IconNode } from 'lucide'
import { h } from 'preact'

/** `size`: pixels. It is hidden from screen readers: the element around it has the words. */
export function Icon({ of: nodes, size = 16 }: { readonly of: IconNode; readonly size?: number }) {
  return (
    <svg class="icon" viewBox="0 0 24 24" width={size} height={size} aria-hidden="true" focusable="false">
      {nodes.map(([tag, attributes]) => h(tag, attributes))}
    </svg>
  )
}
