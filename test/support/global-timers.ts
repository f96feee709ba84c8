// The timers of node:timers that a test may fake: those of the global object, whatever they are when they are called.
// For `vi.mock('node:timers', () => import('../../support/global-timers.ts'))`.

export const setTimeout: typeof globalThis.setTimeout = ((
  ...given: Parameters<typeof globalThis.setTimeout>
) => globalThis.setTimeout(...given)) as typeof globalThis.setTimeout

export const clearTimeout: typeof globalThis.clearTimeout = (timer) => globalThis.clearTimeout(timer)
