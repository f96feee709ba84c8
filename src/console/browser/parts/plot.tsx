// Draws a line for numbers at equal distances, the newest at the right.

interface PlotProps {
  readonly values: readonly number[]
  readonly unit: string
  readonly label: string
}

const WIDTH = 300
const HEIGHT = 80

export function Plot({ values, unit, label }: PlotProps) {
  const most = Math.max(1, ...values)
  const step = WIDTH / Math.max(1, values.length - 1)
  const points = values.map(
    (value, index) => `${(index * step).toFixed(1)},${(HEIGHT - (value / most) * HEIGHT).toFixed(1)}`,
  )
  const last = values.at(-1) ?? 0
  const shown = (value: number): string =>
    `${value >= 10 ? Math.round(value) : Math.round(value * 10) / 10}${unit}`
  return (
    <figure class="plot">
      <svg
        viewBox={`0 -4 ${WIDTH} ${HEIGHT + 8}`}
        preserveAspectRatio="none"
        role="img"
        aria-label={`${label}: now ${shown(last)}, at most ${shown(most)}`}
      >
        <polygon points={`0,${HEIGHT} ${points.join(' ')} ${WIDTH},${HEIGHT}`} />
        <polyline points={points.join(' ')} />
      </svg>
      <figcaption class="quiet">
        now {shown(last)} · at most {shown(Math.max(0, ...values))}
      </figcaption>
    </figure>
  )
}
