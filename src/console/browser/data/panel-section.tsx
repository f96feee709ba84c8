// A part of the side panel with a heading.

import type { ComponentChildren } from 'preact'

export function PanelSection({
  title,
  children,
}: {
  readonly title: string
  readonly children: ComponentChildren
}) {
  return (
    <section>
      <h2>{title}</h2>
      {children}
    </section>
  )
}
