// What can be done to the chosen entries, or to all of the view: the bar, its questions, the progress and the result.

import { Copy, EyeOff, PencilLine, Send, Trash2, X } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import type { Entry, Model, Type } from '../../described.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { goTo } from '../route.ts'
import { formatCount } from './cells.tsx'
import { ChangeMany } from './change-many.tsx'
import { getTitle } from './columns.ts'
import { getKey, getPage } from './load.ts'
import { type Progress, runSteps, type StepResult } from './steps.ts'
import { buildPublication, type EntryAction, type Selection, writeMany } from './write.ts'

interface BulkProps {
  readonly type: Type
  readonly model: Model
  readonly chosen: readonly Entry[]
  /** How many entries the view has. */
  readonly total: number
  /** All of the view as one request; undefined if filters cannot say it. */
  readonly whole: Selection | undefined
  readonly isWhole: boolean
  onWhole(): void
  onClear(): void
  /** `left`: entries that stay chosen. */
  onDone(left: readonly Entry[]): void
}

type Result = Omit<StepResult, 'action'> & { readonly words: string; readonly problem?: string }

const WORDS: Readonly<Record<EntryAction, readonly [doing: string, done: string]>> = {
  publish: ['Publishing', 'published'],
  unpublish: ['Unpublishing', 'unpublished'],
  duplicate: ['Duplicating', 'duplicated'],
  delete: ['Deleting', 'deleted'],
}

export function BulkBar(props: BulkProps) {
  const { type, model, chosen, total, whole, isWhole, onWhole, onClear, onDone } = props
  const [progress, setProgress] = useState<Progress>()
  const [result, setResult] = useState<Result>()
  const [asked, setAsked] = useState<'delete' | 'change'>()
  const ending = useRef<AbortController>(undefined)
  const may = (action: string): boolean => type.may.includes(action)
  const count = isWhole ? total : chosen.length
  const nothing = { done: 0, failed: [], left: 0 }

  const run = async (action: EntryAction): Promise<void> => {
    setAsked(undefined)
    setResult(undefined)
    const controller = new AbortController()
    ending.current = controller
    setProgress({ action, done: 0, of: count })
    try {
      if (isWhole && whole !== undefined) {
        const data = action === 'delete' ? undefined : buildPublication(action === 'publish')
        const found = await writeMany(type, model, whole, data, true)
        if (found !== total)
          throw new Error(
            `Meanwhile the view has ${formatCount(found, 'entry', 'entries')}. Nothing was changed.`,
          )
        const done = await writeMany(type, model, whole, data, false)
        setResult({ ...nothing, done, words: WORDS[action][1] })
        onDone([])
      } else {
        const found = await runSteps(type, model, chosen, action, setProgress, controller.signal)
        const left = chosen.slice(chosen.length - found.left)
        setResult({ ...found, words: WORDS[action][1] })
        onDone([...found.failed.map(({ entry }) => entry), ...left])
      }
    } catch (error) {
      setResult({ ...nothing, words: WORDS[action][1], problem: (error as Error).message })
      onDone([])
    }
    setProgress(undefined)
  }
  const [only] = chosen
  // One request publishes by a filter only where the state is an attribute.
  const canPublish =
    type.draftAndPublish && (model.dialect === 'strapi-5' ? may('publish') && !isWhole : may('update'))
  const canUnpublish =
    type.draftAndPublish && (model.dialect === 'strapi-5' ? may('unpublish') && !isWhole : may('update'))
  const offersWhole =
    !isWhole && whole !== undefined && total > chosen.length && (may('updateMany') || may('deleteMany'))
  return (
    <div class="bulk">
      {result !== undefined && <ResultNotice {...{ type, result }} onClose={() => setResult(undefined)} />}
      {progress !== undefined && (
        <div class="bulk-bar" role="group" aria-label="Progress">
          <span role="status">
            {WORDS[progress.action][0]} {progress.done.toLocaleString()} of {progress.of.toLocaleString()}
          </span>
          <progress aria-label="Progress" value={progress.done} max={progress.of} />
          {!isWhole && (
            <button type="button" onClick={() => ending.current?.abort()}>
              Cancel
            </button>
          )}
        </div>
      )}
      {progress === undefined && count > 0 && (
        <div class="bulk-bar" role="group" aria-label="Chosen entries">
          <strong>
            {isWhole ? `All ${total.toLocaleString()} chosen` : `${chosen.length.toLocaleString()} chosen`}
          </strong>
          {offersWhole && (
            <button type="button" class="plain" onClick={onWhole}>
              Select all {total.toLocaleString()} of this view
            </button>
          )}
          <span class="bulk-actions">
            {canPublish && (
              <button type="button" onClick={() => run('publish')}>
                <Icon of={Send} /> Publish
              </button>
            )}
            {canUnpublish && (
              <button type="button" onClick={() => run('unpublish')}>
                <Icon of={EyeOff} /> Unpublish
              </button>
            )}
            {may('updateMany') && !type.needsVersion && (
              <button type="button" onClick={() => setAsked('change')}>
                <Icon of={PencilLine} /> Set a value
              </button>
            )}
            {may('create') && !isWhole && (
              <button
                type="button"
                onClick={() => {
                  // One is shown before it is made.
                  if (chosen.length === 1 && only !== undefined)
                    goTo(`/data/${type.name}/new?from=${getKey(only)}`)
                  else void run('duplicate')
                }}
              >
                <Icon of={Copy} /> Duplicate
              </button>
            )}
            {may(isWhole ? 'deleteMany' : 'delete') && (
              <button type="button" class="danger" onClick={() => setAsked('delete')}>
                <Icon of={Trash2} /> Delete
              </button>
            )}
          </span>
          <button type="button" class="clear" aria-label="Choose none" onClick={onClear}>
            <Icon of={X} />
          </button>
        </div>
      )}
      {asked === 'delete' && (
        <Dialog
          title={`Delete ${formatCount(count, 'entry', 'entries')}?`}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {isWhole
              ? `Every entry of this view is deleted from ${type.displayName}, not only those on this page.`
              : listTitles(type, chosen)}
          </p>
          <p class="quiet">This cannot be undone.</p>
          <div class="buttons end">
            <button type="button" onClick={() => setAsked(undefined)}>
              Keep {count === 1 ? 'it' : 'them'}
            </button>
            <button type="button" class="danger filled" onClick={() => run('delete')}>
              Delete {formatCount(count, 'entry', 'entries')}
            </button>
          </div>
        </Dialog>
      )}
      {asked === 'change' && (
        <Dialog
          title={`Set a value of ${formatCount(count, 'entry', 'entries')}`}
          onClose={() => setAsked(undefined)}
        >
          <ChangeMany
            {...{ type, model, count }}
            chosen={chosen}
            whole={isWhole ? whole : undefined}
            onChanged={(done) => {
              setAsked(undefined)
              setResult({ ...nothing, done, words: 'changed' })
              onDone([])
            }}
          />
        </Dialog>
      )}
    </div>
  )
}

