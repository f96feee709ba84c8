// Sources -> who imports whom, and which rules that breaks. Pure, so that a small made-up tree can show
// that each rule finds what breaks it.

import { dirname, join, normalize } from 'node:path/posix'

/** Path from `src/` on, with `/` -> text. */
export type Sources = ReadonlyMap<string, string>

/** A room is a folder of `src/`, or one of these folders within it, whose parts stand at different heights. */
const layers: Readonly<Record<string, number>> = {
  lib: 0,
  client: 0,
  'observe/log': 1,
  'observe/metrics': 1,
  'attribute-types': 1,
  expressions: 1,
  config: 2,
  http: 2,
  'lib/file-watch': 2,
  'testing/fault-injection': 3,
  'testing/requests': 3,
  model: 3,
  plan: 4,
  access: 4,
  'storage/sql': 5,
  storage: 6,
  'storage/archive': 7,
  'access/stored': 7,
  query: 7,
  write: 8,
  operations: 9,
  rest: 10,
  plugins: 10,
  'strapi/import': 10,
  'strapi/recording': 11,
  'user-code': 11,
  describe: 11,
  'storage/migration': 11,
  'observe/requests': 11,
  'observe/monitoring': 11,
  'observe/tracing': 11,
  'testing/contract': 11,
  'app/workers': 11,
  'file-edits': 12,
  console: 13,
  app: 14,
  testing: 15,
  'testing/cases': 15,
  cli: 16,
  'index.ts': 16,
}

const IMPORT = /(?:^|[^.\w])(?:import|export)\s+(?:type\s+)?(?:[\w*\s{},$]+\s+from\s+)?['"]([^'"]+)['"]/g
const CALL = /\bimport\(\s*['"]([^'"]+)['"]\s*\)/g

export function importsOf(text: string): readonly string[] {
  const code = withoutComments(text)
  return [...code.matchAll(IMPORT), ...code.matchAll(CALL)].map((match) => match[1] ?? '')
}

/** Comments on lines of their own are dropped; what stands behind code on a line stays. */
export function withoutComments(text: string): string {
  return text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '')
}

/** File -> files of `src/` that it imports, types included. */
export function importGraph(sources: Sources): ReadonlyMap<string, readonly string[]> {
  const graph = new Map<string, readonly string[]>()
  for (const [file, text] of sources) {
    const local = importsOf(text).filter((target) => target.startsWith('.'))
    graph.set(
      file,
      local.map((target) => normalize(join(dirname(file), target))),
    )
  }
  return graph
}

export function roomOf(file: string): string {
  const [first = '', second = ''] = file.split('/')
  const within = `${first}/${second}`
  const isPlugin = first === 'plugins' && second !== '' && !second.endsWith('.ts')
  return isPlugin || within in layers ? within : first
}

function layerOf(room: string): number | undefined {
  return isInsidePlugin(room) ? layers['plugins'] : layers[room]
}

export function brokenLayers(sources: Sources): readonly string[] {
  const broken: string[] = []
  for (const [file, targets] of importGraph(sources)) {
    const room = roomOf(file)
    const layer = layerOf(room)
    if (layer === undefined) broken.push(`${file}: no layer for ${room}`)
    for (const target of targets) {
      if (target.startsWith('..')) continue
      const targetRoom = roomOf(target)
      const targetLayer = layerOf(targetRoom)
      if (room === targetRoom || layer === undefined || targetLayer === undefined) continue
      if (isInsidePlugin(targetRoom) && !isInsidePlugin(room) && file !== PLUGIN_LIST) {
        broken.push(`${file} imports from inside a plugin: ${target}`)
      } else if (targetLayer > layer) broken.push(`${file} imports up: ${target}`)
      else if (targetLayer === layer && !sameLayerAllowed(room, targetRoom)) {
        broken.push(`${file} imports a room of its own layer: ${target}`)
      }
    }
  }
  return broken
}

const PLUGIN_LIST = 'plugins/built-in-plugins.ts'

function isInsidePlugin(room: string): boolean {
  return room.startsWith('plugins/')
}

/** The list names the plugins; a plugin knows its contract, never a sibling. */
function sameLayerAllowed(room: string, target: string): boolean {
  if (room === 'plugins') return target.startsWith('plugins/')
  return isInsidePlugin(room) && target === 'plugins'
}

/** Every circle once, as the files that make it. */
export function circles(sources: Sources): readonly string[] {
  return circlesIn(importGraph(sources))
}

/**
 * The same between the folders of a room. A file at the top of a room stands for itself: some are what the folders share,
 * others put the folders together.
 */
export function folderCircles(sources: Sources): readonly string[] {
  const graph = new Map<string, Set<string>>()
  for (const [file, targets] of importGraph(sources)) {
    const from = nodeOf(file)
    const reached = graph.get(from) ?? new Set()
    graph.set(from, reached)
    for (const target of targets.map(nodeOf)) if (target !== from) reached.add(target)
  }
  return circlesIn(graph)
}

function nodeOf(file: string): string {
  const folder = dirname(file)
  return folder === roomOf(file) || folder === '.' ? file : folder
}

function circlesIn(graph: ReadonlyMap<string, Iterable<string>>): readonly string[] {
  const state = new Map<string, 'open' | 'done'>()
  const found: string[] = []
  const visit = (file: string, path: readonly string[]): void => {
    if (state.get(file) === 'done') return
    if (state.get(file) === 'open') {
      found.push([...path.slice(path.indexOf(file)), file].join(' -> '))
      return
    }
    state.set(file, 'open')
    for (const target of graph.get(file) ?? []) visit(target, [...path, file])
    state.set(file, 'done')
  }
  for (const file of graph.keys()) visit(file, [])
  return found
}

const VALUES = /^(?:import|export)\s+(?!type\b)(?:([\w*\s{},$]+?)\s+from\s+)?['"]([^'"]+)['"]/gm

/** What is loaded with a file: the packages of its imports and of theirs, without types and without `import()`. */
export function packagesLoadedWith(sources: Sources, ...entries: readonly string[]): readonly string[] {
  const packages = new Set<string>()
  const loaded = new Set(entries)
  for (const file of loaded) {
    for (const [, names = '', target = ''] of withoutComments(sources.get(file) ?? '').matchAll(VALUES)) {
      const onlyTypes = /^\{(\s*type\s[^,}]*,?)+\s*\}$/.test(names)
      if (onlyTypes || target.startsWith('node:')) continue
      if (target.startsWith('.')) loaded.add(normalize(join(dirname(file), target)))
      else packages.add(target)
    }
  }
  return [...packages].sort()
}

/** A package that only some files may import. */
export function strayImports(sources: Sources, name: string, allowed: RegExp): readonly string[] {
  return [...sources]
    .filter(([file, text]) => !allowed.test(file) && importsOf(text).some((target) => target === name))
    .map(([file]) => `${file} imports ${name}`)
}
