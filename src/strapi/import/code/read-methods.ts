// Reads the methods that a controller or service of a project has, without running it.

import { basename, extname } from 'node:path'
import { buildResult } from './code-values.ts'
import type { CodeValue } from './parse-expression.ts'
import { readCode } from './read-code.ts'

export interface OwnMethods {
  /** Undefined if Strapi would change the name of the file. */
  readonly uid: string | undefined
  readonly api: string
  /** Absolute. */
  readonly file: string
  /** Undefined: it is not understood. */
  readonly names: readonly string[] | undefined
  /** Whether it has the core methods, too, by the factory of Strapi. */
  readonly hasCore: boolean
  /** Of the type that the factory is given. */
  readonly coreUid: string | undefined
  /** Whether the file changes what the core methods do. */
  readonly changesAll: boolean
}

type CoreFactory = 'createCoreController' | 'createCoreService'

export async function readMethods(file: string, api: string, factory: CoreFactory): Promise<OwnMethods> {
  const name = basename(file, extname(file))
  const isKebab = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)
  const uid = isKebab ? `api::${api}.${name}` : undefined
  const { exported } = await readCode(file)
  const methods = exported?.kind === 'call' ? findMethods(exported, factory) : buildResult(exported)
  const names = uid !== undefined && methods?.kind === 'object' ? [...methods.members.keys()] : undefined
  const changesAll = names?.some((one) => SHARED.test(one)) === true || !isCoreFor(exported, uid)
  const hasCore = names !== undefined && exported?.kind === 'call'
  return { uid, api, file, names, hasCore, coreUid: findCoreUid(exported), changesAll }
}

/** Every action goes through these methods of Strapi's own controllers and services. */
const SHARED =
  /^(?:transformResponse|sanitize(?:Output|Input|Query)|validate(?:Input|Query)|getFetchParams|constructor)$/

/** Whether the core is that of the file's own type: a file may name another. */
function isCoreFor(module: CodeValue | undefined, uid: string | undefined): boolean {
  return module?.kind !== 'call' || findCoreUid(module) === uid
}

function findCoreUid(module: CodeValue | undefined): string | undefined {
  const [of] = module?.kind === 'call' ? module.args : []
  return of?.kind === 'text' ? of.text : undefined
}

function findMethods(
  { callee, args, at }: CodeValue & { readonly kind: 'call' },
  factory: CoreFactory,
): CodeValue | undefined {
  const [, methods, more] = args
  if (!callee.startsWith('@strapi/strapi') || !callee.endsWith(`.${factory}`) || more !== undefined)
    return undefined
  return methods === undefined ? { kind: 'object', members: new Map(), at } : buildResult(methods)
}
