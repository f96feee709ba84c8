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
  /** 'all': the file changes what every method does. Undefined: it is not understood. */
  readonly names: readonly string[] | 'all' | undefined
}

type CoreFactory = 'createCoreController' | 'createCoreService'

export async function readMethods(file: string, api: string, factory: CoreFactory): Promise<OwnMethods> {
  const name = basename(file, extname(file))
  const isKebab = /^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name)
  const uid = isKebab ? `api::${api}.${name}` : undefined
  const { exported } = await readCode(file)
  return { uid, api, file, names: uid === undefined ? undefined : listMethods(exported, factory, uid) }
}

/** Every action goes through these methods of Strapi's own controllers and services. */
const SHARED =
  /^(?:transformResponse|sanitize(?:Output|Input|Query)|validate(?:Input|Query)|getFetchParams|constructor)$/

function listMethods(module: CodeValue | undefined, factory: CoreFactory, uid: string): OwnMethods['names'] {
  const methods = module?.kind === 'call' ? findMethods(module, factory, uid) : buildResult(module)
  if (methods?.kind !== 'object') return undefined
  const names = [...methods.members.keys()]
  return names.some((name) => SHARED.test(name)) ? 'all' : names
}

function findMethods(
  { callee, args, at }: CodeValue & { readonly kind: 'call' },
  factory: CoreFactory,
  uid: string,
): CodeValue | undefined {
  const [of, methods, more] = args
  if (!callee.startsWith('@strapi/strapi') || !callee.endsWith(`.${factory}`)) return undefined
  if (of?.kind !== 'text' || of.text !== uid || more !== undefined) return undefined
  return methods === undefined ? { kind: 'object', members: new Map(), at } : buildResult(methods)
}
