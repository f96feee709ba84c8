// Refuses components that would contain themselves.

import type { DiagnosticPath } from '../../lib/errors/diagnostic.ts'
import type { CheckContext } from '../checking.ts'
import type { AttributeSource } from '../type-source.ts'

interface Step {
  readonly uid: string
  readonly path: DiagnosticPath
}

/** Each cycle is reported once, at the attribute that closes it. */
export function checkComponentCycles({ sources, fault }: CheckContext): void {
  const finished = new Set<string>()
  const visit = (uid: string, trail: readonly string[]): void => {
    for (const { uid: next, path } of stepsFrom(sources.components.get(uid)?.attributes ?? [])) {
      const start = trail.indexOf(next)
      if (start !== -1) {
        const cycle = [...trail.slice(start), next].join(' -> ')
        fault('MOD022', path, `component "${next}" would contain itself: ${cycle}`, {
          help: 'use a relation between content-types for what may nest without end',
        })
      } else if (!finished.has(next)) visit(next, [...trail, next])
    }
    finished.add(uid)
  }
  for (const uid of sources.components.keys()) if (!finished.has(uid)) visit(uid, [uid])
}

function stepsFrom(attributes: readonly AttributeSource[]): Step[] {
  return attributes.flatMap(({ config, path }) => {
    if (config.type === 'component' && config.component !== undefined) {
      return [{ uid: config.component, path: [...path, 'component'] }]
    }
    if (config.type !== 'dynamiczone') return []
    return (config.components ?? []).map((uid, index) => ({ uid, path: [...path, 'components', index] }))
  })
}
