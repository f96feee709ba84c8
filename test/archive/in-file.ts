// A folder of its own for a test, with a file in it.

import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

export function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'cms-run-archive-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function inFile(text: string, name = 'cms.yaml'): string {
  const file = join(newFolder(), name)
  writeFileSync(file, text)
  return file
}
