// Finds an entry that a relation leads to, by a search on the server.

import { useEffect, useState } from 'preact/hooks'
import type { Attribute, Entry, Model } from '../../described.ts'
import { say } from '../messages.ts'
import { api } from '../server.ts'
import { getTitle } from './columns.ts'
import { searchEntries } from './load.ts'
import { getType, queryText } from './values.ts'

interface ChoiceProps {
  readonly attribute: Attribute
  readonly model: Model
  /** The key that is chosen already. */
  readonly value: string
  /** `isDocument`: the key is a documentId. */
  onChoose(key: string, isDocument: boolean): void
}

const MAX_FOUND = 8

export function EntryChoice({ attribute, model, value, onChoose }: ChoiceProps) {
  const [text, setText] = useState('')
  const [found, setFound] = useState<readonly Entry[]>()
  const [error, setError] = useState<string>()
  const type = getType(model, attribute.target)
  useEffect(() => {
    let current = true
    findEntries(attribute, model, text).then(
      (entries) => current && setFound(entries),
      (fault: Error) => current && setError(fault.message),
    )
    return () => {
      current = false
    }
  }, [text])
  return (
    <>
      <label>
        {type?.displayName ?? say('Entry')}
        <input
          type="search"
          placeholder={say('Search')}
          autocomplete="off"
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
      </label>
      <ul class="choice-list" aria-label={say('Entries for {name}', { name: attribute.label })}>
        {found?.map((entry) => {
          // A draft and its published version have different numbers, but one documentId.
          const isDocument = type?.own === true && entry['documentId'] !== undefined
          const key = String(isDocument ? entry['documentId'] : entry.id)
          return (
            <li>
              <button type="button" aria-pressed={key === value} onClick={() => onChoose(key, isDocument)}>
                {getTitle(type, entry)}
              </button>
            </li>
          )
        })}
        {found?.length === 0 && <li class="quiet">{say('Nothing found')}</li>}
      </ul>
      {error !== undefined && (
        <p class="error" role="alert">
          {error}
        </p>
      )}
    </>
  )
}

async function findEntries({ target }: Attribute, model: Model, text: string): Promise<readonly Entry[]> {
  const type = getType(model, target)
  if (type === undefined) return []
  if (type.path !== undefined) return (await searchEntries(type, model, text, 1, MAX_FOUND)).entries
  // Only users remain: other content-types of plugins are no targets of relations here.
  const query = queryText({
    filters: { username: { $containsi: text } },
    sort: 'username:asc',
    limit: MAX_FOUND,
  })
  return api<readonly Entry[]>(`${model.prefix}/users?${query}`)
}
