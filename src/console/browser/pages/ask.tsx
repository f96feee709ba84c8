// Sends a query to the API, built or written, as any caller, and shows its SQL.

import { useEffect, useState } from 'preact/hooks'
import type { Model, RequestResult, Type } from '../../described.ts'
import { Builder } from '../ask/builder.tsx'
import { GraphiqlFrame } from '../ask/graphiql-frame.tsx'
import { toGraphql } from '../ask/graphql.ts'
import { createQuery, getAddress, type RequestDraft } from '../ask/query.ts'
import { ResponseView } from '../ask/response.tsx'
import type { PageProps } from '../frame.tsx'
import { useModel } from '../live.ts'
import { CallerChoice } from '../parts/caller.tsx'
import { Copy } from '../parts/copy.tsx'
import { ModelWait } from '../parts/model-wait.tsx'
import { ask } from '../server.ts'

type Way = 'rest' | 'graphql' | 'graphiql'

export default function AskPage({ route }: PageProps) {
  const model = useModel()
  const [name, setName] = useState(route.query.get('type') ?? '')
  const [query, setQuestion] = useState(createQuery)
  const [as, setAs] = useState('everything')
  const [way, setWay] = useState<Way>('rest')
  if (model === undefined) return <ModelWait />
  const types = model.types.filter(({ own }) => own)
  const type = types.find((one) => one.name === name) ?? types[0]
  if (type === undefined) return <p>The file declares no content-type.</p>
  const inFrame = way === 'graphiql' && model.graphiql
  return (
    <>
      <h1>Ask</h1>
      <div class="toolbar">
        {!inFrame && (
          <label>
            Content-type
            <select
              value={type.name}
              onChange={(event) => {
                setName(event.currentTarget.value)
                setQuestion(createQuery)
              }}
            >
              {types.map((one) => (
                <option value={one.name}>{one.displayName}</option>
              ))}
            </select>
          </label>
        )}
        <CallerChoice value={as} onChange={setAs} />
        {model.graphql !== undefined && (
          <label>
            API
            <select value={way} onChange={(event) => setWay(event.currentTarget.value as Way)}>
              <option value="rest">REST</option>
              <option value="graphql">GraphQL</option>
              {model.graphiql && <option value="graphiql">GraphiQL</option>}
            </select>
          </label>
        )}
      </div>
      {inFrame ? (
        <GraphiqlFrame as={as} query={toGraphql(type, query, model)} />
      ) : (
        <div class="split even">
          <div>
            <Builder type={type} model={model} question={query} onChange={setQuestion} />
          </div>
          <Asking {...{ type, model, question: query, as }} graphql={way === 'graphql'} />
        </div>
      )}
    </>
  )
}

interface AskingProps {
  readonly type: Type
  readonly model: Model
  readonly question: RequestDraft
  readonly as: string
  readonly graphql: boolean
}

function Asking({ type, model, question: query, as, graphql }: AskingProps) {
  const [written, setWritten] = useState<string>()
  const [response, setAnswer] = useState<RequestResult>()
  const [error, setError] = useState<string>()
  const made = graphql ? toGraphql(type, query, model) : getAddress(type, query, model)
  const text = written ?? made
  useEffect(() => setWritten(undefined), [made])

  const send = async (): Promise<void> => {
    setError(undefined)
    const asked = graphql
      ? { as, path: model.graphql, method: 'POST', body: { query: text } }
      : { as, path: text }
    try {
      setAnswer(await ask<RequestResult>('ask', asked))
    } catch (fault) {
      setError((fault as Error).message)
    }
  }
  return (
    <div>
      <form
        onSubmit={(event) => {
          event.preventDefault()
          void send()
        }}
      >
        <div class="toolbar">
          <button type="submit" class="main">
            Ask
          </button>
          {graphql ? (
            <Copy label="Copy" text={text} />
          ) : (
            <>
              <Copy label="Copy URL" text={`${location.origin}${text}`} />
              <Copy label="Copy as curl" text={`curl -g '${location.origin}${text}'`} />
            </>
          )}
        </div>
        <label>
          <span class="hidden">Request</span>
          <textarea
            class={`mono ${graphql ? 'tall' : ''}`}
            spellcheck={false}
            value={text}
            onInput={(event) => setWritten(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void send()
            }}
          />
        </label>
      </form>
      {error !== undefined && (
        <p class="notice wrong" role="alert">
          {error}
        </p>
      )}
      {response !== undefined && <ResponseView response={response} />}
    </div>
  )
}
