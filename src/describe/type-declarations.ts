// Writes the TypeScript declarations of a model's entries, and a client.

import type { ContentType } from '../model/content-type.ts'
import type { Model } from '../model/model.ts'
import { block, key, text } from './declaration-text.ts'
import { declareInputs } from './declare-inputs.ts'
import { declareResponses } from './declare-responses.ts'
import { shapeBlocks } from './declare-shape.ts'
import { type DeclarationContext, startDeclaring } from './declaring.ts'
import { clientText, clientTypes } from './generated/client-text.ts'

/** The text of a `.d.ts` file, which also types `cms.entries`. */
export function typeDeclarations(model: Model, { withCount }: Pick<RestSettings, 'withCount'>): string {
  const declaring = startDeclaring(model, withCount, namesIn(clientTypes))
  return joined([
    '// Made by "cms-run types". An edit is lost when it is made again.',
    ...listDeclarations(model, declaring),
    clientTypes,
    registry(model, declaring),
  ])
}

interface RestSettings {
  readonly prefix: string
  readonly withCount: boolean
}

/** The text of a `.ts` file with the declarations and the client. It imports nothing. */
export function buildClientSource(model: Model, { prefix, withCount }: RestSettings): string {
  const taken = [...namesIn(clientTypes), ...namesIn(clientText), 'Collections', 'Singles', 'Client']
  const declaring = startDeclaring(model, withCount, taken)
  const api = [...model.contentTypes.values()].filter(({ uid }) => uid.startsWith('api::'))
  const byName = (kind: ContentType['kind'], getName: (type: ContentType) => string): readonly string[] =>
    api
      .filter((type) => type.kind === kind)
      .map((type) => `readonly ${key(getName(type))}: ${declaring.getName(type)}Shape`)
  const { userType } = model
  const user = userType === undefined ? 'never' : declaring.getName(userType)
  const whole = `ApiClient<Collections, Singles, ${user}>`
  return joined([
    '// Made by "cms-run client". An edit is lost when it is made again.',
    block(
      '/** Collection types, by plural name. */\nexport interface Collections',
      byName('collectionType', ({ pluralName }) => pluralName),
    ),
    block(
      '/** Single types, by name. */\nexport interface Singles',
      byName('singleType', ({ singularName }) => singularName),
    ),
    `export type Client = ${userType === undefined ? `Omit<${whole}, 'login' | 'register' | 'me'>` : whole}`,
    `/** A client of the REST API: \`createClient({ url: 'http://localhost:1337' })\`. */
export function createClient(options: ClientOptions): Client {
  return new ApiClient({ prefix: ${text(prefix)}, ...options })
}`,
    ...listDeclarations(model, declaring),
    clientTypes,
    clientText,
  ])
}

function listDeclarations(model: Model, declaring: DeclarationContext): readonly string[] {
  const schemas = [...model.contentTypes.values(), ...model.components.values()]
  return schemas.flatMap((schema) => [
    ...declareResponses(schema, declaring),
    ...declareInputs(schema, declaring),
    ...shapeBlocks(schema, declaring),
  ])
}

function registry(model: Model, { getName }: DeclarationContext): string {
  const members = [...model.contentTypes.values()].flatMap((type) => {
    const shape = `${getName(type)}Shape`
    const short =
      `api::${type.singularName}.${type.singularName}` === type.uid
        ? [`    ${key(type.singularName)}: ${shape}`]
        : []
    return [`    ${key(type.uid)}: ${shape}`, ...short]
  })
  // A front end may lack the package.
  return `// @ts-ignore: for cms.entries(), where cms-run is installed\ndeclare module 'cms-run' {\n  interface EntryTypes {\n${members.join('\n')}\n  }\n}`
}

function namesIn(source: string): readonly string[] {
  return [...source.matchAll(/^(?:export )?(?:type|interface|class|function|const) (\w+)/gm)].map(
    ([, name = '']) => name,
  )
}

function joined(blocks: readonly string[]): string {
  return `${blocks.map((each) => each.trim()).join('\n\n')}\n`
}
