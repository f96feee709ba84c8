// Chooses the columns of a list; new ones come last.

import { Columns3 } from 'lucide'
import type { Type } from '../../described.ts'
import { say } from '../messages.ts'
import { Popover } from '../parts/menu.tsx'
import { getTitleColumn, listColumns, listShowable } from './columns.ts'

interface ColumnsProps {
  readonly type: Type
  /** Undefined: those of the content-type. */
  readonly columns: readonly string[] | undefined
  onChange(columns: readonly string[] | undefined): void
}

export function ColumnChoice({ type, columns, onChange }: ColumnsProps) {
  const shown = listColumns(type, columns).map(({ name }) => name)
  const title = getTitleColumn(type)
  return (
    <Popover label={say('Columns')} icon={Columns3}>
      {() => (
        <fieldset class="list bare">
          <legend class="hidden">{say('Columns')}</legend>
          {listShowable(type).map(({ name, label, type: kind }) => (
            <label class="check" title={kind}>
              <input
                type="checkbox"
                checked={shown.includes(name)}
                disabled={name === title}
                onChange={() =>
                  onChange(shown.includes(name) ? shown.filter((one) => one !== name) : [...shown, name])
                }
              />{' '}
              {label}
            </label>
          ))}
          {columns !== undefined && (
            <button type="button" class="small" onClick={() => onChange(undefined)}>
              {say('As at first')}
            </button>
          )}
        </fieldset>
      )}
    </Popover>
  )
}
