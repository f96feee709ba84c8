// Finds users' handlers (`file`, `file#export`, or `file#action` of a controller) and their services.

import type { DiagnosticPath, Report } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'
import type { UserCode } from './load-user-code.ts'
import { createWrongKind } from './own-code.ts'
import type { Strapi } from './strapi.ts'
import type { UserFunction } from './watch-time.ts'

interface ControllerOptions {
  readonly code: Pick<UserCode, 'exported'>
  readonly strapi: Strapi
  readonly report: Report
}

/** Undefined is reported, unless loading the file has reported it. */
export type FindHandler = (reference: string, path: DiagnosticPath) => UserFunction | undefined

export function createFindHandler({ code, strapi, report }: ControllerOptions): FindHandler {
  const controllers = new Map<unknown, unknown>()

  /** Of a function such as `createCoreController` returns, its result; each is made once. */
  function getController(owner: unknown): unknown {
    if (typeof owner !== 'function') return owner
    if (!controllers.has(owner)) controllers.set(owner, (owner as UserFunction)({ strapi }))
    return controllers.get(owner)
  }

  function findAction(file: string, action: string, path: DiagnosticPath): UserFunction | undefined {
    const owner = code.exported(file)
    const named = code.exported(`${file}#${action}`)
    if (typeof named === 'function') return named.bind(isRecord(owner) ? owner : undefined) as UserFunction
    if (owner === undefined) return undefined
    try {
      const controller = getController(owner)
      const found = isRecord(controller) ? controller[action] : undefined
      if (typeof found === 'function') return found.bind(controller) as UserFunction
      const message = `this file exports no "${action}", and no controller that has it`
      report({ code: 'USR003', severity: 'error', path, message })
    } catch (fault) {
      const message = `this controller could not be created: ${String(fault)}`
      report({ code: 'USR004', severity: 'error', path, message })
    }
    return undefined
  }

  return (reference, path) => {
    const [file = '', action] = reference.split('#')
    if (action !== undefined) return findAction(file, action, path)
    const handler = code.exported(reference)
    if (typeof handler === 'function') return handler as UserFunction
    if (handler !== undefined) report(createWrongKind(path, 'a handler is a function', handler))
    return undefined
  }
}

/** Finds services by uid; each is made at its first use, because services may use each other. */
export function createFindService(
  files: Readonly<Record<string, string>>,
  code: Pick<UserCode, 'exported'>,
): (uid: string, strapi: Strapi) => unknown {
  const made = new Map<string, unknown>()
  return (uid, strapi) => {
    const file = Object.hasOwn(files, uid) ? files[uid] : undefined
    if (file === undefined) return undefined
    if (!made.has(uid)) {
      const exported = code.exported(file)
      made.set(uid, typeof exported === 'function' ? (exported as UserFunction)({ strapi }) : exported)
    }
    return made.get(uid)
  }
}
