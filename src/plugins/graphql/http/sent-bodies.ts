// Remembers the bodies that were sent again and again with the keys of their answers: to compare the bytes of a body takes a
// fraction of the time of making a text of them, and of looking for that text.

import type { Principal } from '../../../auth/principal.ts'
import type { Asked } from '../../../http/kept-answers.ts'
import type { HttpRequest } from '../../../http/request.ts'
import type { ResponseFormat } from './response-format.ts'

/** Bodies that are remembered at most, one for each place: a megabyte together. */
const PLACES = 256
/** Bytes of the longest of them. */
const LONGEST = 2000

/** What takes the place of a question whose key is known. */
const KNOWN = ''

interface Remembered {
  readonly caller: object
  readonly kind: string
  readonly contentType: string
  readonly path: string
  readonly body: Buffer
  readonly key: string
}

export class SentBodies {
  readonly #places: (Remembered | undefined)[] = new Array(PLACES).fill(undefined)

  /** The question that a body asks whose answer was found before. */
  find(
    request: HttpRequest,
    { kind, permissions }: Principal,
    { contentType }: ResponseFormat,
    body: Uint8Array,
  ): Asked | undefined {
    const one = this.#places[placeOf(body)]
    const isSame =
      one !== undefined &&
      one.caller === permissions &&
      one.kind === kind &&
      one.contentType === contentType &&
      one.path === request.path &&
      one.body.equals(body)
    return isSame ? { request, caller: permissions, question: KNOWN, key: one.key } : undefined
  }

  /** Called when the answer to the question was found. */
  remember(
    { key, question, request }: Asked,
    { kind, permissions }: Principal,
    formatFor: (request: HttpRequest) => ResponseFormat,
    body: Uint8Array,
  ): void {
    if (key === undefined || question === KNOWN || body.length > LONGEST) return
    this.#places[placeOf(body)] = {
      caller: permissions,
      kind,
      contentType: formatFor(request).contentType,
      path: request.path,
      // A copy, which keeps no more memory than its bytes.
      body: Buffer.from(Uint8Array.from(body).buffer),
      key,
    }
  }
}

/** Of bodies that differ in a value only, which is near the end, most have other places. */
function placeOf(body: Uint8Array): number {
  let hash = body.length
  for (let index = body.length - 1; index >= 0 && index >= body.length - LOOKED_AT; index--)
    hash = Math.imul(hash, 31) + (body[index] as number)
  return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & (PLACES - 1)
}

const LOOKED_AT = 64
