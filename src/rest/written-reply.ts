// The answer to a write: the entry as it is now, populated as the request asks.

import type { Written } from '../content/content.ts'
import { encodeInSlices } from '../content/encode-once.ts'
import { jsonReply, type Reply } from '../http/reply.ts'
import { createEntryEncoder } from './entry-encoder.ts'
import { oneEnvelope } from './envelope.ts'

export function writtenReply({ plan, entry }: Written): Promise<Reply> {
  const encode = createEntryEncoder(plan)
  return encodeInSlices(() => jsonReply(200, oneEnvelope(entry, encode)))
}
