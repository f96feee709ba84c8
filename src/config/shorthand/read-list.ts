// Reads an attribute that is a list: of a content-type (`[tag]`), a component (`[link]`), or values (`[S, M,
// L]`).

import { isRecord } from '../../lib/is-record.ts'
import { type AttributeForm, type Keys, plain, refused, type Steps } from './attribute-form.ts'
import { isDeclaration } from './attribute-keys.ts'
import { type NameContext, resolveComponent, resolveTarget } from './resolve-names.ts'

/** `at`: the path of the list in the attribute; `rest`: the keys beside it. */
export function readList(
  list: readonly unknown[],
  at: Steps,
  rest: Keys,
  reading: NameContext,
): AttributeForm | undefined {
  const [first] = list
  if (list.length === 1 && isRecord(first)) {
    return isDeclaration(first) ? { kind: 'inline', from: [...at, 0], repeatable: true, rest } : undefined
  }
  if (list.length === 1 && typeof first === 'string') return readOne(first, at, rest, reading)
  if (list.length === 0 || !list.every(isWord)) return undefined
  return namesOnly(list, at, reading) ?? enumeration(list, at, rest)
}

function readOne(word: string, at: Steps, rest: Keys, reading: NameContext): AttributeForm | undefined {
  const from = [...at, 0]
  const { attribute, names } = reading
  const { type, alias, targets, components } = names.getMeanings(word)
  // `[image]` becomes `images`, since media is the only type with several values.
  const media = type === 'media' ? { type } : alias?.attribute.type === 'media' ? alias.attribute : undefined
  if (media !== undefined)
    return plain({ ...structuredClone(media), multiple: true, ...rest }, [[['type'], from]])
  if (type !== undefined || alias !== undefined) {
    const help = `write "${attribute}: [{ value: ${word} }]" for a repeatable component, or "${attribute}: json"`
    return refused('CFG072', from, `there are no lists of "${word}"`, help)
  }
  if (/[!?]$/.test(word) && names.isKnown(word.slice(0, -1))) {
    const name = word.slice(0, -1)
    const help = `write "${attribute}: [${name}]", or "${attribute}: { type: [${name}], required: true }" if it must be given`
    return refused('CFG072', from, `"!" and "?" are not for the items of a list`, help)
  }
  if (targets.length > 0 && components.length > 0) {
    const help = `write "${attribute}: { target: [${word}] }" or "${attribute}: { component: [${word}] }"`
    return refused('CFG071', from, `"${word}" is a content-type and a component`, help)
  }
  const uid = resolveTarget(word, from, reading)
  if (typeof uid === 'string') {
    const { of, ...others } = rest
    if (of !== undefined && typeof of !== 'string') return undefined
    return { kind: 'relation', target: { uid, many: true, from }, of, rest: others }
  }
  const component = uid ?? resolveComponent(word, from, reading)
  if (component === undefined) return enumeration([word], at, rest)
  if (typeof component !== 'string') return component
  return plain({ type: 'component', component, repeatable: true, ...rest }, [[['component'], from]])
}

/** Several components may be a dynamic zone or an enumeration, so the list is ambiguous. */
function namesOnly(
  list: readonly unknown[],
  at: Steps,
  { attribute, names }: NameContext,
): AttributeForm | undefined {
  const words = list.filter((item) => typeof item === 'string')
  if (words.length !== list.length || !words.every((word) => names.getComponents(word).length > 0))
    return undefined
  const shown = words.join(', ')
  const help = `write "${attribute}: { zone: [${shown}] }" or "${attribute}: { enum: [${shown}] }"`
  return refused('CFG071', at, 'the words of this list are the names of components', help)
}

function isWord(item: unknown): boolean {
  return typeof item === 'string' || typeof item === 'number'
}

function enumeration(list: readonly unknown[], at: Steps, rest: Keys): AttributeForm {
  return plain({ type: 'enumeration', enum: list, ...rest }, [[['enum'], at]])
}
