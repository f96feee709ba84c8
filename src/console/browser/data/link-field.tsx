// Links a relation to entries: those chosen as a list in order, and a field that searches for others.

import { ExternalLink, X } from 'lucide'
import { useRef, useState } from 'preact/hooks'
import type { Attribute, Model } from '../../described.ts'
import { say } from '../messages.ts'
import { Combobox, type FoundOptions, type Option } from '../parts/combobox.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { announce, moveItem, useOrder } from '../parts/order.tsx'
import type { InputProps } from './labelled.tsx'
import { toFile } from './media.ts'
import { createLink, findCreation, searchLinks, searchTargets } from './search-links.ts'
import { Thumbnail } from './thumbnail.tsx'
import { type EntryLink, getType, isSameLink } from './values.ts'

interface LinkProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly value: readonly EntryLink[]
  readonly input: InputProps
  onChange(value: readonly EntryLink[]): void
}

const CREATE = 'create'
const OPEN = 'open'

export function LinkField({ attribute, model, value, input, onChange }: LinkProps) {
  const { label, many = false } = attribute
  const targets = searchTargets(attribute, model)
  const [uid, setUid] = useState(targets[0]?.uid ?? '')
  const [error, setError] = useState<string>()
  const found = useRef(new Map<string, EntryLink>())
  const type = getType(model, uid)
  const creation = findCreation(type)
  const choose = (link: EntryLink): void => {
    onChange(many ? [...value.filter((one) => !isSameLink(one, link)), link] : [link])
    announce(say('{name} is chosen', { name: link.label }))
  }
  const remove = (link: EntryLink): void => {
    onChange(value.filter((one) => !isSameLink(one, link)))
    announce(say('{name} is removed', { name: link.label }))
  }
  const search = async (text: string, page: number): Promise<FoundOptions> => {
    const { links, more } = await searchLinks(attribute, model, uid, text, page)
    const others = links.filter((link) => !value.some((one) => isSameLink(one, link)))
    for (const link of others) found.current.set(nameLink(link), link)
    return { more, options: others.map((link) => toOption(link, others)) }
  }
  const getLast = (text: string): Option | undefined => {
    if (type === undefined || creation === 'none') return undefined
    if (creation === 'page')
      return {
        value: OPEN,
        label: say('New {name} …', { name: type.displayName }),
        detail: say('opens another tab'),
      }
    return text === ''
      ? undefined
      : { value: CREATE, label: say('Create “{text}”', { text }), detail: type.displayName }
  }
  const take = (option: Option, text: string): void => {
    setError(undefined)
    const link = found.current.get(option.value)
    if (option.value === OPEN) open(`#/data/${type?.name}/new`)
    else if (link !== undefined) choose(link)
    else if (type !== undefined)
      createLink(attribute, model, type, text).then(choose, (fault: Error) => setError(fault.message))
  }
  const last = value.at(-1)
  return (
    <div class="links">
      <Chosen {...{ attribute, model, value, onChange }} onRemove={remove} />
      <div class="link-search">
        {targets.length > 1 && (
          <select
            aria-label={say('Content-type for {label}', { label })}
            value={uid}
            onChange={(event) => setUid(event.currentTarget.value)}
          >
            {targets.map((target) => (
              <option value={target.uid}>{target.displayName}</option>
            ))}
          </select>
        )}
        <Combobox
          input={{ ...input }}
          labelId={`label-of-${input.id}`}
          placeholder={attribute.placeholder ?? describeSearch(many, value.length, type?.displayName)}
          scope={`${uid} ${value.map(({ id }) => id).join()}`}
          {...{ search, getLast }}
          onChoose={take}
          onBack={() => many && last !== undefined && remove(last)}
        />
      </div>
      {error !== undefined && (
        <p class="fault error" role="alert">
          {error}
        </p>
      )}
    </div>
  )
}

function describeSearch(many: boolean, count: number, name = say('entry')): string {
  if (many) return say('Add {name} …', { name })
  return count === 0 ? say('Choose {name} …', { name }) : say('Choose another {name} …', { name })
}

function nameLink({ type = '', id }: EntryLink): string {
  return `${type}:${id}`
}

function toOption(link: EntryLink, all: readonly EntryLink[]): Option {
  const { id, label, url = '', mime = '' } = link
  const isAlone = all.filter((other) => other.label === label).length === 1
  return {
    value: nameLink(link),
    label,
    detail: isAlone ? undefined : `#${id}`,
    picture: mime.startsWith('image/') && /^\/(?!\/)/.test(url) ? url : undefined,
  }
}

interface ChosenProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly value: readonly EntryLink[]
  onChange(value: readonly EntryLink[]): void
  onRemove(link: EntryLink): void
}

function Chosen({ attribute, model, value, onChange, onRemove }: ChosenProps) {
  const order = useOrder<HTMLUListElement>({
    length: value.length,
    getName: (index) => value[index]?.label ?? '',
    onMove: (from, to) => onChange(moveItem(value, from, to)),
  })
  if (value.length === 0) return null
  const isOrdered = attribute.many === true && value.length > 1
  return (
    <ul class="chosen" ref={order.list} aria-label={say('Chosen for {label}', { label: attribute.label })}>
      {value.map((link, index) => (
        <li key={nameLink(link)} {...order.getItemProps(index)}>
          {isOrdered && order.drawGrip(index)}
          {link.url !== undefined && <Thumbnail file={toFile(link)} />}
          <EntryName {...{ attribute, model, link }} />
          <span class="file-actions">
            {isOrdered && order.drawButtons(index)}
            <IconButton
              of={X}
              label={say('Remove {name}', { name: link.label })}
              title={say('Remove')}
              onClick={() => onRemove(link)}
            />
          </span>
        </li>
      ))}
    </ul>
  )
}

interface EntryNameProps {
  readonly attribute: Attribute
  readonly model: Model
  readonly link: EntryLink
}

/** The tab of the entry keeps the key of this one, which `rel=opener` allows. */
function EntryName({ attribute, model, link }: EntryNameProps) {
  const type = getType(model, link.type ?? attribute.target)
  const kind = link.type === undefined ? null : <span class="kind">{type?.displayName ?? link.type}</span>
  if (type === undefined || !type.own || type.kind !== 'collectionType')
    return (
      <span class="entry-name">
        {link.label}
        {kind}
      </span>
    )
  return (
    <span class="entry-name">
      <a
        href={`#/data/${type.name}/${link.page ?? link.id}`}
        target="_blank"
        rel="noopener opener"
        title={say('Open {name} in another tab', { name: link.label })}
      >
        {link.label}
        <Icon of={ExternalLink} size={12} />
      </a>
      {kind}
    </span>
  )
}
