// Ask: a question to the API, clicked together or written, in anybody's name, with the SQL that answered it.

import { useEffect, useState } from 'preact/hooks'
import type { Answer } from '../../src/console/described.ts'
import { AnswerView } from '../ask/answer.tsx'
import { Builder } from '../ask/builder.tsx'
import { addressOf, firstQuestion, graphqlOf } from '../ask/question.ts'
import type { PageProps } from '../frame.tsx'
import { useModel } from '../live.ts'
import { CallerChoice } from '../parts/caller.tsx'
import { Copy } from '../parts/copy.tsx'
import { ask } from '../server.ts'

export default function AskPage({ route }: PageProps) {
  const model = useModel()
  const [name, setName] = useState(route.query.get('type') ?? '')
  const [question, setQuestion] = useState(firstQuestion)
  const [as, setAs] = useState('everything')
  const [kind, setKind] = useState<'rest' | 'graphql'>('rest')
  /** Undefined: as the builder says. */
  const [written, setWritten] = useState<string>()
  const [answer, setAnswer] = useState<Answer>()
  const [error, setError] = useState<string>()
  const types = model?.types.filter(({ own }) => own) ?? []
  const type = types.find((one) => one.name === name) ?? types[0]
  const made =
    model === undefined || type === undefined
      ? ''
      : kind === 'rest'
        ? addressOf(type, question)
        : graphqlOf(type, question, model)
  const text = written ?? made

  useEffect(() => setWritten(undefined), [made])
  if (model === undefined) return <p class="quiet">Loading …</p>
  if (type === undefined) return <p>The file declares no content-type.</p>

  const send = async (): Promise<void> => {
    setError(undefined)
    const asked =
      kind === 'rest'
        ? { as, path: text }
        : { as, path: model.graphql, method: 'POST', body: { query: text } }
    try {
      setAnswer(await ask<Answer>('ask', asked))
    } catch (fault) {
      setError((fault as Error).message)
    }
  }
  return (
    <>
      <h1>Ask</h1>
      <div class="split even">
        <div>
          <div class="toolbar">
            <label>
              Content-type
              <select
                value={type.name}
                onChange={(event) => {
                  setName(event.currentTarget.value)
                  setQuestion(firstQuestion)
                }}
              >
                {types.map((one) => (
                  <option value={one.name}>{one.displayName}</option>
                ))}
              </select>
            </label>
            <CallerChoice value={as} onChange={setAs} />
          </div>
          <Builder type={type} model={model} question={question} onChange={setQuestion} />
        </div>
        <div>
          <form
            onSubmit={(event) => {
              event.preventDefault()
              void send()
            }}
          >
            <div class="toolbar">
              {model.graphql !== undefined && (
                <label>
                  Through
                  <select
                    value={kind}
                    onChange={(event) => setKind(event.currentTarget.value as 'rest' | 'graphql')}
                  >
                    <option value="rest">REST</option>
                    <option value="graphql">GraphQL</option>
                  </select>
                </label>
              )}
              <button type="submit" class="main">
                Ask
              </button>
              {kind === 'rest' ? (
                <>
                  <Copy label="Copy the address" text={`${location.origin}${text}`} />
                  <Copy label="curl" text={`curl -g '${location.origin}${text}'`} />
                </>
              ) : (
                <>
                  <Copy label="Copy" text={text} />
                  <a href={`${model.graphql}?query=${encodeURIComponent(text)}`}>Open in GraphiQL</a>
                </>
              )}
            </div>
            <label>
              <span class="hidden">The question</span>
              <textarea
                class={`mono ${kind === 'rest' ? '' : 'tall'}`}
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
          {answer !== undefined && <AnswerView answer={answer} />}
        </div>
      </div>
    </>
  )
}
