// Draws a layout of the model as SVG.

import { formatRow, HEAD, type Layout, type Line, ROW } from './lay-out.ts'

interface DiagramProps {
  readonly layout: Layout
  readonly zoom: number
  readonly chosen: string | undefined
  onChoose(uid: string): void
}

export function Diagram({ layout: { boxes, lines, width, height }, zoom, chosen, onChoose }: DiagramProps) {
  return (
    <svg class="diagram" width={width * zoom} height={height * zoom} viewBox={`0 0 ${width} ${height}`}>
      <title>Content-types and their relations</title>
      <defs>
        <marker
          id="arrow"
          viewBox="0 0 8 8"
          refX="7"
          refY="4"
          markerUnits="userSpaceOnUse"
          markerWidth="8"
          markerHeight="8"
          orient="auto"
        >
          <path class="arrow" d="M0 0 8 4 0 8z" />
        </marker>
      </defs>
      {lines.map((line) => (
        <g class={line.from === chosen || line.to === chosen ? 'near' : ''}>
          <path class="line" d={formatPath(line)} marker-end="url(#arrow)">
            <title>{line.label}</title>
          </path>
        </g>
      ))}
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
          <text class="name" x="12" y={HEAD - 9}>
            {schema.displayName}
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
    </svg>
  )
}

function formatPath({ points }: Line): string {
  const [first, ...rest] = points
  if (first === undefined) return ''
  return `M${first.x} ${first.y}${rest.map(({ x, y }) => `L${x} ${y}`).join('')}`
}
