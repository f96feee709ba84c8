// The buttons of the block editor: one Tab stop, with arrow keys between buttons.

import type { ComponentChildren } from 'preact'
import { useRef, useState } from 'preact/hooks'
import { toggleMark } from 'prosemirror-commands'
import type { Command, EditorState } from 'prosemirror-state'
import { say } from '../messages.ts'
import {
  getKindAt,
  type Kind,
  linkAt,
  moveBlock,
  nameKinds,
  nestItem,
  setKind,
  unnestItem,
} from './commands.ts'
import { type Style, schema } from './schema.ts'

function listStyles(): readonly (readonly [Style, name: string, shown: ComponentChildren])[] {
  return [
    ['bold', say('Bold'), <strong>B</strong>],
    ['italic', say('Italic'), <em>I</em>],
    ['underline', say('Underline'), <u>U</u>],
    ['strikethrough', say('Strikethrough'), <s>S</s>],
    ['code', say('Code within the text'), <code>{'<>'}</code>],
  ]
}

interface Button {
  readonly name: string
  readonly shown: ComponentChildren
  readonly pressed?: boolean
  readonly disabled?: boolean
  act(): void
}

interface ToolbarProps {
  readonly state: EditorState
  readonly label: string
  readonly controls: string
  readonly history: { readonly undo: Command; readonly redo: Command }
  run(command: Command, focus?: boolean): void
  onLink(): void
  readonly onImage: (() => void) | undefined
}

export function Toolbar({ state, label, controls, history, run, onLink, onImage }: ToolbarProps) {
  const bar = useRef<HTMLDivElement>(null)
  const [current, setCurrent] = useState(0)
  const kind = getKindAt(state)
  const command = (name: string, shown: string, action: Command): Button => ({
    name,
    shown,
    disabled: !action(state),
    act: () => run(action),
  })
  const buttons: readonly Button[] = [
    ...listStyles().map(
      ([style, name, shown]): Button => ({
        name,
        shown,
        pressed: hasStyle(state, style),
        act: () => run(toggleMark(schema.marks[style])),
      }),
    ),
    {
      name: say('Link'),
      shown: say('Link'),
      pressed: linkAt(state) !== undefined,
      disabled: kind === 'code',
      act: onLink,
    },
    ...(onImage === undefined ? [] : [{ name: say('Image'), shown: say('Image'), act: onImage }]),
    ...(kind === 'ordered' || kind === 'unordered'
      ? [command(say('Nest the item'), '⇥', nestItem), command(say('Unnest the item'), '⇤', unnestItem)]
      : []),
    command(say('Move up'), '↑', moveBlock(-1)),
    command(say('Move down'), '↓', moveBlock(1)),
    command(say('Undo'), '↶', history.undo),
    command(say('Redo'), '↷', history.redo),
  ]
  const stop = Math.min(current, buttons.length - 1)
  const goTo = (index: number): void => {
    setCurrent(index)
    bar.current?.querySelectorAll('button')[index]?.focus()
  }
  const steps: Readonly<Record<string, number>> = {
    ArrowRight: (stop + 1) % buttons.length,
    ArrowLeft: (stop + buttons.length - 1) % buttons.length,
    Home: 0,
    End: buttons.length - 1,
  }
  return (
    <div class="blocks-head">
      <select
        aria-label={say('Kind of block in {label}', { label })}
        value={kind ?? ''}
        disabled={kind === undefined}
        onChange={(event) => run(setKind(event.currentTarget.value as Kind), false)}
      >
        {kind === undefined && <option value="">—</option>}
        {Object.entries(nameKinds()).map(([name, words]) => (
          <option value={name}>{words}</option>
        ))}
      </select>
      <div
        ref={bar}
        class="buttons"
        role="toolbar"
        aria-label={say('Formats of {label}', { label })}
        aria-controls={controls}
        onKeyDown={(event) => {
          const next = steps[event.key]
          if (next === undefined) return
          event.preventDefault()
          goTo(next)
        }}
      >
        {buttons.map(({ name, shown, pressed, disabled = false, act }, index) => (
          <button
            type="button"
            class="small"
            title={name}
            aria-label={name}
            aria-pressed={pressed}
            // A disabled button stays focusable, so that arrow keys can reach it.
            aria-disabled={disabled}
            tabIndex={index === stop ? 0 : -1}
            onMouseDown={(event) => event.preventDefault()}
            onClick={() => {
              setCurrent(index)
              if (!disabled) act()
            }}
          >
            {shown}
          </button>
        ))}
      </div>
    </div>
  )
}

function hasStyle({ selection, storedMarks, doc }: EditorState, style: Style): boolean {
  const type = schema.marks[style]
  const { from, to, empty, $from } = selection
  return empty ? type.isInSet(storedMarks ?? $from.marks()) !== undefined : doc.rangeHasMark(from, to, type)
}
