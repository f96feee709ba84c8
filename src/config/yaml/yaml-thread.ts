// The script of the thread in `parse-in-thread.ts`.

import { parentPort, workerData } from 'node:worker_threads'
import { type ReadYaml, readYaml } from './parse-yaml.ts'
import type { SourceTree } from './source-tree.ts'

export interface YamlMessage extends Pick<ReadYaml, 'value' | 'diagnostics'> {
  readonly tree: SourceTree | undefined
}

const { value, diagnostics, tree: treeOf } = readYaml(String(workerData))
const tree = treeOf?.()
const message: YamlMessage = { value, diagnostics, tree }
parentPort?.postMessage(
  message,
  tree === undefined ? [] : [tree.cells.buffer as ArrayBuffer, tree.links.buffer as ArrayBuffer],
)
