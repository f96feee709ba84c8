// Runs in a thread of its own (`parse-aside.ts`): the text of a large YAML file -> its values, what is wrong with it,
// and where everything was written, all of it data that goes to the thread that asked.

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
