// A list of components as cards, which are opened, ordered, copied and removed.

import { ChevronDown, ChevronRight, Copy, Trash2 } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { announce, moveItem, useOrder } from '../parts/order.tsx'
import { AddComponent } from './add-component.tsx'
import { CardBody } from './card-body.tsx'
import { getComponentName, nameComponent } from './component-names.ts'
import type { FieldProps } from './fields.tsx'
import { InsideFields } from './inside-fields.tsx'
import { copyComponent, type Values } from './values.ts'

interface CardsProps extends Omit<FieldProps, 'value'> {
  readonly items: readonly Values[]
  readonly choices: readonly string[]
  getUid(item: Values): string
  make(uid: string): Values
}

interface CardState {
  /** Stays with an item when it is moved, so that its editors keep what they hold. */
  readonly key: number
  readonly isOpen: boolean
}

let lastKey = 0

function makeState(isOpen: boolean): CardState {
  lastKey += 1
  return { key: lastKey, isOpen }
}

export function ComponentCards({ items, choices, getUid, make, ...props }: CardsProps) {
  const { path, model, attribute, faults, onChange } = props
  const states = useRef<readonly CardState[]>([])
  const [, redraw] = useState(0)
  const place = useRef<HTMLDivElement>(null)
  const added = useRef<number>(undefined)
  // After saving or merging the list may have another length.
  if (states.current.length !== items.length)
    states.current = items.map((_, index) => states.current[index] ?? makeState(index === added.current))
  const getName = (index: number): string =>
    nameCard(index, items[index] ?? {}, getUid(items[index] ?? {}), choices, model)
  const change = (next: readonly Values[], nextStates: readonly CardState[]): void => {
    states.current = nextStates
    onChange(next)
  }
  const insert = (at: number, item: Values): void => {
    added.current = at
    change(items.toSpliced(at, 0, item), states.current.toSpliced(at, 0, makeState(true)))
    announce(
      say('{name} is added, place {place} of {count}', {
        name: getComponentName(model, getUid(item)),
        place: at + 1,
        count: items.length + 1,
      }),
    )
  }
  const remove = (at: number): void => {
    announce(say('{name} is removed', { name: getName(at) }))
    change(items.toSpliced(at, 1), states.current.toSpliced(at, 1))
    place.current?.querySelector<HTMLElement>(':scope > .add-component button')?.focus()
  }
  const setOpen = (at: number, isOpen: boolean): void => {
    states.current = states.current.map((state, index) => (index === at ? { ...state, isOpen } : state))
    redraw((count) => count + 1)
  }
  const order = useOrder<HTMLOListElement>({
    length: items.length,
    getName,
    onMove: (from, to) => change(moveItem(items, from, to), moveItem(states.current, from, to)),
  })
  useEffect(() => {
    if (added.current === undefined) return
    const item = order.list.current?.children[added.current]
    // A drawing may come before the form has the new list.
    if (item === undefined) return
    added.current = undefined
    item?.querySelector<HTMLElement>('.card-toggle')?.focus()
  })
  const isFull = typeof attribute.max === 'number' && items.length >= attribute.max
  return (
    <div ref={place}>
      <ol class="component-cards" ref={order.list}>
        {items.map((item, index) => {
          const state = states.current[index]
          const cardPath = [...path, String(index)]
          const isWrong = faults.some((fault) => cardPath.every((step, at) => fault.path[at] === step))
          const isOpen = state?.isOpen === true || isWrong
          const name = getName(index)
          return (
            <li
              key={state?.key}
              class="component-card"
              data-wrong={isWrong || undefined}
              {...order.getItemProps(index)}
            >
              <div class="card-head">
                {items.length > 1 && order.drawGrip(index)}
                <button
                  type="button"
                  class="card-toggle"
                  aria-expanded={isOpen}
                  onClick={() => setOpen(index, !isOpen)}
                >
                  <Icon of={isOpen ? ChevronDown : ChevronRight} />
                  <span class="card-number">{index + 1}</span>
                  <span class="card-title">{nameComponent(item, getUid(item), model)}</span>
                  {choices.length > 1 && <span class="tag">{getComponentName(model, getUid(item))}</span>}
                </button>
                <span class="file-actions">
                  {items.length > 1 && order.drawButtons(index)}
                  <IconButton
                    of={Copy}
                    label={say('Duplicate {name}', { name })}
                    title={say('Duplicate')}
                    disabled={isFull}
                    onClick={() => insert(index + 1, copyComponent(getUid(item), item, model))}
                  />
                  <IconButton
                    of={Trash2}
                    label={say('Remove {name}', { name })}
                    title={say('Remove')}
                    onClick={() => remove(index)}
                  />
                </span>
              </div>
              <CardBody isOpen={isOpen}>
                <InsideFields
                  {...props}
                  uid={getUid(item)}
                  value={item}
                  path={cardPath}
                  onChange={(next) => onChange(items.map((one, at) => (at === index ? next : one)))}
                />
              </CardBody>
            </li>
          )
        })}
      </ol>
      <AddComponent
        {...{ choices, model, isFull }}
        label={attribute.label}
        max={attribute.max}
        onAdd={(uid) => insert(items.length, make(uid))}
      />
    </div>
  )
}

function nameCard(
  index: number,
  item: Values,
  uid: string,
  choices: readonly string[],
  model: Model,
): string {
  const kind = choices.length > 1 ? `${getComponentName(model, uid)} ` : ''
  const title = nameComponent(item, uid, model)
  return title === '' ? `${kind}${index + 1}` : `${kind}${index + 1}, ${title}`
}
