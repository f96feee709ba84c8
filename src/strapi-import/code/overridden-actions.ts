// Finds the actions that a controller or a service of a Strapi project answers itself.

import type { CodeValue } from './parse-expression.ts'

/** Methods of Strapi's own controllers and services through which every action goes. */
const SHARED =
  /^(?:transformResponse|sanitize(?:Output|Input|Query)|validate(?:Input|Query)|getFetchParams|constructor)$/

/** Their names, 'all' for all of them, or undefined if the module is not understood. */
export function overriddenActions(
  module: CodeValue | undefined,
  factory: 'createCoreController' | 'createCoreService',
  uid: string,
): readonly string[] | 'all' | undefined {
  const methods = module?.kind === 'call' ? methodsOfCall(module, factory, uid) : resultOf(module)
  if (methods?.kind !== 'object') return undefined
  const names = [...methods.members.keys()]
  return names.some((name) => SHARED.test(name)) ? 'all' : names
}

function methodsOfCall(
  { callee, args, at }: CodeValue & { readonly kind: 'call' },
  factory: string,
  uid: string,
): CodeValue | undefined {
  const [of, methods, more] = args
  if (!callee.startsWith('@strapi/strapi') || !callee.endsWith(`.${factory}`)) return undefined
  if (of?.kind !== 'text' || of.text !== uid || more !== undefined) return undefined
  return methods === undefined ? { kind: 'object', members: new Map(), at } : resultOf(methods)
}

function resultOf(value: CodeValue | undefined): CodeValue | undefined {
  return value?.kind === 'function' ? value.result : value
}
