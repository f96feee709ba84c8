// Receives the body of an upload: the files, and the information about them.

import { parseBody } from '../../http/body/parse-body.ts'
import { type MultipartField, readMultipart } from '../../http/body/read-multipart.ts'
import type { HttpRequest } from '../../http/request.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import { isRecord } from '../../lib/is-record.ts'
import type { ContentType } from '../../model/content-type.ts'
import type { FileInfo, FileIntake, ReceivedFile } from '../../write/file-intake.ts'
import { listInfos, parseInfo } from './read-info.ts'

export interface Upload {
  readonly files: readonly ReceivedFile[]
  /** One per file, in the same order; may be fewer. */
  readonly infos: readonly FileInfo[]
  readonly target: Readonly<Record<'ref' | 'refId' | 'field', string | undefined>>
}

interface UploadPlace {
  readonly intake: FileIntake
  readonly fileType: ContentType
}

/** Calls `use` with the upload, then releases the files, also after an error. */
export async function withUpload<T>(
  request: HttpRequest,
  { intake, fileType }: UploadPlace,
  use: (upload: Upload) => Promise<T>,
): Promise<T> {
  const body = await parseBody(request)
  if (body.kind !== 'multipart') {
    const given = body.kind === 'value' && isRecord(body.value) ? body.value['fileInfo'] : undefined
    return use({
      files: [],
      infos: given === undefined ? [] : listInfos(given, fileType),
      target: getTarget([]),
    })
  }
  const places: (ReceivedFile | undefined)[] = []
  try {
    const fields = await readMultipart(request, body.boundary, async (part) => {
      if (part.name !== 'files') throw empty()
      const place = places.push(undefined) - 1
      const file = await intake.receive(part)
      places[place] = file
      if (file.size === 0) throw empty()
    })
    const infos = fields
      .filter(({ name }) => name === 'fileInfo')
      .flatMap(({ value }) => listInfos(parseInfo(value), fileType))
    const files = places.filter((file) => file !== undefined)
    return await use({ files, infos, target: getTarget(fields) })
  } finally {
    for (const file of places) await file?.release()
  }
}

/**
 * As in Strapi, a missing file, an empty file and a file in a field other than `files` share this message.
 */
export function empty(): ApiError {
  return new ApiError('ValidationError', 'Files are empty')
}

function getTarget(fields: readonly MultipartField[]): Upload['target'] {
  const last = (name: string): string | undefined => fields.findLast((field) => field.name === name)?.value
  return { ref: last('ref'), refId: last('refId'), field: last('field') }
}
