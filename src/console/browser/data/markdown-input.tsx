// Edits Markdown with buttons for its marks, and shows what it becomes beside the text.

import type { IconNode } from 'lucide'
import { Bold, Eye, Heading2, Image, Italic, Link, List } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import type { Edited, TextEditor } from '../editor/text-editor.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { CodeInput } from './code-input.tsx'
import type { InputProps } from './labelled.tsx'
import { MediaDialog } from './media-dialog.tsx'
import { RichText } from './preview.tsx'

interface MarkdownProps {
  readonly input: InputProps
  readonly label: string
  readonly model: Model
  readonly placeholder: string | undefined
  readonly text: string
  onChange(text: string): void
}

export function MarkdownInput({ input, label, model, placeholder, text, onChange }: MarkdownProps) {
  const editor = useRef<TextEditor>(undefined)
  const [isPreviewed, setIsPreviewed] = useState(false)
  const [isChoosing, setIsChoosing] = useState(false)
  const wrap = (mark: string) => (): void =>
    editor.current?.edit((selected) => {
      const inner = selected === '' ? say('text') : selected
      return { text: `${mark}${inner}${mark}`, from: mark.length, to: mark.length + inner.length }
    })
  const begin = (mark: string) => (): void =>
    editor.current?.editLines((line) =>
      line.startsWith(mark) ? line.slice(mark.length) : `${mark}${line.replace(/^#{1,6} /, '')}`,
    )
  const insertLink = (): void => editor.current?.edit(toLink)
  const actions: readonly (readonly [name: string, icon: IconNode, act: () => void])[] = [
    [say('Bold'), Bold, wrap('**')],
    [say('Italic'), Italic, wrap('*')],
    [say('Heading'), Heading2, begin('## ')],
    [say('List'), List, begin('- ')],
    [say('Link'), Link, insertLink],
    ...(model.uploads ? [[say('Image'), Image, () => setIsChoosing(true)] as const] : []),
  ]
  return (
    <div class={isPreviewed ? 'markdown previewed' : 'markdown'}>
      <div class="markdown-head" role="group" aria-label={say('Formats of {label}', { label })}>
        {actions.map(([name, icon, act]) => (
          <button type="button" class="small quiet-button" title={name} aria-label={name} onClick={act}>
            <Icon of={icon} />
          </button>
        ))}
        <button
          type="button"
          class="small quiet-button end"
          aria-pressed={isPreviewed}
          onClick={() => setIsPreviewed(!isPreviewed)}
        >
          <Icon of={Eye} /> {say('Preview')}
        </button>
      </div>
      <div class="markdown-body">
        <CodeInput
          {...{ input, label, text, placeholder, editor }}
          language="markdown"
          keys={{ 'Mod-b': wrap('**'), 'Mod-i': wrap('*'), 'Mod-k': insertLink }}
          onText={onChange}
        />
        {isPreviewed && (
          <section class="markdown-preview" aria-label={say('Preview of {label}', { label })}>
            <RichText text={text} />
          </section>
        )}
      </div>
      {isChoosing && (
        <MediaDialog
          title={say('An image for {label}', { label })}
          model={model}
          kinds={['images']}
          many={false}
          onClose={() => setIsChoosing(false)}
          onChoose={([file]) => {
            setIsChoosing(false)
            if (file === undefined) return
            const written = `![${file.alternativeText || file.name}](${file.url})`
            editor.current?.edit(() => ({ text: written, from: written.length, to: written.length }))
          }}
        />
      )}
    </div>
  )
}

/** The address is selected, so that it can be typed. */
function toLink(selected: string): Edited {
  const name = selected === '' ? say('text') : selected
  const start = name.length + 3
  return { text: `[${name}](https://)`, from: start, to: start + 'https://'.length }
}
