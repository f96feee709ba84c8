// Finds the other side that a relation names with `of`, `inversedBy` or `mappedBy`.

import { didYouMean } from '../../lib/did-you-mean.ts'
import type { Steps } from './attribute-form.ts'
import type { Names } from './names.ts'
import { formatSide, formatType, type Side } from './relation-sides.ts'

type NamedSide =
  | { readonly other: Side; readonly owns: boolean }
  | { readonly fault: string; readonly help: string; readonly at: Steps }

/** Returns undefined for faults in `inversedBy` and `mappedBy`, which the model reports. */
export function findNamedSide(side: Side, sides: readonly Side[], names: Names): NamedSide | undefined {
  const of = side.form?.of
  if (of !== undefined) return getSide(of, side, sides, names)
  const other = sides.find(({ schema, name }) => schema === side.target && name === side.named)
  if (other === undefined || other.target !== side.schema || other.oneWay) return undefined
  return { other, owns: side.owns }
}

function getSide(of: string, side: Side, sides: readonly Side[], names: Names): NamedSide {
  const fault = (message: string, help: string): NamedSide => ({ fault: message, help, at: ['of'] })
  const { schema } = side
  if (schema === undefined) {
    const message = `"${side.name}" stands in a component, where a relation has one side only`
    return fault(message, 'write the relation in the content-types that use the component')
  }
  const dot = of.lastIndexOf('.')
  const word = of.slice(0, dot)
  const name = of.slice(dot + 1)
  const [uid, another] = names.getTargets(word)
  if (dot < 0 || uid === undefined || another !== undefined) {
    const message = dot < 0 ? `"${of}" is no attribute of a content-type` : `"${word}" names no content-type`
    const near = didYouMean(word, names.targetNames)
    if (dot > 0 && near !== undefined) return fault(message, `did you mean "${near}.${name}"?`)
    const some = sides.find((other) => other !== side && other.target === schema)
    const example = some === undefined ? 'article.author' : formatSide(some, names)
    return fault(message, `name a content-type and its relation to this one, such as "of: ${example}"`)
  }
  const pointing = sides.filter((other) => other.schema === uid && other.target === schema && other !== side)
  const other = pointing.find((candidate) => candidate.name === name)
  if (other === undefined) {
    const near =
      didYouMean(
        name,
        pointing.map((candidate) => candidate.name),
      ) ?? pointing[0]?.name
    const message = `"${name}" of ${formatType(uid, names)} is no relation to ${formatType(schema, names)}`
    if (near !== undefined) return fault(message, `did you mean "${formatType(uid, names)}.${near}"?`)
    return fault(message, `add to ${formatType(uid, names)}: "${name}: ${formatType(schema, names)}"`)
  }
  if (side.target !== undefined && side.target !== uid) {
    return fault(`"target" and "of" name different content-types`, 'keep one of them')
  }
  if (other.named !== undefined && other.named !== side.name) {
    return fault(
      `${formatSide(other, names)} has another side: "${other.named}"`,
      `point at another relation, or remove "of"`,
    )
  }
  const rival = sides.find((item) => item !== side && item.form?.of === of)
  if (rival !== undefined) {
    return fault(
      `${formatSide(other, names)} has another side: "${rival.name}"`,
      'a relation has two sides: keep one "of"',
    )
  }
  return { other, owns: false }
}
