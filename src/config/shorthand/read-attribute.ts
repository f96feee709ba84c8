// Reads the short form of an attribute: a word (`string!`), a list (`[tag]`), or a map.

import { isRecord } from '../../lib/is-record.ts'
import { getFlow } from '../describe-value.ts'
import { type AttributeForm, type Keys, plain, refused, type Steps } from './attribute-form.ts'
import { attributeMarks, isDeclaration } from './attribute-keys.ts'
import { readList } from './read-list.ts'
import { readWord, takeMany } from './read-word.ts'
import { type NameContext, resolveComponent, resolveTarget } from './resolve-names.ts'

const MAX_SHOWN_CHARACTERS = 120

/** Undefined for a value in its full form, and for one that is not recognized. */
export function readAttribute(value: unknown, reading: NameContext): AttributeForm | undefined {
  if (typeof value === 'string') return readWord(value, [], {}, reading)
  if (Array.isArray(value)) return readList(value, [], {}, reading)
  if (!isRecord(value)) return undefined
  const { type, ...rest } = value
  if (typeof type === 'string') return readTyped(type, rest, reading)
  if (Array.isArray(type)) return readList(type, ['type'], rest, reading)
  if (type !== undefined) return undefined
  if (rest['computed'] !== undefined) return plain({ type: 'computed', ...rest }, [])
  if (rest['component'] !== undefined) return readComponent(rest, reading)
  if (rest['zone'] !== undefined) return readZone('zone', rest, reading)
  if (rest['of'] !== undefined || rest['target'] !== undefined) return readRelation(rest, reading)
  if (rest['enum'] !== undefined || rest['values'] !== undefined) return readEnumeration(rest)
  if (!isDeclaration(rest) || attributeMarks.some((key) => Object.hasOwn(rest, key))) return undefined
  return { kind: 'inline', from: [], repeatable: false, rest: {} }
}

function readTyped(type: string, rest: Keys, reading: NameContext): AttributeForm | undefined {
  switch (type) {
    case 'relation':
      return readRelation(rest, reading)
    case 'component':
      if (rest['component'] !== undefined) return readComponent(rest, reading)
      return isRecord(rest['attributes'])
        ? inPlace(rest['attributes'], rest['repeatable'] === true, reading)
        : undefined
    case 'dynamiczone':
      return readZone(rest['zone'] === undefined ? 'components' : 'zone', rest, reading)
    case 'enumeration':
      return rest['values'] === undefined ? undefined : readEnumeration(rest)
    default:
      return readWord(type, ['type'], rest, reading)
  }
}

function readRelation(written: Keys, reading: NameContext): AttributeForm | undefined {
  const { target, of, ...others } = written
  if (others['relation'] !== undefined) return fullRelation(written, reading)
  const isList = Array.isArray(target)
  const { many, rest } = takeMany(others, isList)
  const word: unknown = isList && target.length === 1 ? target[0] : target
  if (target === undefined) {
    return typeof of === 'string' ? { kind: 'relation', target: undefined, of, rest } : undefined
  }
  if (typeof word !== 'string' || (of !== undefined && typeof of !== 'string')) return undefined
  const from: Steps = isList ? ['target', 0] : ['target']
  const found = resolveTarget(word, from, reading)
  if (found === undefined) return { kind: 'relation', target: { uid: word, many, from }, of, rest }
  return typeof found === 'string'
    ? { kind: 'relation', target: { uid: found, many, from }, of, rest }
    : found
}

function fullRelation(written: Keys, reading: NameContext): AttributeForm | undefined {
  const { target } = written
  const found = typeof target === 'string' ? resolveTarget(target, ['target'], reading) : undefined
  if (found === undefined || found === target) return undefined
  if (typeof found !== 'string') return found
  return plain({ type: 'relation', ...written, target: found }, [[['target'], ['target']]])
}

function inPlace(attributes: Keys, repeatable: boolean, { attribute }: NameContext): AttributeForm {
  const shown = getFlow(attributes)
  const declared = shown.length > MAX_SHOWN_CHARACTERS ? '{ … }' : shown
  const help = `write "${attribute}: ${repeatable ? `[${declared}]` : declared}", or name one of "components" with "component"`
  return refused(
    'CFG012',
    ['attributes'],
    'a component that is declared in place has no "attributes" key',
    help,
  )
}

function readComponent(written: Keys, reading: NameContext): AttributeForm | undefined {
  const { component, ...rest } = written
  const repeatable = Array.isArray(component)
  const single: unknown = repeatable && component.length === 1 ? component[0] : component
  const from: Steps = repeatable ? ['component', 0] : ['component']
  if (isRecord(single)) return { kind: 'inline', from, repeatable, rest }
  if (typeof single !== 'string') return undefined
  const found = resolveComponent(single, from, reading)
  if (found !== undefined && typeof found !== 'string') return found
  const uid = found ?? single
  const keys = { ...(repeatable && { repeatable }), ...rest }
  return plain({ type: 'component', component: uid, ...keys }, [[['component'], from]])
}

function readZone(key: 'zone' | 'components', written: Keys, reading: NameContext) {
  const { [key]: listed, ...rest } = written
  if (!Array.isArray(listed)) return undefined
  const components: unknown[] = []
  for (const [index, word] of listed.entries()) {
    const found = typeof word === 'string' ? resolveComponent(word, [key, index], reading) : undefined
    if (found !== undefined && typeof found !== 'string') return found
    components.push(found ?? word)
  }
  if (key === 'components' && components.every((uid, index) => uid === listed[index])) return undefined
  return plain({ type: 'dynamiczone', components, ...rest }, [[['components'], [key]]])
}

function readEnumeration(written: Keys): AttributeForm {
  const { values, ...rest } = written
  if (values === undefined || rest['enum'] !== undefined)
    return plain({ type: 'enumeration', ...written }, [])
  return plain({ type: 'enumeration', enum: values, ...rest }, [[['enum'], ['values']]])
}