const MAX_TITLES = 5

function listTitles(type: Type, entries: readonly Entry[]): string {
  const titles = entries.slice(0, MAX_TITLES).map((entry) => getTitle(type, entry))
  const more = entries.length - titles.length
  return `${titles.join(', ')}${more > 0 ? ` and ${more} more` : ''}`
}

interface ResultProps {
  readonly type: Type
  readonly result: Result
  onClose(): void
}

function ResultNotice({ type, result, onClose }: ResultProps) {
  const { done, failed, left, words, problem } = result
  const isWrong = failed.length > 0 || problem !== undefined
  return (
    <div class={`notice bulk-result ${isWrong ? 'wrong' : 'right'}`}>
      <div role={isWrong ? 'alert' : 'status'}>
        {problem ?? `${formatCount(done, 'entry', 'entries')} ${words}.`}
        {failed.length > 0 && ` ${failed.length.toLocaleString()} could not be ${words}:`}
        {left > 0 && ` ${left.toLocaleString()} left as they were.`}
      </div>
      {failed.length > 0 && (
        <ul>
          {failed.map(({ entry, reason }) => (
            <li>
              <a href={`#${getPage(type, entry)}`}>{getTitle(type, entry)}</a>: {reason}
            </li>
          ))}
        </ul>
      )}
      <button type="button" class="clear" aria-label="Close the result" onClick={onClose}>
        <Icon of={X} />
      </button>
    </div>
  )
}
