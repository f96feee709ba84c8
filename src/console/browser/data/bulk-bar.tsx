// What can be done to the chosen entries, or to all of the view: the bar, its questions, the progress and the result.

import { Copy, EyeOff, PencilLine, Send, Trash2, X } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import type { Entry, Model, Type } from '../../described.ts'
import { say, sayCount } from '../messages.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { goTo } from '../route.ts'
import { type BulkResult, ResultNotice } from './bulk-result.tsx'
import { sayOtherCount, sayProgress } from './bulk-words.ts'
import { formatNumber } from './cells.tsx'
import { ChangeMany } from './change-many.tsx'
import { getTitle } from './columns.ts'
import { getKey } from './load.ts'
import { type Progress, runSteps } from './steps.ts'
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

export function BulkBar(props: BulkProps) {
  const { type, model, chosen, total, whole, isWhole, onWhole, onClear, onDone } = props
  const [progress, setProgress] = useState<Progress>()
  const [result, setResult] = useState<BulkResult>()
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
        if (found !== total) throw new Error(sayOtherCount(found))
        const done = await writeMany(type, model, whole, data, false)
        setResult({ ...nothing, action, done })
        onDone([])
      } else {
        const found = await runSteps(type, model, chosen, action, setProgress, controller.signal)
        const left = chosen.slice(chosen.length - found.left)
        setResult(found)
        onDone([...found.failed.map(({ entry }) => entry), ...left])
      }
    } catch (error) {
      setResult({ ...nothing, action, problem: (error as Error).message })
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
        <div class="bulk-bar" role="group" aria-label={say('Progress')}>
          <span role="status">
            {sayProgress(progress.action, formatNumber(progress.done), formatNumber(progress.of))}
          </span>
          <progress aria-label={say('Progress')} value={progress.done} max={progress.of} />
          {!isWhole && (
            <button type="button" onClick={() => ending.current?.abort()}>
              {say('Cancel')}
            </button>
          )}
        </div>
      )}
      {progress === undefined && count > 0 && (
        <div class="bulk-bar" role="group" aria-label={say('Chosen entries')}>
          <strong>
            {isWhole
              ? say('All {count} chosen', { count: formatNumber(total) })
              : sayCount(chosen.length, '{count} chosen', '{count} chosen')}
          </strong>
          {offersWhole && (
            <button type="button" class="plain" onClick={onWhole}>
              {say('Select all {count} of this view', { count: formatNumber(total) })}
            </button>
          )}
          <span class="bulk-actions">
            {canPublish && (
              <button type="button" onClick={() => run('publish')}>
                <Icon of={Send} /> {say('Publish')}
              </button>
            )}
            {canUnpublish && (
              <button type="button" onClick={() => run('unpublish')}>
                <Icon of={EyeOff} /> {say('Unpublish')}
              </button>
            )}
            {may('updateMany') && !type.needsVersion && (
              <button type="button" onClick={() => setAsked('change')}>
                <Icon of={PencilLine} /> {say('Set a value')}
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
                <Icon of={Copy} /> {say('Duplicate')}
              </button>
            )}
            {may(isWhole ? 'deleteMany' : 'delete') && (
              <button type="button" class="danger" onClick={() => setAsked('delete')}>
                <Icon of={Trash2} /> {say('Delete')}
              </button>
            )}
          </span>
          <button type="button" class="clear" aria-label={say('Choose none')} onClick={onClear}>
            <Icon of={X} />
          </button>
        </div>
      )}
      {asked === 'delete' && (
        <Dialog
          title={sayCount(count, 'Delete {count} entry?', 'Delete {count} entries?')}
          onClose={() => setAsked(undefined)}
        >
          <p>
            {isWhole
              ? say('Every entry of this view is deleted from {name}, not only those on this page.', {
                  name: type.displayName,
                })
              : listTitles(type, chosen)}
          </p>
          <p class="quiet">{say('This cannot be undone.')}</p>
          <div class="buttons end">
            <button type="button" onClick={() => setAsked(undefined)}>
              {count === 1 ? say('Keep it') : say('Keep them')}
            </button>
            <button type="button" class="danger filled" onClick={() => run('delete')}>
              {sayCount(count, 'Delete {count} entry', 'Delete {count} entries')}
            </button>
          </div>
        </Dialog>
      )}
      {asked === 'change' && (
        <Dialog
          title={sayCount(count, 'Set a value of {count} entry', 'Set a value of {count} entries')}
          onClose={() => setAsked(undefined)}
        >
          <ChangeMany
            {...{ type, model, count }}
            chosen={chosen}
            whole={isWhole ? whole : undefined}
            onChanged={(done) => {
              setAsked(undefined)
              setResult({ ...nothing, action: 'change', done })
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
  const shown = entries.slice(0, MAX_TITLES).map((entry) => getTitle(type, entry))
  const titles = shown.join(', ')
  const more = entries.length - shown.length
  return more === 0
    ? titles
    : sayCount(more, '{titles} and {count} more', '{titles} and {count} more', { titles })
}
