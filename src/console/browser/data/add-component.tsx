// Adds a component to a list; where there are several kinds, a list of them opens first.

import { Plus, X } from 'lucide'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { getComponentName } from './component-names.ts'

interface AddComponentProps {
  readonly choices: readonly string[]
  readonly model: Model
  readonly label: string
  readonly isFull: boolean
  readonly max: number | string | undefined
  onAdd(uid: string): void
}

const STEPS: Readonly<Record<string, number>> = { ArrowUp: -1, ArrowLeft: -1, ArrowDown: 1, ArrowRight: 1 }

export function AddComponent({ choices, model, label, isFull, max, onAdd }: AddComponentProps) {
  const [isOpen, setIsOpen] = useState(false)
  const kinds = useRef<HTMLUListElement>(null)
  const button = useRef<HTMLButtonElement>(null)
  const buttons = (): HTMLElement[] => [...(kinds.current?.querySelectorAll('button') ?? [])]
  useEffect(() => {
    if (isOpen) buttons()[0]?.focus()
  }, [isOpen])
  const [only] = choices
  const close = (): void => {
    setIsOpen(false)
    button.current?.focus()
  }
  return (
    <div
      class="add-component"
      role="group"
      aria-label={say('Add to {label}', { label })}
      onKeyDown={(event) => {
        if (!isOpen) return
        const step = STEPS[event.key]
        if (event.key === 'Escape') close()
        else if (step !== undefined) {
          const all = buttons()
          const at = all.indexOf(document.activeElement as HTMLElement)
          all[(at + step + all.length) % all.length]?.focus()
        } else return
        event.preventDefault()
        event.stopPropagation()
      }}
    >
      <button
        ref={button}
        type="button"
        disabled={isFull}
        title={isFull ? say('There are at most {max}', { max: String(max) }) : undefined}
        aria-expanded={choices.length > 1 ? isOpen : undefined}
        onClick={() => {
          if (choices.length > 1) setIsOpen(!isOpen)
          else if (only !== undefined) onAdd(only)
        }}
      >
        <Icon of={isOpen ? X : Plus} /> {say('Add to {label}', { label })}
      </button>
      {isOpen && (
        <ul class="kinds" ref={kinds} aria-label={say('Kinds for {label}', { label })}>
          {choices.map((uid) => (
            <li>
              <button
                type="button"
                onClick={() => {
                  setIsOpen(false)
                  onAdd(uid)
                }}
              >
                <Icon of={Plus} size={14} /> {getComponentName(model, uid)}
              </button>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
