// Menus of commands and popovers with other content: one is open at a time, Escape and a click elsewhere close it.

import { connect, machine } from '@zag-js/menu'
import { normalizeProps, useMachine } from '@zag-js/preact'
import type { IconNode } from 'lucide'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from './icon.tsx'

interface MenuItem {
  readonly label: string
  readonly icon?: IconNode
  readonly danger?: boolean
  act(): void
}

interface TriggerProps {
  readonly label: string
  readonly icon?: IconNode
  /** Shows the icon alone; the label is for screen readers. */
  readonly iconOnly?: boolean
  readonly class?: string
}

function TriggerContent({ label, icon, iconOnly = false }: TriggerProps) {
  return (
    <>
      {icon !== undefined && <Icon of={icon} />}
      {!iconOnly && <span>{label}</span>}
    </>
  )
}

export function Menu({ items, ...trigger }: TriggerProps & { readonly items: readonly MenuItem[] }) {
  const service = useMachine(machine, {
    id: useId(),
    positioning: { placement: 'bottom-end', strategy: 'fixed', gutter: 4 },
    onSelect: ({ value }) => items[Number(value)]?.act(),
  })
  const api = connect(service, normalizeProps)
  return (
    <>
      <button
        {...api.getTriggerProps()}
        class={trigger.class}
        aria-label={trigger.iconOnly === true ? trigger.label : undefined}
      >
        <TriggerContent {...trigger} />
      </button>
      <div {...api.getPositionerProps()} class="floating-place">
        <div {...api.getContentProps()} class="floating menu-items">
          {items.map(({ label, icon, danger = false }, index) => (
            <div
              {...api.getItemProps({ value: String(index), valueText: label })}
              class={danger ? 'menu-item danger' : 'menu-item'}
            >
              {icon !== undefined && <Icon of={icon} />}
              {label}
            </div>
          ))}
        </div>
      </div>
    </>
  )
}

interface PopoverProps extends TriggerProps {
  /** Names the content, if the words of the button do not. */
  readonly title?: string
  children(close: () => void): ComponentChildren
}

/** The content is drawn while it is open. */
export function Popover({ title, children, ...trigger }: PopoverProps) {
  const [open, setOpen] = useState(false)
  const button = useRef<HTMLButtonElement>(null)
  const panel = useRef<HTMLDivElement>(null)
  const id = useId()

  useLayoutEffect(() => {
    const [anchor, content] = [button.current, panel.current]
    if (!open || anchor === null || content === null) return
    const put = (): void => placeBeside(content, anchor)
    put()
    content.querySelector<HTMLElement>('input, select, textarea, button, a[href]')?.focus()
    // Content that is loaded later changes its size.
    const observer = new ResizeObserver(put)
    observer.observe(content)
    addEventListener('scroll', put, true)
    addEventListener('resize', put)
    return () => {
      observer.disconnect()
      removeEventListener('scroll', put, true)
      removeEventListener('resize', put)
    }
  }, [open])

  const close = (): void => {
    panel.current?.hidePopover()
    button.current?.focus()
  }
  return (
    <>
      <button
        type="button"
        ref={button}
        class={trigger.class}
        aria-label={trigger.iconOnly === true ? trigger.label : undefined}
        aria-haspopup="dialog"
        aria-expanded={open}
        popovertarget={id}
      >
        <TriggerContent {...trigger} />
      </button>
      <div
        ref={panel}
        id={id}
        popover="auto"
        role="dialog"
        aria-label={title ?? trigger.label}
        class={open ? 'floating panel' : 'floating panel unplaced'}
        onToggle={(event) => setOpen(event.newState === 'open')}
      >
        {open && children(close)}
      </div>
    </>
  )
}

const GAP_PIXELS = 4
const EDGE_PIXELS = 8

/** Below the anchor, or above it where there is more room, and always inside the window. */
function placeBeside(content: HTMLElement, anchor: HTMLElement): void {
  const { left, top, bottom } = anchor.getBoundingClientRect()
  const below = innerHeight - bottom - GAP_PIXELS - EDGE_PIXELS
  const above = top - GAP_PIXELS - EDGE_PIXELS
  const isBelow = content.scrollHeight <= below || below >= above
  const { style } = content
  style.maxHeight = `${Math.max(120, isBelow ? below : above)}px`
  const { width, height } = content.getBoundingClientRect()
  style.left = `${Math.max(EDGE_PIXELS, Math.min(left, innerWidth - width - EDGE_PIXELS))}px`
  style.top = `${isBelow ? bottom + GAP_PIXELS : top - GAP_PIXELS - height}px`
}
