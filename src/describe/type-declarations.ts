// A model -> TypeScript declarations of its entries and their inputs, which give `cms.entries` its types.

import { attributeTypes } from '../attribute-types/attribute-types.ts'
import type {
  Attribute,
  AttributeHolder,
  Component,
  ContentType,
  ScalarAttribute,
} from '../model/attribute.ts'
import type { Model } from '../model/model.ts'
import { nameOfComponent, nameOfType } from '../model/naming.ts'
import { typeNames } from './type-names.ts'

/** The text of a `.d.ts` file. */
export function typeDeclarations(model: Model): string {
  const names = typeNames(model)
  const types = [...model.contentTypes.values()]
  const blocks = [
    '// Made by "cms-run types". An edit is lost when it is made again.',
    ...[...model.components.values()].flatMap((component) => componentBlocks(component, names)),
    ...types.flatMap((type) => typeBlocks(type, names)),
    registry(types, names),
  ]
  return `${blocks.join('\n\n')}\n`
}

type Names = ReturnType<typeof typeNames>

function typeBlocks(type: ContentType, names: Names): readonly string[] {
  const name = names.get(type) ?? nameOfType(type)
  const system = [...type.systemAttributes.values()]
  const shown = [...type.attributes.values()].filter((attribute) => !attribute.private)
  const entry = [
    'readonly id: number',
    ...shown.map((attribute) => `readonly ${entryMember(attribute, names)}`),
    ...system.map(
      (attribute) => `readonly ${key(attribute.name)}: ${scalarType(attribute, 'answered')} | null`,
    ),
  ]
  const writable = [...type.attributes.values()].filter((attribute) => attribute.writable)
  const input = [
    ...writable.map((attribute) => inputMember(attribute, names)),
    ...(type.publishedAt === undefined ? [] : [`publishedAt?: string | null`]),
    ...(type.locale === undefined ? [] : [`locale?: ${scalarType(type.locale, 'taken')}`]),
  ]
  const about = type.description === undefined ? type.displayName : `${type.displayName}: ${type.description}`
  return [
    block(`/** ${comment(about)} (\`${type.uid}\`) */\nexport interface ${name}`, entry),
    block(`/** What may be written to ${name}. */\nexport interface ${name}Input`, input),
  ]
}

function componentBlocks(component: Component, names: Names): readonly string[] {
  const name = names.get(component) ?? nameOfComponent(component)
  const all = [...component.attributes.values()]
  const shown = all.filter((attribute) => !attribute.private)
  return [
    block(`/** ${comment(component.displayName)} (\`${component.uid}\`) */\nexport interface ${name}`, [
      'readonly id: number',
      ...shown.map((attribute) => `readonly ${entryMember(attribute, names)}`),
    ]),
    block(`export interface ${name}Input`, [
      '/** One that is there already is changed. */\n  id?: number',
      ...all.filter(({ writable }) => writable).map((attribute) => inputMember(attribute, names)),
    ]),
  ]
}

/** Scalars are always present; other attributes are present when populated. */
function entryMember(attribute: Attribute, names: Names): string {
  const name = key(attribute.name)
  const nameOf = (holder: AttributeHolder): string => names.get(holder) ?? 'unknown'
  const zone = (component: Component): string =>
    `(${nameOf(component)} & { readonly __component: ${JSON.stringify(component.uid)} })`
  switch (attribute.kind) {
    case 'scalar':
      return `${name}: ${orNull(scalarType(attribute, 'answered'))}`
    case 'relation': {
      const one =
        attribute.target === undefined
          ? '{ readonly __type: string; readonly id: number }'
          : nameOf(attribute.target)
      return attribute.cardinality === 'many' ? `${name}?: readonly ${one}[]` : `${name}?: ${one} | null`
    }
    case 'media': {
      const file = nameOf(attribute.target)
      return attribute.multiple ? `${name}?: readonly ${file}[]` : `${name}?: ${file} | null`
    }
    case 'component': {
      const component = nameOf(attribute.component)
      return attribute.repeatable ? `${name}?: readonly ${component}[]` : `${name}?: ${component} | null`
    }
    case 'dynamiczone':
      return `${name}?: readonly (${union(attribute.components.map(zone))})[]`
  }
}

function inputMember(attribute: Attribute, names: Names): string {
  const name = key(attribute.name)
  const inputOf = (holder: AttributeHolder): string => `${names.get(holder) ?? 'unknown'}Input`
  const zone = (component: Component): string =>
    `({ __component: ${JSON.stringify(component.uid)} } & ${inputOf(component)})`
  switch (attribute.kind) {
    case 'scalar':
      return `${name}?: ${orNull(scalarType(attribute, 'taken'))}`
    case 'relation': {
      const one = attribute.target === undefined ? '{ __type: string; id: number }' : 'number'
      return `${name}?: ${related(one)}`
    }
    case 'media':
      return `${name}?: ${related('number')}`
    case 'component': {
      const component = inputOf(attribute.component)
      return `${name}?: ${attribute.repeatable ? `readonly ${component}[]` : component} | null`
    }
    case 'dynamiczone':
      return `${name}?: readonly (${union(attribute.components.map(zone))})[] | null`
  }
}

function orNull(type: string): string {
  return type === 'unknown' ? type : `${type} | null`
}

function related(one: string): string {
  return `${one} | readonly ${one.startsWith('{') ? `(${one})` : one}[] | RelationChange | null`
}

function scalarType({ type, enum: values }: ScalarAttribute, side: 'answered' | 'taken'): string {
  return values === undefined
    ? attributeTypes[type].typeScript[side]
    : union(values.map((value) => JSON.stringify(value)))
}

function registry(types: readonly ContentType[], names: Names): string {
  const members = types.flatMap((type) => {
    const name = names.get(type)
    const value = `{ entry: ${name}; input: ${name}Input }`
    const short =
      `api::${type.singularName}.${type.singularName}` === type.uid
        ? [`${key(type.singularName)}: ${value}`]
        : []
    return [`${key(type.uid)}: ${value}`, ...short]
  })
  const change = `/** A relation as it is to be, or what is to change about it. */
export interface RelationChange {
  set?: readonly (number | { id: number })[]
  connect?: readonly (number | { id: number; position?: { before?: number; after?: number; start?: true; end?: true } })[]
  disconnect?: readonly (number | { id: number })[]
}`
  const body = members.map((member) => `    ${member}`).join('\n')
  return `${change}\n\ndeclare module 'cms-run' {\n  interface EntryTypes {\n${body}\n  }\n}`
}

function block(head: string, members: readonly string[]): string {
  return `${head} {\n${members.map((member) => `  ${member}`).join('\n')}\n}`
}

function union(members: readonly string[]): string {
  return members.length === 0 ? 'never' : members.join(' | ')
}

function key(name: string): string {
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : JSON.stringify(name)
}

function comment(text: string): string {
  return text.replaceAll('*/', '* /').replaceAll(/\s+/g, ' ')
}
