// Shows the served API and the state of the file, the database and the server.

import type { Home, Model, OfProcess, Reading, Type } from '../../described.ts'
import { useAsked, useLive, useModel } from '../live.ts'
import { Copy } from '../parts/copy.tsx'

export default function HomePage() {
  const { value: home, error } = useAsked<Home>('home')
  const model = useModel()
  const { readings, processes } = useLive()
  if (error !== undefined) return <p class="notice wrong">{error}</p>
  if (home === undefined || model === undefined) return <p class="quiet">Loading …</p>
  const types = model.types.filter(({ own }) => own)
  return (
    <>
      <h1>{location.host}</h1>
      <div class="scroll">
        <table>
          <caption class="hidden">Content-types</caption>
          <thead>
            <tr>
              <th scope="col">Content-type</th>
              <th scope="col" class="number">
                Entries
              </th>
              <th scope="col">Address</th>
              <th scope="col">Copy as</th>
            </tr>
          </thead>
          <tbody>
            {types.map((type) => (
              <TypeRow type={type} model={model} count={home.counts[type.uid]} />
            ))}
          </tbody>
        </table>
      </div>
      <div class="cards">
        <section class="card">
          <h2>File</h2>
          <p>
            <a href="#/file">{home.file ?? 'an object'}</a>
          </p>
          <Readings readings={readings.slice(-5).toReversed()} />
        </section>
        <section class="card">
          <h2>Server</h2>
          <dl>
            <dt>Database</dt>
            <dd>
              {home.database.client}
              {home.database.durable ? '' : ' (content ends with the process)'}
            </dd>
            <dt>Transport</dt>
            <dd>{home.transport === 'uws' ? 'uWebSockets.js' : 'node:http'}</dd>
            {processes > 1 && (
              <>
                <dt>Processes</dt>
                <dd>{processes}</dd>
              </>
            )}
            <dt>Environment</dt>
            <dd>{home.environment}</dd>
            <dt>OpenAPI</dt>
            <dd>
              <a href="/openapi.json">/openapi.json</a>
            </dd>
            <dt>GraphQL</dt>
            <dd>{home.graphql === undefined ? 'off' : <a href={home.graphql}>{home.graphql}</a>}</dd>
          </dl>
        </section>
        <section class="card">
          <h2>Roles</h2>
          <ul>
            {home.roles.map(({ type, description }) => (
              <li>
                <a href={`#/access?who=role:${type}`}>{type}</a> {description}
              </li>
            ))}
          </ul>
        </section>
      </div>
    </>
  )
}

function TypeRow({
  type,
  count,
  model: { graphql, dialect },
}: {
  readonly type: Type
  readonly count: number | undefined
  readonly model: Model
}) {
  const { path = '', kind } = type
  const url = `${location.origin}${path}`
  const ids = dialect === 'strapi-5' ? 'documentId' : 'data { id }'
  const query =
    kind === 'singleType'
      ? `{ ${type.graphqlOne} { ${ids} } }`
      : `{ ${type.graphqlMany}(pagination: { pageSize: 3 }) { ${ids} } }`
  return (
    <tr>
      <td>
        <a href={`#/data/${type.name}`}>{type.displayName}</a>
        {kind === 'singleType' && <span class="tag">single</span>}
      </td>
      <td class="number">{count}</td>
      <td>
        <a href={path}>
          <code>{path}</code>
        </a>
      </td>
      <td class="buttons">
        <Copy label="curl" text={`curl -g '${url}'`} />
        <Copy label="fetch" text={`await (await fetch('${url}')).json()`} />
        {graphql !== undefined && <Copy label="GraphQL" text={query} />}
      </td>
    </tr>
  )
}

const OUTCOMES: Readonly<Record<Reading['outcome'], string>> = {
  started: 'started',
  reloaded: 'reloaded',
  rejected: 'refused: it has errors',
  held: 'held until it is read again',
  unchanged: 'nothing changed',
}

export function Readings({ readings }: { readonly readings: readonly (Reading & OfProcess)[] }) {
  const { processes } = useLive()
  return (
    <ul class="readings">
      {readings.map(({ at, outcome, ms, process }) => (
        <li class={outcome === 'rejected' ? 'error' : ''}>
          <time dateTime={new Date(at).toISOString()}>{new Date(at).toLocaleTimeString()}</time>{' '}
          {OUTCOMES[outcome]}
          {ms !== undefined && ` in ${ms.toFixed(0)} ms`}
          {processes > 1 && <span class="kind"> process {process}</span>}
        </li>
      ))}
    </ul>
  )
}
