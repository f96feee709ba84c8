// Measures, compresses and formats images with sharp, if installed. Pixels are counted before decoding, and
// only a few images are processed at once.

import type sharpModule from 'sharp'
import { createWorkQueue } from '../../http/work-queue.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { PluginLog } from '../plugin.ts'
import { type ImageSource, measureImage } from './measure-image.ts'

export interface ImageFormat {
  readonly name: string
  readonly bytes: Uint8Array
  readonly width: number
  readonly height: number
}

interface WorkedImage {
  readonly width: number | null
  readonly height: number | null
  /** Undefined if the image stays unchanged. */
  readonly optimized: Uint8Array | undefined
  readonly formats: readonly ImageFormat[]
}

export interface Images {
  /**
   * Undefined if the file is not an image; without sharp, only its size is read. Throws ApiError if it cannot
   * be decoded.
   */
  work(source: ImageSource, mime: string): Promise<WorkedImage | undefined>
}

interface ImageOptions {
  readonly breakpoints: ReadonlyMap<string, number>
  readonly sizeOptimization: boolean
  readonly log: PluginLog
}

const MEASURED = /^image\/(?:jpeg|png|webp|tiff|svg\+xml|gif|avif)$/
const RESIZED = /^image\/(?:jpeg|png|webp|tiff|gif)$/
const OPTIMIZED = /^image\/(jpeg|png|webp|tiff)$/
const THUMBNAIL = { width: 245, height: 156 }

/** A photo of 10 000 by 10 000. */
const MAX_PIXELS = 100_000_000

type Sharp = typeof sharpModule

let loading: Promise<Sharp | undefined> | undefined
let warned = false
const queue = createWorkQueue(2, 'images')

/** Loaded for the first image; without sharp, everything else still works. */
function loadSharp(): Promise<Sharp | undefined> {
  loading ??= import('sharp').then(
    ({ default: sharp }) => {
      // For many small tasks: no threads within a task, and no cache between tasks.
      sharp.concurrency(1)
      sharp.cache(false)
      return sharp
    },
    () => undefined,
  )
  return loading
}

export function createImages({ breakpoints, sizeOptimization, log }: ImageOptions): Images {
  return {
    async work(source, mime) {
      if (!MEASURED.test(mime)) return undefined
      const sharp = await loadSharp()
      if (sharp === undefined) {
        if (!warned) log.warn('sharp is not installed: images get no formats ("npm install sharp")')
        warned = true
        const size = await measureImage(source, mime)
        return size && { ...size, optimized: undefined, formats: [] }
      }
      return queue.add(() => workOn(sharp, source, mime, { breakpoints, sizeOptimization }))
    },
  }
}

async function workOn(
  sharp: Sharp,
  { bytes, path }: ImageSource,
  mime: string,
  { breakpoints, sizeOptimization }: Pick<ImageOptions, 'breakpoints' | 'sizeOptimization'>,
): Promise<WorkedImage> {
  const options = { limitInputPixels: MAX_PIXELS, failOn: 'error' } as const
  const input = bytes ?? path
  try {
    const read = sharp(input, { ...options, limitInputPixels: false })
    const { width: w, height: h, orientation = 1 } = await read.metadata()
    if (w * h > MAX_PIXELS) throw tooManyPixels(w, h)
    // Rotated by 90 degrees: the visible width is the stored height.
    const [width, height] = orientation >= 5 ? [h, w] : [w, h]
    const formats: ImageFormat[] = []
    if (RESIZED.test(mime)) {
      const resize = async (name: string, box: { width: number; height: number }): Promise<void> => {
        const resized = sharp(input, options)
          .rotate()
          .resize({ ...box, fit: 'inside' })
        const { data, info } = await resized.toBuffer({ resolveWithObject: true })
        formats.push({ name, bytes: data, width: info.width, height: info.height })
      }
      if (width > THUMBNAIL.width || height > THUMBNAIL.height) await resize('thumbnail', THUMBNAIL)
      for (const [name, pixels] of breakpoints) {
        if (pixels < width || pixels < height) await resize(name, { width: pixels, height: pixels })
      }
    }
    const format = OPTIMIZED.exec(mime)?.[1] as 'jpeg' | 'png' | 'webp' | 'tiff' | undefined
    const optimized =
      sizeOptimization && format !== undefined
        ? await sharp(input, options).rotate()[format]({ quality: 80 }).toBuffer()
        : undefined
    return { width, height, optimized, formats }
  } catch (error) {
    if (error instanceof ApiError) throw error
    throw new ApiError('ValidationError', 'The image cannot be decoded')
  }
}

function tooManyPixels(width: number, height: number): ApiError {
  return new ApiError(
    'ValidationError',
    `The image has ${width} x ${height} pixels: at most ${MAX_PIXELS / 1_000_000} million are taken`,
  )
}
