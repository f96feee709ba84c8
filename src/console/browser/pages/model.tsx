// Shows a diagram of the content-types and their relations, with details of the selected one.

import { Download, X } from 'lucide'
import { useMemo, useState } from 'preact/hooks'
import type { Attribute, Component, Matrix, Place, Type } from '../../described.ts'
import { describe } from '../data/describe-attribute.ts'
import { download } from '../data/export.ts'
import { useAsked, useModel } from '../live.ts'
import { Canvas } from '../model/canvas.tsx'
import { layOut } from '../model/lay-out.ts'
import { Icon } from '../parts/icon.tsx'
import { ModelWait } from '../parts/model-wait.tsx'
import { formatRule } from './access.tsx'

export default function ModelPage() {
  const model = useModel()
  const { value: matrix } = useAsked<Matrix>('access')
  const [plugins, setPlugins] = useState(false)
  const [parts, setParts] = useState(true)
  const [chosen, setChosen] = useState<string>()
  const layout = useMemo(
    () => model && layOut(model, { plugins, components: parts, aspect: isPhone() ? 1 : 1.7 }),
    [model, plugins, parts],
  )
  if (model === undefined || layout === undefined) return <ModelWait />
  const schema = [...model.types, ...model.components].find(({ uid }) => uid === chosen)
  return (
    <>
      <div class="title-row">
        <h1>Model</h1>
        <label class="check">
          <input type="checkbox" checked={parts} onChange={() => setParts(!parts)} /> Components
        </label>
        <label class="check">
          <input type="checkbox" checked={plugins} onChange={() => setPlugins(!plugins)} /> Content-types of
          plugins
        </label>
        <button
          type="button"
          onClick={() => {
            const drawn = document.querySelector('svg.diagram')
            if (drawn !== null) download('model.svg', standalone(drawn), 'image/svg+xml')
          }}
        >
          <Icon of={Download} /> Save as SVG
        </button>
      </div>
      <div class={schema === undefined ? '' : 'split'}>
        <Canvas
          key={`${plugins} ${parts}`}
          layout={layout}
          chosen={schema === undefined ? undefined : chosen}
          onChoose={setChosen}
        />
        {schema !== undefined && (
          <Details schema={schema} matrix={matrix} onClose={() => setChosen(undefined)} />
        )}
      </div>
    </>
  )
}

function isPhone(): boolean {
  return matchMedia('(max-width: 640px)').matches
}

/** Copies the computed colours into the SVG, so that other programs show the same. */
function standalone(drawn: Element): string {
  const copy = drawn.cloneNode(true) as Element
  const originals = [...drawn.querySelectorAll('*')]
  for (const [index, element] of [...copy.querySelectorAll('*')].entries()) {
    const original = originals[index]
    if (original === undefined) continue
    const { fill, stroke, font, strokeWidth } = getComputedStyle(original)
    element.setAttribute('style', `fill:${fill};stroke:${stroke};stroke-width:${strokeWidth};font:${font}`)
  }
  copy.setAttribute('xmlns', 'http://www.w3.org/2000/svg')
  return new XMLSerializer().serializeToString(copy)
}

interface DetailsProps {
  readonly schema: Type | Component
  readonly matrix: Matrix | undefined
  onClose(): void
}

function Details({ schema, matrix, onClose }: DetailsProps) {
  const type = 'kind' in schema ? schema : undefined
  return (
    <section class="card details" aria-label={schema.displayName}>
      <div class="title-row">
        <h2>{schema.displayName}</h2>
        <button type="button" class="quiet icon-only" aria-label="Close the details" onClick={onClose}>
          <Icon of={X} />
        </button>
      </div>
      <p class="mono">{schema.uid}</p>
      <Line place={schema.place} />
      {type?.description !== undefined && <p>{type.description}</p>}
      {type?.own === true && (
        <p>
          <a href={`#/data/${type.name}`}>Entries</a> · <a href={`#/ask?type=${type.name}`}>Ask</a>
        </p>
      )}
      <ul class="plain">
        {schema.attributes.map((attribute) => (
          <AttributeLine attribute={attribute} />
        ))}
      </ul>
      {type !== undefined && (type.checks.length > 0 || type.unique.length > 0) && (
        <>
          <h3>Constraints</h3>
          <ul class="plain">
            {type.unique.map((names) => (
              <li>unique together: {names.join(', ')}</li>
            ))}
            {type.checks.map((text) => (
              <li class="mono">{text}</li>
            ))}
          </ul>
        </>
      )}
      {type !== undefined && matrix !== undefined && <WhoMay uid={type.uid} matrix={matrix} />}
    </section>
  )
}

function AttributeLine({ attribute }: { readonly attribute: Attribute }) {
  return (
    <li>
      <strong>{attribute.name}</strong>
      {attribute.required === true && <span class="required"> *</span>}{' '}
      <span class="kind">{describe(attribute)}</span> <Line place={attribute.place} />
    </li>
  )
}

function Line({ place }: { readonly place: Place | undefined }) {
  if (place === undefined) return null
  return (
    <a class="line mono" href={`#/file?line=${place.line}`}>
      {place.file.split('/').at(-1)}:{place.line}
    </a>
  )
}

function WhoMay({ uid, matrix }: { readonly uid: string; readonly matrix: Matrix }) {
  const callers = [
    ...Object.entries(matrix.roles).map(
      ([name, granted]) => [name, granted, matrix.rules.roles[name]] as const,
    ),
    ...Object.entries(matrix.apiTokens).map(
      ([name, granted]) => [`token ${name}`, granted, matrix.rules.apiTokens[name]] as const,
    ),
  ]
  return (
    <>
      <h3>Who may</h3>
      <ul class="plain">
        {callers.map(([name, granted, rules]) => {
          const own = granted.filter((action) => action.startsWith(`${uid}.`))
          return (
            <li>
              <strong>{name}</strong> {own.length === 0 && <span class="quiet">nothing</span>}
              {own.map((action, index) => (
                <>
                  {index > 0 && ', '}
                  {action.slice(uid.length + 1)}
                  {rules?.[action] !== undefined && (
                    <span class="mono quiet"> ({rules[action].map(formatRule).join(' or ')})</span>
                  )}
                </>
              ))}
            </li>
          )
        })}
      </ul>
    </>
  )
}
