// Creates document ids as Strapi 5 does: 24 characters of a-z and 0-9 that begin with a letter.

import { createHash, randomBytes } from 'node:crypto'

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const CHARACTERS = `${LETTERS}0123456789`
const ID_LENGTH = 24

/** 124 random bits. */
export function createDocumentId(): string {
  let id = ''
  while (id.length < ID_LENGTH) {
    const from = id === '' ? LETTERS : CHARACTERS
    // Bytes beyond the last whole multiple would make some characters more likely than others.
    for (const byte of randomBytes(ID_LENGTH)) {
      if (byte < 256 - (256 % from.length) && id.length < (from === LETTERS ? 1 : ID_LENGTH))
        id += from[byte % from.length]
    }
  }
  return id
}

/**
 * Computes the id of an entry under `data`, the same at every start: `d` and the digest of its type and id.
 */
export function deriveDocumentId(uid: string, id: number): string {
  return `d${createHash('sha256')
    .update(`${uid}:${id}`)
    .digest('hex')
    .slice(0, ID_LENGTH - 1)}`
}
