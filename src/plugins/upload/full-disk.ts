// What a full disk or a spent quota says -> an answer that a client can wait for; other faults are ours and stay so.

import { ApiError } from '../../errors/api-error.ts'

const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG', 'EMFILE', 'ENFILE'])

export async function whileThereIsSpace<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (typeof code !== 'string' || !FULL.has(code)) throw error
    throw new ApiError(
      'ServiceUnavailableError',
      'There is no space to store the file',
      {},
      { 'retry-after': '60' },
    )
  }
}
