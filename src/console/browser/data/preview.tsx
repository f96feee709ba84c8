// A preview of richtext and blocks, made of elements, never of HTML from the text.

import type { ComponentChildren, JSX } from 'preact'
import { useState } from 'preact/hooks'
import { say } from '../messages.ts'

export function Preview({ children }: { children(): ComponentChildren }) {
  const [open, setOpen] = useState(false)
  return (
    <details class="preview" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>{say('Preview')}</summary>
      {open && children()}
    </details>
  )
}

export function RichText({ text }: { readonly text: string }) {
  const parts = text.split(/\n{2,}/).map((part) => part.trim())
  return (
    <div class="prose">
      {parts.map((part) => {
        const heading = /^(#{1,6}) (.*)$/s.exec(part)
        if (heading !== null) return <p class="heading">{inline(heading[2] ?? '')}</p>
        if (/^([-*]|\d+\.) /.test(part))
          return (
            <ul>
              {part.split('\n').map((line) => (
                <li>{inline(line.replace(/^\s*([-*]|\d+\.) /, ''))}</li>
              ))}
            </ul>
          )
        if (part.startsWith('>')) return <blockquote>{inline(part.replaceAll(/^> ?/gm, ''))}</blockquote>
        return <p>{inline(part)}</p>
      })}
    </div>
  )
}

const INLINE = /(\*\*[^*]+\*\*|\*[^*]+\*|_[^_]+_|`[^`]+`|!?\[[^\]]*\]\([^)\s]+\))/

function inline(text: string): ComponentChildren {
  return text.split(INLINE).map((piece): ComponentChildren => {
    if (/^\*\*.+\*\*$/s.test(piece)) return <strong>{piece.slice(2, -2)}</strong>
    if (/^(\*|_).+\1$/s.test(piece)) return <em>{piece.slice(1, -1)}</em>
    if (/^`.+`$/s.test(piece)) return <code>{piece.slice(1, -1)}</code>
    const link = /^!?\[([^\]]*)\]\(([^)\s]+)\)$/.exec(piece)
    return link === null ? piece : <u title={link[2]}>{link[1] === '' ? link[2] : link[1]}</u>
  })
}

interface Block {
  readonly type?: string
  readonly text?: string
  readonly level?: number
  readonly format?: string
  readonly url?: string
  readonly bold?: boolean
  readonly italic?: boolean
  readonly underline?: boolean
  readonly strikethrough?: boolean
  readonly code?: boolean
  readonly image?: { readonly url?: string; readonly alternativeText?: string | null; readonly name?: string }
  readonly children?: readonly Block[]
}

export function Blocks({ value }: { readonly value: unknown }) {
  const blocks = Array.isArray(value) ? (value as readonly Block[]) : []
  return <div class="prose">{blocks.map(drawn)}</div>
}

function drawn(block: Block): JSX.Element {
  const inner = block.children?.map(drawn)
  switch (block.type) {
    case 'heading':
      return (
        <p class="heading" data-level={block.level}>
          {inner}
        </p>
      )
    case 'list':
      return block.format === 'ordered' ? <ol>{inner}</ol> : <ul>{inner}</ul>
    case 'list-item':
      return <li>{inner}</li>
    case 'quote':
      return <blockquote>{inner}</blockquote>
    case 'code':
      return <pre>{inner}</pre>
    case 'link':
      return <u title={block.url}>{inner}</u>
    case 'image': {
      const { url = '', alternativeText, name = '' } = block.image ?? {}
      // Shows images of this server only, so that the page contacts no other host.
      return (
        <p>{/^\/(?!\/)/.test(url) ? <img src={url} alt={alternativeText || name} /> : `${name} (${url})`}</p>
      )
    }
    case 'text': {
      let text = block.code === true ? <code>{block.text}</code> : <span>{block.text}</span>
      if (block.strikethrough === true) text = <s>{text}</s>
      if (block.underline === true) text = <u>{text}</u>
      if (block.italic === true) text = <em>{text}</em>
      return block.bold === true ? <strong>{text}</strong> : text
    }
    default:
      return <p>{inner}</p>
  }
}
