// A file as the value of a GraphQL variable: the `Upload` scalar takes this class and nothing that a client can write as
// JSON. Made by the reader of multipart requests, opened by resolvers that store files.

import type { ReceivedFile } from './file-intake.ts'

export class UploadedFile {
  readonly file: ReceivedFile

  constructor(file: ReceivedFile) {
    this.file = file
  }
}
