// Shows the file with its diagnostics and the changes an edit would make, and saves it if allowed.

import { useEffect, useRef, useState } from 'preact/hooks'
import type { PlannedText, ShownFile } from '../../described.ts'
import type { Editor } from '../editor/editor.ts'
import type { PageProps } from '../frame.tsx'
import { useLive } from '../live.ts'
import { Report } from '../parts/report.tsx'
import { ask } from '../server.ts'

export default function FilePage({ route }: PageProps) {
  const place = useRef<HTMLDivElement>(null)
  const editor = useRef<Editor | undefined>(undefined)
  const [shown, setShown] = useState<ShownFile>()
  const [plan, setPlan] = useState<PlannedText>()
  const [edited, setEdited] = useState(false)
  const [said, setSaid] = useState<{ readonly text: string; readonly wrong: boolean }>()
  const { readings, file: path } = useLive()
  const last = readings.at(-1)?.at
  const line = Number(route.query.get('line') ?? 1)

  const refuse = (error: Error): void => setSaid({ text: error.message, wrong: true })
  const load = async (): Promise<void> => {
    const [file, schema, { openEditor }] = await Promise.all([
      ask<ShownFile>('file'),
      ask<object>('schema'),
      import('../editor/editor.ts'),
    ])
    setShown(file)
    setEdited(false)
    setPlan(undefined)
    if (place.current === null) return
    editor.current?.close()
    editor.current = openEditor({
      parent: place.current,
      text: file.text,
      readOnly: !file.edit,
      schema,
      check: async (text) => {
        const next = file.edit ? await ask<PlannedText>('plan', { text }) : await ask<PlannedText>('file')
        if (file.edit) setPlan(next)
        return next.diagnostics
      },
      onEdit: () => setEdited(true),
    })
    editor.current.goTo(line)
  }
  useEffect(() => {
    if (!edited) load().catch(refuse)
  }, [last])
  useEffect(() => () => editor.current?.close(), [])
  useEffect(() => editor.current?.goTo(line), [line])

  const save = async (): Promise<void> => {
    const text = editor.current?.text() ?? ''
    try {
      const { hash } = await ask<{ hash: string }>('file', { text, hash: shown?.hash }, 'PUT')
      setShown(shown && { ...shown, text, hash })
      setEdited(false)
      setSaid({ text: 'Saved. The server now uses this file.', wrong: false })
    } catch (error) {
      refuse(error as Error)
    }
  }
  return (
    <>
      <h1>{path ?? 'The configuration'}</h1>
      {shown?.edit === false && (
        <p class="quiet">
          Read-only, with secrets masked. To edit the file here, add <code>console: {'{ edit: true }'}</code>{' '}
          to it.
        </p>
      )}
      {shown?.edit === true && (
        <div class="toolbar">
          <button type="button" class="main" disabled={!edited || plan?.changes === undefined} onClick={save}>
            Save
          </button>
          {edited && (
            <button type="button" onClick={() => load().catch(refuse)}>
              Discard changes
            </button>
          )}
        </div>
      )}
      {said !== undefined && (
        <p class={`notice ${said.wrong ? 'wrong' : 'right'}`} role={said.wrong ? 'alert' : 'status'}>
          {said.text}
        </p>
      )}
      {edited && plan !== undefined && <PlanView plan={plan} />}
      <div class="editor" ref={place} />
    </>
  )
}

function PlanView({ plan: { report, changes, widenings } }: { readonly plan: PlannedText }) {
  return (
    <section class={`notice ${changes === undefined ? 'wrong' : ''}`} aria-label="Effect of the edit">
      {report !== '' && <Report text={report} />}
      {changes !== undefined && (
        <>
          <h2>Changes to the database when you save</h2>
          {changes.length === 0 && <p>None.</p>}
          <ul class="plain mono">
            {changes.map(({ mark, text, destructive }) => (
              <li class={destructive ? 'error' : ''}>
                {mark} {text}
              </li>
            ))}
          </ul>
        </>
      )}
      {widenings.length > 0 && (
        <>
          <h2 class="warning">More access is granted</h2>
          <ul class="plain">
            {widenings.map((sentence) => (
              <li>{sentence}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
