// Watches the files of the live configuration and of refused edits.

import type { FileWatch } from '../lib/file-watch/watch-file.ts'
import type { Log } from '../observe/log/create-log.ts'

interface FollowedFiles {
  start(poll: boolean): Promise<void>
  taken(files: readonly string[]): void
  /** A later edit may correct a refused one. */
  refused(files: readonly string[]): void
  close(): Promise<void>
}

export interface FollowOptions {
  readonly files: readonly string[]
  /** Epoch milliseconds; edits made since are noticed, too. */
  readonly readAt: number
  readonly log: Log
  onChange(): void
}

export function followFiles({ files, readAt, log, onChange }: FollowOptions): FollowedFiles {
  let live = files
  let followed = files
  let watch: Promise<FileWatch> | undefined
  let closed = false

  function follow(some: readonly string[]): void {
    followed = some
    watch
      ?.then((one) => one.setFiles(some))
      .catch((error: unknown) =>
        log.error(
          { error },
          'the files of the new configuration cannot be watched: restart to take their edits',
        ),
      )
  }

  async function open(poll: boolean): Promise<FileWatch> {
    const { watchFiles } = await import('../lib/file-watch/watch-file.ts')
    return watchFiles(followed, {
      poll,
      since: readAt,
      onChange,
      onMissing(file, reason) {
        const what = reason === undefined ? 'is gone' : `cannot be read (${reason})`
        log.warn(`${file} ${what}; the current configuration stays in use until the next save without errors`)
      },
    })
  }

  return {
    async start(poll) {
      if (closed) return
      watch = open(poll)
      await watch
    },
    taken(some) {
      live = some
      follow(some)
    },
    refused: (some) => follow([...new Set([...live, ...some])]),
    async close() {
      closed = true
      await (await watch?.catch(() => undefined))?.close()
    },
  }
}
