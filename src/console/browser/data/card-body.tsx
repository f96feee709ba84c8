// The fields of a card that can be closed; its editors keep what they hold while it is.

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'

interface CardBodyProps {
  readonly isOpen: boolean
  readonly children: ComponentChildren
}

export function CardBody({ isOpen, children }: CardBodyProps) {
  const wasOpen = useRef(false)
  if (isOpen) wasOpen.current = true
  // Cards that nobody has opened cost nothing.
  if (!wasOpen.current) return null
  return (
    <div class="card-body" hidden={!isOpen}>
      {children}
    </div>
  )
}
