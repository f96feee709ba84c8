// What developers want to know: the addresses of the API, the file, the database and the server.

import type { Home, Model, Type } from '../../described.ts'
import { useLive } from '../live.ts'
import { Copy } from '../parts/copy.tsx'
import { Readings } from '../parts/readings.tsx'

interface FactsProps {
  readonly home: Home
  readonly model: Model
}

export function DeveloperFacts({ home, model }: FactsProps) {
  const { readings, processes } = useLive()
  const types = model.types.filter(({ own }) => own)
  return (
    <section class="developers" aria-labelledby="for-developers">
      <h2 id="for-developers">For developers</h2>
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
    </section>
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
