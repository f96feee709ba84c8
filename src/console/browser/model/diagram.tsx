// Draws a layout of the model as SVG.

import { HEAD, type Line, type Point, ROW } from './drawing.ts'
import { formatHead, formatRow, type Layout } from './lay-out.ts'

interface DiagramProps {
  readonly layout: Layout
  readonly zoom: number
  readonly chosen: string | undefined
  onChoose(uid: string): void
}

export function Diagram({ layout: { boxes, lines, width, height }, zoom, chosen, onChoose }: DiagramProps) {
  const isNear = ({ from, to }: Line): boolean => from === chosen || to === chosen
  return (
    <svg
      class={`diagram ${chosen === undefined ? '' : 'has-chosen'}`}
      width={width * zoom}
      height={height * zoom}
      viewBox={`0 0 ${width} ${height}`}
    >
      <title>Content-types and their relations</title>
      <defs>
        <Arrow id="arrow" />
        <Arrow id="arrow-near" />
      </defs>
      {boxes.map(({ schema, x, y, ...size }) => (
        <g
          class={`box ${'kind' in schema ? 'type' : 'component'} ${schema.uid === chosen ? 'chosen' : ''}`}
          transform={`translate(${x} ${y})`}
          role="button"
          tabIndex={0}
          aria-pressed={schema.uid === chosen}
          onClick={() => onChoose(schema.uid)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' && event.key !== ' ') return
            event.preventDefault()
            onChoose(schema.uid)
          }}
        >
          <rect class="frame-of-box" rx="6" {...size} />
          <path class="head-of-box" d={formatHeadPath(size.width)} />
          <text class="name" x="12" y={HEAD - 9}>
            {formatHead(schema)}
          </text>
          {schema.attributes.map((attribute, index) => {
            const [name, kind] = formatRow(attribute)
            const middle = HEAD + index * ROW + 13
            return (
              <>
                <text class="attribute" x="12" y={middle}>
                  {name}
                </text>
                <text class="type-name" x={size.width - 12} y={middle} text-anchor="end">
                  {kind}
                </text>
              </>
            )
          })}
        </g>
      ))}
      {/* Those of the chosen one are drawn last, above the others. */}
      {lines
        .toSorted((a, b) => Number(isNear(a)) - Number(isNear(b)))
        .map((line) => (
          <g class={`relation ${isNear(line) ? 'near' : ''}`}>
            <path
              class="line"
              d={formatCurve(line.curve)}
              marker-end={`url(#${isNear(line) ? 'arrow-near' : 'arrow'})`}
            >
              <title>{line.label}</title>
            </path>
            {line.marks.map(({ text, x, y, anchor }) => (
              <text class="mark" x={x} y={y} text-anchor={anchor}>
                {text}
              </text>
            ))}
          </g>
        ))}
    </svg>
  )
}

function Arrow({ id }: { readonly id: string }) {
  return (
    <marker
      id={id}
      viewBox="0 0 8 8"
      refX="8"
      refY="4"
      markerUnits="userSpaceOnUse"
      markerWidth="8"
      markerHeight="8"
      orient="auto"
    >
      <path class={id} d="M0 0.5 8 4 0 7.5z" />
    </marker>
  )
}

function formatHeadPath(width: number): string {
  return `M0.5 ${HEAD - 2}V6a5.5 5.5 0 0 1 5.5 -5.5H${width - 6}a5.5 5.5 0 0 1 5.5 5.5V${HEAD - 2}z`
}

function formatCurve([start, ...rest]: readonly Point[]): string {
  const format = ({ x, y }: Point): string => `${x.toFixed(1)} ${y.toFixed(1)}`
  return start === undefined ? '' : `M${format(start)}C${rest.map(format).join(' ')}`
}
