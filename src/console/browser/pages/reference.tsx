// Shows the OpenAPI document and sends its requests.

import { useEffect, useState } from 'preact/hooks'
import type { RequestResult } from '../../described.ts'
import { ResponseView } from '../ask/response.tsx'
import { useLive } from '../live.ts'
import { CallerChoice } from '../parts/caller.tsx'
import {
  type Document,
  formatSchema,
  listOperations,
  type Operation,
  type Schema,
} from '../reference/document.ts'
import { ask } from '../server.ts'

export default function ReferencePage() {
  const { generation } = useLive()
  const [document, setDocument] = useState<Document>()
  const [only, setOnly] = useState('')
  const [as, setAs] = useState('everything')
  const [error, setError] = useState<string>()
  useEffect(() => {
    let current = true
    readDocument(as).then(
      (read) => {
        if (!current) return
        setDocument(read)
        setError(undefined)
      },
      (fault: Error) => current && setError(fault.message),
    )
    return () => {
      current = false
    }
  }, [generation, as])
  if (error !== undefined) return <p class="notice wrong">{error}</p>
  if (document === undefined) return <p class="quiet">Loading …</p>
  const groups = Map.groupBy(
    listOperations(document).filter(({ method, path, summary }) =>
      `${method} ${path} ${summary}`.toLowerCase().includes(only.toLowerCase()),
    ),
    ({ tag }) => tag,
  )
  return (
    <>
      <h1>Reference</h1>
      <div class="toolbar">
        <label>
          Filter
          <input type="search" value={only} onInput={(event) => setOnly(event.currentTarget.value)} />
        </label>
        <CallerChoice value={as} onChange={setAs} />
        <a href="/openapi.json">OpenAPI {document.openapi}</a>
      </div>
      {[...groups].map(([tag, operations]) => (
        <section class="operations" aria-label={tag}>
          <h2>{tag}</h2>
          {operations.map((operation) => (
            <OperationView key={`${operation.method} ${operation.path}`} {...{ operation, document, as }} />
          ))}
        </section>
      ))}
    </>
  )
}

/** With examples that the caller may see. */
async function readDocument(as: string): Promise<Document> {
  const { token } = await ask<{ token?: string }>('token', { as })
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  const response = await fetch('/openapi.json', { cache: 'no-store', headers })
  if (!response.ok) throw new Error(`/openapi.json: the server answered ${response.status}`)
  return (await response.json()) as Document
}

interface OperationProps {
  readonly operation: Operation
  readonly document: Document
  readonly as: string
}

function OperationView(props: OperationProps) {
  const { method, path, summary, open } = props.operation
  const [shown, setShown] = useState(false)
  return (
    <details class="operation" onToggle={(event) => setShown(event.currentTarget.open)}>
      <summary>
        <span class={`method ${method.toLowerCase()}`}>{method}</span> <code>{path}</code>{' '}
        <span class="quiet">{summary}</span>
        {open && <span class="tag good">public</span>}
      </summary>
      {shown && <Inside {...props} />}
    </details>
  )
}

function Inside({ operation, document, as }: OperationProps) {
  const { method, path, parameters, body, answer: response } = operation
  const [values, setValues] = useState<Readonly<Record<string, string>>>(
    Object.fromEntries(
      parameters.flatMap(({ name, example }) => (example === undefined ? [] : [[name, String(example)]])),
    ),
  )
  const [text, setText] = useState(
    body === undefined ? '' : JSON.stringify(body.example ?? { data: {} }, undefined, 2),
  )
  const [given, setGiven] = useState<RequestResult>()
  const [error, setError] = useState<string>()
  const send = async (): Promise<void> => {
    setError(undefined)
    const filled = path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''))
    const query = parameters
      .filter((one) => one.in === 'query' && (values[one.name] ?? '') !== '')
      .map(({ name }) => `${name}=${encodeURIComponent(values[name] ?? '')}`)
      .join('&')
    try {
      const sent = body === undefined || text.trim() === '' ? {} : { body: JSON.parse(text) as unknown }
      setGiven(
        await ask<RequestResult>('ask', {
          as,
          method,
          path: `${filled}${query === '' ? '' : `?${query}`}`,
          ...sent,
        }),
      )
    } catch (fault) {
      setError((fault as Error).message)
    }
  }
  return (
    <div class="inside">
      {parameters.length > 0 && (
        <table>
          <caption class="hidden">Parameters</caption>
          <tbody>
            {parameters.map(({ name, in: place, description, required, schema }) => (
              <tr>
                <th scope="row">
                  <label for={`${method}${path}${name}`}>
                    <code>{name}</code>
                    {required === true && <span class="required"> *</span>}
                  </label>
                </th>
                <td>
                  <input
                    id={`${method}${path}${name}`}
                    placeholder={place}
                    value={values[name] ?? ''}
                    onInput={(event) => setValues({ ...values, [name]: event.currentTarget.value })}
                  />
                </td>
                <td class="quiet">
                  {description} <code>{schema === undefined ? '' : formatSchema(schema, document, 1)}</code>
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
      {body !== undefined && (
        <div class="split even">
          <label>
            Body
            <textarea
              class="mono tall"
              spellcheck={false}
              value={text}
              onInput={(event) => setText(event.currentTarget.value)}
            />
          </label>
          <SchemaView title="Schema" schema={body.schema ?? {}} document={document} />
        </div>
      )}
      <p>
        <button type="button" class="main" onClick={() => void send()}>
          Try it
        </button>
      </p>
      {error !== undefined && <p class="notice wrong">{error}</p>}
      {given !== undefined && <ResponseView response={given} />}
      {response !== undefined && (
        <div class="split even">
          <SchemaView title="Response" schema={response.schema ?? {}} document={document} />
          {response.example !== undefined && (
            <div>
              <h3>Example</h3>
              <pre class="box" tabIndex={0}>
                {JSON.stringify(response.example, undefined, 2)}
              </pre>
            </div>
          )}
        </div>
      )}
    </div>
  )
}

function SchemaView({
  title,
  schema,
  document,
}: {
  readonly title: string
  readonly schema: Schema
  readonly document: Document
}) {
  return (
    <div>
      <h3>{title}</h3>
      <pre class="box" tabIndex={0}>
        {formatSchema(schema, document, 5)}
      </pre>
    </div>
  )
}
