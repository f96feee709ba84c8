// Exports the view as a file, and shows the omitted attributes and the progress.

import { Download } from 'lucide'
import { useState } from 'preact/hooks'
import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { say, sayCount } from '../messages.ts'
import { Popover } from '../parts/menu.tsx'
import { formatNumber } from './cells.tsx'
import { download, MAX_EXPORTED_ENTRIES, readAll, shown, toCsv, toJson, toYaml } from './export.ts'
import type { View } from './load.ts'
import { buildFormValues, getPopulate, listPrivateNames } from './values.ts'

interface ExportProps {
  readonly type: Type
  readonly model: Model
  readonly view: View
  readonly attributes: readonly Attribute[]
  /** Ids of the chosen entries; empty: all of the view. */
  readonly chosen: ReadonlySet<number>
}

interface Said {
  readonly text: string
  readonly wrong?: boolean
}

export function ExportMenu({ type, model, view, attributes, chosen }: ExportProps) {
  const [said, setSaid] = useState<Said>()
  const [busy, setBusy] = useState(false)
  const hidden = listPrivateNames(type.attributes, model)

  const write = async (kind: 'csv' | 'json' | 'yaml'): Promise<Said> => {
    const linked = kind === 'csv' ? attributes : type.attributes
    const links = linked.filter((one) => one.kind !== 'scalar' && one.private !== true)
    const populate = {
      ...getPopulate(links, model),
      ...(kind === 'yaml' && type.locales !== undefined && { localizations: 'true' }),
    }
    const onRead = (count: number, of: number): void =>
      setSaid({
        text: say('{count} of {total} entries read …', {
          count: formatNumber(count),
          total: formatNumber(of),
        }),
      })
    const { entries: all, total } = await readAll(type, model, view, populate, onRead)
    const entries = chosen.size === 0 ? all : all.filter(({ id }) => chosen.has(id))
    if (kind === 'yaml') download(`${type.name}.yaml`, await toYaml(entries, type, model), 'text/yaml')
    if (kind === 'json') download(`${type.plural}.json`, toJson(entries), 'application/json')
    if (kind === 'csv') {
      const flat = entries.map((entry): Entry => {
        const values = buildFormValues(attributes, entry, model)
        const labels = links.map(({ name }) => [name, shown(values[name])])
        return { id: entry.id, ...values, ...Object.fromEntries(labels) }
      })
      const columns = attributes.map(({ name }) => name).filter((name) => name !== 'id')
      download(`${type.plural}.csv`, toCsv(flat, ['id', ...columns]), 'text/csv')
    }
    const text = sayCount(entries.length, '{count} entry exported.', '{count} entries exported.')
    if (all.length >= total) return { text }
    const limits = { max: formatNumber(MAX_EXPORTED_ENTRIES), total: formatNumber(total) }
    const left = say(
      'Only the first {max} of {total} entries were read. Filter the view, or use “cms-run export”, which writes everything.',
      limits,
    )
    return { text: `${text} ${left}`, wrong: true }
  }
  const save = async (kind: 'csv' | 'json' | 'yaml'): Promise<void> => {
    setBusy(true)
    try {
      setSaid(await write(kind))
    } catch (error) {
      setSaid({
        text: say('Nothing was exported: {reason}', { reason: (error as Error).message }),
        wrong: true,
      })
    }
    setBusy(false)
  }
  return (
    <Popover label={say('Export')} icon={Download}>
      {() => (
        <div class="list">
          <button type="button" disabled={busy} onClick={() => save('csv')}>
            CSV
          </button>
          <button type="button" disabled={busy} onClick={() => save('json')}>
            JSON
          </button>
          <button type="button" disabled={busy} onClick={() => save('yaml')}>
            {say('data: for the file')}
          </button>
          {hidden.length > 0 && (
            <p class="quiet">
              {say('Without private values and passwords: {names}', { names: hidden.join(', ') })}
            </p>
          )}
          {said !== undefined && (
            <p
              class={said.wrong === true ? 'error' : 'quiet'}
              role={said.wrong === true ? 'alert' : 'status'}
            >
              {said.text}
            </p>
          )}
        </div>
      )}
    </Popover>
  )
}
