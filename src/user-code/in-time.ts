// Users' code that is waited for -> what it answers, or an error that names it when it took too long. It cannot be ended:
// it is no longer waited for.

import { clearTimeout, setTimeout } from 'node:timers'

export class TookTooLong extends Error {
  override name = 'TookTooLong'
}

/** `name` is how the error names it. */
export async function inTime<T>(task: () => T | Promise<T>, longest: number, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new TookTooLong(`${name} was not done after ${seconds(longest)}`))
    timer = setTimeout(fail, longest)
  })
  try {
    return await Promise.race([task(), late])
  } finally {
    clearTimeout(timer)
  }
}

export function seconds(milliseconds: number): string {
  const count = milliseconds / 1000
  return `${count} second${count === 1 ? '' : 's'}`
}
