// Repeats a command's work after each edit, until a signal ends it.

import { watchFiles } from '../lib/file-watch/watch-file.ts'
import type { Invocation } from './invocation.ts'
import type { Io } from './io.ts'
import { exitCodes } from './reporter.ts'

/** One call at a time; it returns the files to follow from then on. */
export async function followEdits(
  { command, io }: Invocation,
  files: readonly string[],
  readAt: number,
  again: () => Promise<readonly string[]>,
): Promise<number> {
  let followed = files
  let writing = Promise.resolve()
  const watch = await watchFiles(files, {
    poll: command.flags.poll,
    since: readAt,
    onChange() {
      writing = writing.then(async () => {
        // A wrong edit may name fewer files than are needed to correct it.
        followed = [...new Set([...followed, ...(await again())])]
        await watch.setFiles(followed)
      })
    },
    onMissing: (file) => io.err(`cms-run: ${file} is gone; waiting until it is back\n`),
  })
  await waitForEnd(io)
  await watch.close()
  await writing
  return exitCodes.ok
}

export function waitForEnd(io: Pick<Io, 'onSignal'>): Promise<void> {
  return new Promise((resolve) => {
    const forget = (['SIGTERM', 'SIGINT'] as const).map((name) =>
      io.onSignal(name, () => {
        for (const one of forget) one()
        resolve()
      }),
    )
  })
}
