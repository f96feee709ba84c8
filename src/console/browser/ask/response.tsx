// Shows a response of the API with its statements and their plans.

import type { RequestResult } from '../../described.ts'
import { formatPretty } from '../parts/pretty.ts'

export function ResponseView({ response }: { readonly response: RequestResult }) {
  const { status, text, ms, kept, statements } = response
  return (
    <section aria-label="Answer" class="answer">
      <p role="status">
        <strong class={status >= 400 ? 'error' : 'good'}>{status}</strong> in {ms.toFixed(1)} ms ·{' '}
        {statements.length} {statements.length === 1 ? 'statement' : 'statements'}
        {kept && ' · cached: the statements are those of an earlier request'}
      </p>
      <pre class="box" tabIndex={0}>
        {formatPretty(text)}
      </pre>
      {statements.length > 0 && <h2>SQL</h2>}
      {statements.map(({ sql, ms: took, plan, withoutPlan }) => (
        <div class="statement">
          <pre class="sql" tabIndex={0}>
            {sql}
          </pre>
          <p class="quiet">{took.toFixed(2)} ms</p>
          {withoutPlan !== undefined && <p class="quiet">No plan: {withoutPlan}.</p>}
          {plan !== undefined && (
            <ul class="plan mono">
              {plan.map((line) => (
                <Step line={line} />
              ))}
            </ul>
          )}
        </div>
      ))}
    </section>
  )
}

/** SQLite: `SCAN articles`, `SEARCH articles USING INDEX …`; PostgreSQL: `Seq Scan on articles`, `Index Scan using …`. */
function Step({ line }: { readonly line: string }) {
  const index =
    /USING (?:COVERING )?INDEX (\S+)|(?:Index|Bitmap Index)(?: Only)? Scan (?:using|on) (\S+)/.exec(line)
  const rowid = /USING INTEGER PRIMARY KEY/.test(line)
  const whole = /^SCAN (?!CONSTANT)(\S+)$|Seq Scan on (\S+)/.exec(line.trim())
  return (
    <li>
      {line} {(index !== null || rowid) && <span class="tag good">index</span>}
      {whole !== null && (
        <span
          class="tag warning"
          title="An index on what is filtered or sorted by would be used where it helps: docs/reference/attributes.md"
        >
          every row
        </span>
      )}
      {/USE TEMP B-TREE FOR ORDER BY/.test(line) && <span class="tag warning">sorted without an index</span>}
    </li>
  )
}
