// The conditions of a view as a sentence; each is a button that opens its editor.

import { ListFilter, X } from 'lucide'
import type { VNode } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import type { Attribute, Entry, Model, Type } from '../../described.ts'
import { say } from '../messages.ts'
import { Icon } from '../parts/icon.tsx'
import { Popover } from '../parts/menu.tsx'
import { api } from '../server.ts'
import { formatMoment, formatNumber } from './cells.tsx'
import { findAttribute, getTitle, listFilterable } from './columns.ts'
import { FilterEditor } from './filter-editor.tsx'
import { formatOperator } from './filters.tsx'
import { type Filter, getAddress, getLocale, isValueless } from './load.ts'
import { getType, queryText, toEntry, toList } from './values.ts'

interface FiltersProps {
  readonly type: Type
  readonly model: Model
  readonly filters: readonly Filter[]
  onChange(filters: readonly Filter[]): void
}

export function FilterSentence({ type, model, filters, onChange }: FiltersProps) {
  const attributes = listFilterable(type).filter(isFilterable)
  return (
    <div class="sentence" role="group" aria-label={say('Filters')}>
      {filters.map((filter, index) => {
        const attribute = findAttribute(attributes, filter)
        const name = attribute?.label ?? filter.name
        return (
          <span class="condition-of-view" key={`${filter.name} ${filter.operator} ${filter.value}`}>
            <span class="quiet">{index === 0 ? say('Where') : say('and')}</span>
            <Condition {...{ attribute, filter, model }}>
              {(label) => (
                <Popover class="condition-words" label={label} title={say('Filter by {name}', { name })}>
                  {(close) => (
                    <FilterEditor
                      {...{ attributes, model, filter }}
                      onApply={(next) => {
                        onChange(filters.map((one, at) => (at === index ? next : one)))
                        close()
                      }}
                    />
                  )}
                </Popover>
              )}
            </Condition>
            <button
              type="button"
              class="remove"
              aria-label={say('Remove the condition on {name}', { name })}
              onClick={() => onChange(filters.filter((_, at) => at !== index))}
            >
              <Icon of={X} size={14} />
            </button>
          </span>
        )
      })}
      <Popover
        class="quiet-button"
        icon={ListFilter}
        label={filters.length === 0 ? say('Add a filter') : say('And …')}
        title={say('Add a filter')}
      >
        {(close) => (
          <FilterEditor
            {...{ attributes, model }}
            filter={undefined}
            onApply={(filter) => {
              onChange([...filters, filter])
              close()
            }}
          />
        )}
      </Popover>
      {filters.length > 1 && (
        <button type="button" class="quiet-button" onClick={() => onChange([])}>
          {say('Clear filters')}
        </button>
      )}
    </div>
  )
}

function isFilterable({ kind, type, target }: Attribute): boolean {
  if (kind === 'relation') return target !== undefined
  return kind === 'media' || (kind === 'scalar' && type !== 'json' && type !== 'blocks')
}

interface ConditionProps {
  readonly attribute: Attribute | undefined
  readonly filter: Filter
  readonly model: Model
  children(label: string): VNode
}

function Condition({ attribute, filter, model, children }: ConditionProps) {
  const { operator, value, name } = filter
  const linked = attribute?.kind === 'relation' ? getType(model, attribute.target) : undefined
  const title = useTitle(linked, isValueless(filter) ? '' : value, name, model)
  const words = { attribute: attribute?.label ?? name, operator: formatOperator(operator, attribute?.type) }
  if (isValueless(filter)) return children(say('{attribute} {operator}', words))
  const text = linked === undefined ? formatValue(attribute, value) : quote(title ?? '…')
  return children(say('{attribute} {operator} {value}', { ...words, value: text }))
}

function quote(text: string): string {
  return say('“{text}”', { text })
}

function formatValue(attribute: Attribute | undefined, value: string): string {
  switch (attribute?.type) {
    case 'boolean':
      return value === 'true' ? say('Yes') : say('No')
    case 'date':
    case 'datetime':
    case 'time':
      return formatMoment(attribute.type, value)
    case 'integer':
    case 'decimal':
    case 'float':
      return Number.isNaN(Number(value)) ? value : formatNumber(Number(value))
    default:
      return quote(value)
  }
}

/** The title of a linked entry; the address of a view has its id only. */
function useTitle(type: Type | undefined, value: string, path: string, model: Model): string | undefined {
  const [title, setTitle] = useState<string>()
  useEffect(() => {
    if (type === undefined || value === '') return
    let current = true
    setTitle(undefined)
    readLinked(type, value, path.split('.').at(-1) ?? 'id', model).then(
      (entry) => current && setTitle(entry === undefined ? `#${value}` : getTitle(type, entry)),
      () => current && setTitle(`#${value}`),
    )
    return () => {
      current = false
    }
  }, [type, value, path])
  return title
}

async function readLinked(type: Type, value: string, key: string, model: Model): Promise<Entry | undefined> {
  if (type.path === undefined) return toEntry(await api(`${model.prefix}/users/${value}`))
  const query = queryText({
    filters: { [key]: value },
    ...getLocale(type, model, 'all'),
    ...(type.draftAndPublish &&
      (model.dialect === 'strapi-5' ? { status: 'draft' } : { publicationState: 'preview' })),
    pagination: { pageSize: 1, withCount: 'false' },
  })
  const { data } = await api<{ data: unknown }>(getAddress(type, undefined, query))
  return toEntry(toList(data)[0])
}
