// Edits a blocks attribute in an editor, which is loaded on first use, or as JSON.

import { useEffect, useState } from 'preact/hooks'
import type { Model } from '../../described.ts'
import { JsonInput } from './json-input.tsx'
import { Blocks, Preview } from './preview.tsx'

interface BlocksProps {
  readonly id: string
  readonly label: string
  readonly model: Model
  readonly value: unknown
  readonly disabled: boolean
  readonly invalid: boolean
  onChange(value: unknown): void
}

type Editor = typeof import('../blocks/block-editor.tsx')['default']

export function BlocksInput(props: BlocksProps) {
  const { id, label, value, disabled, onChange } = props
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
        JSON<span class="hidden"> of {label}</span>
      </button>
      {asText ? (
        <JsonInput {...{ id, value, disabled, onChange }} />
      ) : Editor === undefined ? (
        <p class="quiet">Loading the editor …</p>
      ) : (
        <Editor.Component {...props} />
      )}
      <Preview>{() => <Blocks value={value} />}</Preview>
    </>
  )
}
