// Orders the items of a list: by dragging a handle, with arrow keys on it, or with buttons.

import { ChevronDown, ChevronUp, GripVertical } from 'lucide'
import type { ComponentChildren, RefObject } from 'preact'
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import { say } from '../messages.ts'
import { Icon } from './icon.tsx'

interface OrderOptions {
  readonly length: number
  getName(index: number): string
  onMove(from: number, to: number): void
}

type Control = 'grip' | 'up' | 'down'

export interface Order<Element extends HTMLElement> {
  readonly list: RefObject<Element | null>
  getItemProps(index: number): Readonly<Record<string, unknown>>
  drawGrip(index: number): ComponentChildren
  drawButtons(index: number): ComponentChildren
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

export function useOrder<Element extends HTMLElement>(options: OrderOptions): Order<Element> {
  const { length, getName, onMove } = options
  const list = useRef<Element>(null)
  const [dragged, setDragged] = useState<number>()
  const [over, setOver] = useState<number>()
  /** Known at once, while the state is drawn later. */
  const held = useRef<number>(undefined)
  const moved = useRef<{ readonly index: number; readonly control: Control }>(undefined)

  // The focus stays with what was moved: its element may have been taken out and put in again.
  useLayoutEffect(() => {
    if (moved.current === undefined) return
    const { index, control } = moved.current
    moved.current = undefined
    list.current
      ?.querySelector<HTMLElement>(`:scope > [data-index="${index}"] [data-control="${control}"]`)
      ?.focus()
  })

  const move = (from: number, to: number, control: Control): void => {
    const name = getName(from)
    if (to < 0 || to >= length) {
      announce(
        to < 0 ? say('{name} is the first already', { name }) : say('{name} is the last already', { name }),
      )
      return
    }
    if (from !== to) onMove(from, to)
    moved.current = { index: to, control }
    announce(say('{name}: place {place} of {length}', { name, place: to + 1, length }))
  }
  const endDrag = (): void => {
    held.current = undefined
    setDragged(undefined)
    setOver(undefined)
  }
  return {
    list,
    getItemProps: (index) => ({
      'data-index': index,
      'data-dragged': dragged === index || undefined,
      'data-drop':
        dragged === undefined || over !== index || dragged === index
          ? undefined
          : dragged < index
            ? 'after'
            : 'before',
      onDragOver(event: DragEvent) {
        if (held.current === undefined) return
        event.preventDefault()
        event.stopPropagation()
        if (over !== index) setOver(index)
      },
      onDrop(event: DragEvent) {
        const from = held.current
        if (from === undefined) return
        event.preventDefault()
        event.stopPropagation()
        endDrag()
        move(from, index, 'grip')
      },
    }),
    drawGrip: (index) => (
      // Firefox does not drag buttons.
      <span
        class="grip"
        role="button"
        tabIndex={0}
        draggable
        data-control="grip"
        aria-label={say('Move {name} with the arrow keys', { name: getName(index) })}
        title={say('Drag, or press the arrow keys')}
        onKeyDown={(event) => {
          const step = STEPS[event.key]
          if (step === undefined) return
          event.preventDefault()
          event.stopPropagation()
          move(index, index + step, 'grip')
        }}
        onDragStart={(event) => {
          const item = event.currentTarget.closest('[data-index]')
          if (event.dataTransfer === null) return
          event.stopPropagation()
          event.dataTransfer.effectAllowed = 'move'
          event.dataTransfer.setData('text/plain', getName(index))
          if (item !== null) event.dataTransfer.setDragImage(item, 12, 12)
          held.current = index
          setDragged(index)
        }}
        onDragEnd={endDrag}
      >
        <Icon of={GripVertical} />
      </span>
    ),
    drawButtons: (index) => (
      <>
        {(['up', 'down'] as const).map((way) => (
          <button
            type="button"
            class="small quiet-button order-button"
            data-control={way}
            aria-label={
              way === 'up'
                ? say('Move {name} up', { name: getName(index) })
                : say('Move {name} down', { name: getName(index) })
            }
            title={way === 'up' ? say('Move up') : say('Move down')}
            // It stays focusable, so that the focus is not lost at the ends of the list.
            aria-disabled={way === 'up' ? index === 0 : index === length - 1}
            onClick={() => move(index, way === 'up' ? index - 1 : index + 1, way)}
          >
            <Icon of={way === 'up' ? ChevronUp : ChevronDown} />
          </button>
        ))}
      </>
    ),
  }
}

export function moveItem<Item>(items: readonly Item[], from: number, to: number): readonly Item[] {
  const moved = [...items]
  moved.splice(to, 0, ...moved.splice(from, 1))
  return moved
}

let region: HTMLElement | undefined

/** Says to screen readers what has happened, such as the new place of something moved. */
export function announce(text: string): void {
  if (region === undefined) {
    region = document.createElement('div')
    region.className = 'hidden'
    region.setAttribute('role', 'status')
    document.body.append(region)
  }
  // The same text twice is two announcements only if the region changes.
  region.textContent = region.textContent === text ? `${text}\u00a0` : text
}
