// A file as a GraphQL variable. The `Upload` scalar accepts only this class, never a client's JSON.

import { ApiError } from '../lib/errors/api-error.ts'
import type { ReceivedFile } from './file-intake.ts'

export class UploadedFile {
  readonly file: ReceivedFile
  private taken = false

  constructor(file: ReceivedFile) {
    this.file = file
  }

  /** Throws ValidationError on the second call, so that one sent file cannot be stored many times. */
  take(): ReceivedFile {
    if (this.taken) {
      const message = `The file "${this.file.filename}" is used more than once: send it once for each use`
      throw new ApiError('ValidationError', message)
    }
    this.taken = true
    return this.file
  }
}
