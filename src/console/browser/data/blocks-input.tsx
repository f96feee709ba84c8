// Edits a blocks attribute in an editor, which is loaded on first use, or as JSON.

import { useEffect, useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { say } from '../messages.ts'
import { JsonInput } from './json-input.tsx'
import type { InputProps } from './labelled.tsx'
import { Blocks, Preview } from './preview.tsx'

interface BlocksProps {
  readonly input: InputProps
  readonly label: string
  readonly model: Model
  readonly value: unknown
  onChange(value: unknown): void
}

type Editor = typeof import('../blocks/block-editor.tsx')['default']

export function BlocksInput(props: BlocksProps) {
  const { input, label, value, onChange } = props
  const [asText, setAsText] = useState(false)
  const [Editor, setEditor] = useState<{ readonly Component: Editor }>()
  useEffect(() => {
    import('../blocks/block-editor.tsx').then(
      (module) => setEditor({ Component: module.default }),
      () => setAsText(true),
    )
  }, [])
  return (
    <>
      <button type="button" class="small mode" aria-pressed={asText} onClick={() => setAsText(!asText)}>
        JSON<span class="hidden"> {say('of {label}', { label })}</span>
      </button>
      {asText ? (
        <JsonInput {...{ input, label, value, onChange }} />
      ) : Editor === undefined ? (
        <p class="quiet">{say('Loading the editor …')}</p>
      ) : (
        <Editor.Component {...props} />
      )}
      <Preview>{() => <Blocks value={value} />}</Preview>
    </>
  )
}
