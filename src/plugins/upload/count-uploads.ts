// Counts stored files and their bytes, where metrics are on.

import type { Metrics } from '../../metrics/metrics.ts'
import type { Intake } from './create-intake.ts'

export function countUploads(intake: Intake, metrics: Metrics | undefined): Intake {
  if (metrics === undefined) return intake
  const files = metrics.counter('cms_uploads_total', 'Files that were stored.').of()
  const bytes = metrics.counter('cms_upload_bytes_total', 'Bytes of the files that were stored.').of()
  return {
    ...intake,
    async store(received, infos, by) {
      const stored = await intake.store(received, infos, by)
      files.add(received.length)
      bytes.add(received.reduce((sum, { size }) => sum + size, 0))
      return stored
    },
  }
}
