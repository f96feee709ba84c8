// Waits for users' code for a limited time, then rejects. The code itself keeps running.

import { clearTimeout, setTimeout } from 'node:timers'

export class TimedOut extends Error {
  override name = 'TimedOut'
}

export async function withTimeout<T>(task: () => T | Promise<T>, longest: number, name: string): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    const fail = (): void => reject(new TimedOut(`${name} was not done after ${formatSeconds(longest)}`))
    timer = setTimeout(fail, longest)
  })
  try {
    return await Promise.race([task(), late])
  } finally {
    clearTimeout(timer)
  }
}

export function formatSeconds(milliseconds: number): string {
  const count = milliseconds / 1000
  return `${count} second${count === 1 ? '' : 's'}`
}
