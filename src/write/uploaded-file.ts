// A file as the value of a GraphQL variable: the `Upload` scalar accepts only this class, never JSON of a client. The
// reader of multipart requests creates it; the resolver that stores the file takes it.

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
