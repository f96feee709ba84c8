// The picture of a file, with its focal point, which a click or the arrow keys set.

import type { ComponentChildren } from 'preact'
import { useRef } from 'preact/hooks'
import { say } from '../messages.ts'
import { type FocalPoint, formatPoint, getPlace, limitPoint, movePoint } from './focal-point.ts'
import { isOwnPicture, type MediaFile } from './media.ts'

interface PictureProps {
  readonly file: MediaFile
  /** Undefined where files have none. */
  readonly point: FocalPoint | null | undefined
  /** Undefined: the caller may not change it. */
  readonly onPoint: ((point: FocalPoint | null) => void) | undefined
}

export function FilePicture({ file: { url, mime, alternativeText }, point, onPoint }: PictureProps) {
  if (!isOwnPicture(mime, url)) return null
  const picture = <img class="file-picture" src={url} alt={alternativeText ?? ''} />
  if (point === undefined) return picture
  if (onPoint !== undefined) return <PointChoice {...{ picture, point, onPoint }} />
  return (
    <>
      <div class="focal-picture">
        {picture}
        {point !== null && <span class="focal-point" style={getPlace(point)} />}
      </div>
      <p class="quiet">
        {say('Focal point')}: {formatPoint(point)}
      </p>
    </>
  )
}

interface ChoiceProps {
  readonly picture: ComponentChildren
  readonly point: FocalPoint | null
  onPoint(point: FocalPoint | null): void
}

function PointChoice({ picture, point, onPoint }: ChoiceProps) {
  const handle = useRef<HTMLDivElement>(null)
  const setByClick = ({ currentTarget, clientX, clientY }: MouseEvent): void => {
    const { left, top, width, height } = (currentTarget as Element).getBoundingClientRect()
    onPoint(limitPoint({ x: ((clientX - left) / width) * 100, y: ((clientY - top) / height) * 100 }))
    handle.current?.focus()
  }
  const setByKey = (event: KeyboardEvent): void => {
    const moved = movePoint(point, event)
    if (moved === undefined) return
    event.preventDefault()
    onPoint(moved)
  }
  return (
    <div class="focal">
      {/* biome-ignore lint/a11y: the handle within it takes the keys */}
      <div class="focal-picture" onClick={setByClick}>
        {picture}
        <div
          ref={handle}
          class={point === null ? 'focal-point unset' : 'focal-point'}
          style={getPlace(point)}
          role="slider"
          tabIndex={0}
          aria-label={say('Focal point')}
          aria-valuemin={0}
          aria-valuemax={100}
          aria-valuenow={point?.x ?? 50}
          aria-valuetext={formatPoint(point)}
          onKeyDown={setByKey}
        />
      </div>
      <p class="quiet">
        {say('Focal point')}: {formatPoint(point)}.{' '}
        {point === null && say('A click on the picture sets it, the arrow keys move it.')}
        {point !== null && (
          <button
            type="button"
            class="small"
            onClick={() => {
              onPoint(null)
              handle.current?.focus()
            }}
          >
            {say('Remove the focal point')}
          </button>
        )}
      </p>
    </div>
  )
}
