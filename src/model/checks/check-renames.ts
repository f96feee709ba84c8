// Checks `renamedFrom`: the old name must not exist any more, and may be used only once.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { CheckContext } from '../checking.ts'

export function checkRenames({ config, sources, fault }: CheckContext): void {
  const types = [...sources.types.values()].map(({ uid, path, config: { renamedFrom } }) => ({
    name: uid as string,
    path,
    renamedFrom,
  }))
  // A plugin decides the names of its content-types.
  for (const { uid, plugin, path } of sources.types.values()) {
    if (plugin === undefined || config.contentTypes[uid]?.renamedFrom === undefined) continue
    fault('MOD091', [...path, 'renamedFrom'], `"${uid}" is the plugin ${plugin}'s, and was never renamed`, {
      help: 'take renamedFrom out; attributes of it may have one',
    })
  }
  const components = [...sources.components.values()].map(({ uid, path, config: { renamedFrom } }) => ({
    name: uid,
    path,
    renamedFrom,
  }))
  checkNames('content-type', types, fault)
  checkNames('component', components, fault)
  for (const { attributes } of [...sources.types.values(), ...sources.components.values()]) {
    checkNames(
      'attribute',
      attributes.map(({ name, path, config: { renamedFrom } }) => ({ name, path, renamedFrom })),
      fault,
    )
  }
}

interface NamedItem {
  readonly name: string
  readonly path: DiagnosticPath
  readonly renamedFrom: string | undefined
}

function checkNames(what: string, all: readonly NamedItem[], fault: CheckContext['fault']): void {
  const names = new Set(all.map(({ name }) => name))
  const claimed = new Map<string, string>()
  for (const { name, path, renamedFrom } of all) {
    if (renamedFrom === undefined) continue
    const place = [...path, 'renamedFrom']
    const other = claimed.get(renamedFrom)
    if (names.has(renamedFrom)) {
      const itself = renamedFrom === name
      fault(
        'MOD091',
        place,
        itself
          ? `"${name}" cannot have been renamed from its own name`
          : `"${renamedFrom}" is still there, so "${name}" was not renamed from it`,
        {
          help: itself
            ? 'take renamedFrom out'
            : `take renamedFrom out, or remove the ${what} "${renamedFrom}"`,
        },
      )
    } else if (other !== undefined) {
      fault('MOD092', place, `"${other}" was renamed from "${renamedFrom}" already`, {
        help: 'one of the two may have its values: take renamedFrom out of the other',
      })
    }
    claimed.set(renamedFrom, name)
  }
}
