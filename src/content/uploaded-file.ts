// A file as the value of a GraphQL variable: the `Upload` scalar takes this class and nothing that a client can write as
// JSON. Made by the reader of multipart requests, taken by the one resolver that stores it.

import { ApiError } from '../errors/api-error.ts'
import type { ReceivedFile } from './file-intake.ts'

export class UploadedFile {
  readonly file: ReceivedFile
  private taken = false

  constructor(file: ReceivedFile) {
    this.file = file
  }

  /** Throws ValidationError the second time: one file that is sent must not be stored many times. */
  take(): ReceivedFile {
    if (this.taken) {
      const message = `The file "${this.file.filename}" is used more than once: send it once for each use`
      throw new ApiError('ValidationError', message)
    }
    this.taken = true
    return this.file
  }
}
