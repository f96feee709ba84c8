// The space in which the diagram is moved and zoomed, with the pointer or the keyboard.

import { Maximize, ZoomIn, ZoomOut } from 'lucide'
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks'
import { Icon } from '../parts/icon.tsx'
import { Diagram } from './diagram.tsx'
import type { Layout } from './lay-out.ts'

interface CanvasProps {
  readonly layout: Layout
  readonly chosen: string | undefined
  onChoose(uid: string | undefined): void
}

const MIN_ZOOM = 0.15
const MAX_ZOOM = 3
const STEP = 1.25
/** A click may move the pointer by fewer pixels. */
const MIN_DRAG_PIXELS = 4

interface Anchor {
  /** Within the drawing. */
  readonly x: number
  readonly y: number
  /** Within the canvas. */
  readonly left: number
  readonly top: number
}

export function Canvas({ layout, chosen, onChoose }: CanvasProps) {
  const frame = useRef<HTMLElement>(null)
  const anchor = useRef<Anchor | undefined>(undefined)
  const size = useSize(frame)
  /** Undefined: the whole drawing is shown. */
  const [fixed, setFixed] = useState<number>()
  const byWidth = size.width === 0 ? 1 : Math.min(1, size.width / layout.width)
  const fit = size.height === 0 ? byWidth : Math.min(byWidth, size.height / layout.height)
  const zoom = fixed ?? fit
  const drag = useDrag(frame)

  /** Keeps the point of the drawing that is at `left`, `top` of the canvas where it is. */
  const zoomTo = (next: number, left = size.width / 2, top = size.height / 2): void => {
    const canvas = frame.current
    if (canvas === null) return
    const x = (canvas.scrollLeft + left - getIndent(size.width, layout.width * zoom)) / zoom
    const y = (canvas.scrollTop + top - getIndent(size.height, layout.height * zoom)) / zoom
    anchor.current = { x, y, left, top }
    setFixed(Math.min(MAX_ZOOM, Math.max(MIN_ZOOM, next)))
  }
  useLayoutEffect(() => {
    const { current: canvas } = frame
    const { current: kept } = anchor
    if (canvas === null || kept === undefined) return
    anchor.current = undefined
    canvas.scrollLeft = kept.x * zoom + getIndent(size.width, layout.width * zoom) - kept.left
    canvas.scrollTop = kept.y * zoom + getIndent(size.height, layout.height * zoom) - kept.top
  }, [zoom])
  useEffect(() => {
    const canvas = frame.current
    // Preact would add it as a passive listener, which cannot keep the browser from zooming the page.
    const onWheel = (event: WheelEvent): void => {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { left, top } = (event.currentTarget as Element).getBoundingClientRect()
      zoomTo(zoom * Math.exp(-event.deltaY / 300), event.clientX - left, event.clientY - top)
    }
    canvas?.addEventListener('wheel', onWheel, { passive: false })
    return () => canvas?.removeEventListener('wheel', onWheel)
  })
  // The details take room beside the drawing, which is not made smaller for them.
  useEffect(() => {
    if (chosen === undefined) return
    const box = frame.current?.querySelector('.chosen')
    box?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
  }, [chosen, size.width])

  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === '+' || event.key === '=') zoomTo(zoom * STEP)
    else if (event.key === '-') zoomTo(zoom / STEP)
    else if (event.key === '0') setFixed(undefined)
    else if (event.key === 'Escape') onChoose(undefined)
    else return
    event.preventDefault()
  }
  return (
    <div class="canvas-with-buttons">
      <section
        class="scroll canvas"
        tabIndex={0}
        aria-label="Diagram"
        aria-describedby="diagram-keys"
        ref={frame}
        style={{ height: `${Math.ceil(layout.height * Math.max(byWidth, fixed ?? 0))}px` }}
        onKeyDown={onKeyDown}
        {...drag}
      >
        <Diagram
          layout={layout}
          zoom={zoom}
          chosen={chosen}
          onChoose={(uid) => {
            setFixed(zoom)
            onChoose(uid)
          }}
        />
      </section>
      <p id="diagram-keys" class="hidden">
        Plus and minus change the size, zero shows the whole diagram, arrow keys move it.
      </p>
      <div class="canvas-buttons">
        <button
          type="button"
          class="icon-only quiet"
          aria-label="Smaller"
          title="Smaller (−)"
          onClick={() => zoomTo(zoom / STEP)}
        >
          <Icon of={ZoomOut} />
        </button>
        <button
          type="button"
          class="quiet"
          title="Actual size"
          aria-label={`${Math.round(zoom * 100)} %: show at 100 %`}
          onClick={() => zoomTo(1)}
        >
          {Math.round(zoom * 100)} %
        </button>
        <button
          type="button"
          class="icon-only quiet"
          aria-label="Larger"
          title="Larger (+)"
          onClick={() => zoomTo(zoom * STEP)}
        >
          <Icon of={ZoomIn} />
        </button>
        <button
          type="button"
          class="quiet"
          title="Show the whole diagram (0)"
          onClick={() => setFixed(undefined)}
        >
          <Icon of={Maximize} /> Fit
        </button>
      </div>
    </div>
  )
}

/** Left of a drawing that is smaller than the canvas, which centers it. */
function getIndent(room: number, drawn: number): number {
  return Math.max(0, (room - drawn) / 2)
}

function useSize(frame: { readonly current: HTMLElement | null }): {
  readonly width: number
  readonly height: number
} {
  const [size, setSize] = useState({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const canvas = frame.current
    if (canvas === null) return
    const measure = (): void => {
      // With the room of scrollbars, which a drawing that fits does not need.
      setSize({ width: canvas.offsetWidth, height: canvas.offsetHeight })
    }
    const observer = new ResizeObserver(measure)
    observer.observe(canvas)
    measure()
    return () => observer.disconnect()
  }, [])
  return size
}

/** Moves the canvas under the mouse; a finger scrolls it as the browser does. */
function useDrag(frame: { readonly current: HTMLElement | null }) {
  const begin = useRef<{ readonly x: number; readonly y: number } | undefined>(undefined)
  const moved = useRef(false)
  return {
    onPointerDown(event: PointerEvent) {
      moved.current = false
      if (event.pointerType === 'mouse' && event.button === 0)
        begin.current = { x: event.clientX, y: event.clientY }
    },
    onPointerMove(event: PointerEvent) {
      const canvas = frame.current
      if (begin.current === undefined || canvas === null) return
      const { x, y } = begin.current
      if (!moved.current && Math.hypot(event.clientX - x, event.clientY - y) < MIN_DRAG_PIXELS) return
      moved.current = true
      canvas.setPointerCapture(event.pointerId)
      canvas.scrollLeft -= event.clientX - x
      canvas.scrollTop -= event.clientY - y
      begin.current = { x: event.clientX, y: event.clientY }
    },
    onPointerUp() {
      begin.current = undefined
    },
    onClickCapture(event: Event) {
      if (moved.current) event.stopPropagation()
      moved.current = false
    },
  }
}
