// The exit codes of the process.

export const exitCodes = {
  ok: 0,
  /** A check or a run failed. */
  failed: 1,
  /** Wrong usage: an unknown command or flag, or one that this version does not have. */
  usage: 2,
  /** `plan --exit-code`: the database would change, without loss of stored values. */
  changes: 3,
  /** `plan --exit-code`: stored values would be dropped. */
  destructive: 4,
} as const

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes]
