// What can be done to the chosen entries, or to all of the view: the bar, its questions, the progress and the result.

import { Copy, EyeOff, PencilLine, Send, Trash2, X } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import type { Entry, Model, Type } from '../../described.ts'
import { say, sayCount } from '../messages.ts'
import { Dialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { goTo } from '../route.ts'
import { BulkQuestion } from './bulk-question.tsx'
import { type BulkResult, ResultNotice } from './bulk-result.tsx'
import { type AskedAction, type BulkAction, sayOtherCount, sayProgress, sayRefusals } from './bulk-words.ts'
import { formatNumber } from './cells.tsx'
import { ChangeMany } from './change-many.tsx'
import { useSelectionRights } from './entry-rights.ts'
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

const NONE: readonly Entry[] = []

export function BulkBar(props: BulkProps) {
  const { type, model, chosen, total, whole, isWhole, onWhole, onClear, onDone } = props
  const [progress, setProgress] = useState<Progress>()
  const [result, setResult] = useState<BulkResult>()
  const [asked, setAsked] = useState<AskedAction | 'change'>()
  const ending = useRef<AbortController>(undefined)
  const may = (action: string): boolean => type.may.includes(action)
  const rights = useSelectionRights(type, isWhole ? NONE : chosen)
  const count = isWhole ? total : chosen.length
  const countTargets = (action: BulkAction): number => (isWhole ? total : rights.select(action).length)
  const offers = (action: BulkAction): boolean => countTargets(action) > 0
  const nothing = { done: 0, failed: [], left: 0 }

  const run = async (action: EntryAction): Promise<void> => {
    setAsked(undefined)
    setResult(undefined)
    const controller = new AbortController()
    ending.current = controller
    setProgress({ action, done: 0, of: countTargets(action) })
    try {
      if (isWhole && whole !== undefined) {
        const data = action === 'delete' ? undefined : buildPublication(action === 'publish')
        const found = await writeMany(type, model, whole, data, true)
        if (found !== total) throw new Error(sayOtherCount(found))
        const done = await writeMany(type, model, whole, data, false)
        setResult({ ...nothing, action, done })
        onDone([])
      } else {
        const targets = rights.select(action)
        const found = await runSteps(type, model, targets, action, setProgress, controller.signal)
        const left = targets.slice(targets.length - found.left)
        setResult(found)
        onDone([...found.failed.map(({ entry }) => entry), ...left])
      }
    } catch (error) {
      setResult({ ...nothing, action, problem: (error as Error).message })
      onDone([])
    }
    setProgress(undefined)
  }
  /** An action to a part of the selection is done after a question. */
  const begin = (action: AskedAction): void => {
    if (action === 'delete' || countTargets(action) < count) setAsked(action)
    else void run(action)
  }
  const changing = countTargets('change')
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
          {rights.error !== undefined && (
            <span class="error" role="alert">
              {say('Your rights to these entries are not known: {reason}', { reason: rights.error })}{' '}
              <button type="button" class="small" onClick={rights.readAgain}>
                {say('Try again')}
              </button>
            </span>
          )}
          <span class="bulk-actions">
            {canPublish && offers('publish') && (
              <button type="button" disabled={rights.isPending} onClick={() => begin('publish')}>
                <Icon of={Send} /> {say('Publish')}
              </button>
            )}
            {canUnpublish && offers('unpublish') && (
              <button type="button" disabled={rights.isPending} onClick={() => begin('unpublish')}>
                <Icon of={EyeOff} /> {say('Unpublish')}
              </button>
            )}
            {may('updateMany') && !type.needsVersion && offers('change') && (
              <button type="button" disabled={rights.isPending} onClick={() => setAsked('change')}>
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
            {may(isWhole ? 'deleteMany' : 'delete') && offers('delete') && (
              <button
                type="button"
                class="danger"
                disabled={rights.isPending}
                onClick={() => begin('delete')}
              >
                <Icon of={Trash2} /> {say('Delete')}
              </button>
            )}
          </span>
          <button type="button" class="clear" aria-label={say('Choose none')} onClick={onClear}>
            <Icon of={X} />
          </button>
        </div>
      )}
      {asked !== undefined && asked !== 'change' && (
        <BulkQuestion
          {...{ type, isWhole }}
          action={asked}
          entries={rights.select(asked)}
          selected={count}
          onConfirm={() => run(asked)}
          onClose={() => setAsked(undefined)}
        />
      )}
      {asked === 'change' && (
        <Dialog
          title={sayCount(changing, 'Set a value of {count} entry', 'Set a value of {count} entries')}
          onClose={() => setAsked(undefined)}
        >
          {changing < count && <p>{sayRefusals('change', changing, count)}</p>}
          <ChangeMany
            {...{ type, model }}
            count={changing}
            chosen={rights.select('change')}
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
