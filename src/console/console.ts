// Serves the console: the page, its files, and its data.

import { buildApiDocument } from '../describe/api-document.ts'
import { buildErrorReply } from '../http/error-reply.ts'
import { jsonReply, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { ownTypes } from '../model/actions.ts'
import type { ConsoleSession } from '../plugins/console-logins.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import { listPath } from '../rest/rest-paths.ts'
import { type Assets, openAssets } from './assets.ts'
import { checkSite } from './check-caller.ts'
import type { ConsoleContext, LiveApp } from './console-context.ts'
import { buildDocumentReply, INDEX, isDocument } from './document-reply.ts'
import { createEditorHandlers } from './editor-handlers.ts'
import { withExamples } from './examples.ts'
import { buildGraphiqlReply, GRAPHIQL, hasExplorer } from './graphiql-page.ts'
import { createConsoleHandlers } from './handlers.ts'
import { ASSETS, buildPageReply, CONSOLE_HEADERS } from './page.ts'
import { createProviderLogins } from './provider-logins.ts'
import { logIn, logOut, readCaller, readLogin, readPermissions } from './sessions.ts'

export interface Console {
  /** Answers the console's own paths. */
  readonly handler: (request: HttpRequest) => Promise<Reply>
  /** Passes on a request of a page to the API, as its caller. */
  pass<R extends HttpRequest>(request: R, api: (request: R) => Reply | Promise<Reply>): Promise<Reply>
}

export function createConsole(parts: ConsoleContext): Console {
  const responses = createConsoleHandlers(parts)
  const editorResponses = createEditorHandlers(parts)
  const providerLogins = createProviderLogins(parts)
  let opening: Promise<Assets> | undefined
  const assets = (): Promise<Assets> => {
    opening ??= openAssets()
    return opening
  }

  async function respond(request: HttpRequest): Promise<Reply> {
    const { method, path } = request
    checkSite(request, parts.door)
    if (path === '/' || path === '/openapi.json' || isDocument(path)) {
      if (method !== 'GET' && method !== 'HEAD') throw notAllowed()
      if (path === '/' && request.header('accept')?.includes('text/html') === true)
        return buildPageReply((await assets()).entrance)
      // In production neither the API nor the server is described to everybody.
      if (parts.door.key === undefined) throw new ApiError('NotFoundError', 'Not Found')
      if (path === '/openapi.json') return json(await readApi(parts, request))
      if (isDocument(path)) {
        const document = buildDocumentReply(path)
        if (document === undefined) throw new ApiError('NotFoundError', 'Not Found')
        return document
      }
      return json(getLinks(parts.place()))
    }
    // Who knows Strapi looks for the pages there; a key in the fragment is kept.
    if (path === '/admin' || path === '/admin/') {
      if (method !== 'GET' && method !== 'HEAD') throw notAllowed()
      return { status: 302, headers: { ...CONSOLE_HEADERS, location: '/' } }
    }
    if (path.startsWith(`${ASSETS}/`)) {
      const file = await (await assets()).reply(path.slice(ASSETS.length + 1), request)
      if (file === undefined) throw new ApiError('NotFoundError', 'Not Found')
      return file
    }
    if (path === GRAPHIQL && method === 'GET') {
      const place = parts.place()
      if (!hasExplorer(place)) throw new ApiError('NotFoundError', 'Not Found')
      return buildGraphiqlReply((await assets()).entrance, place.graphqlEndpoint ?? '')
    }
    const led = providerLogins.respond(request)
    if (led !== undefined) return led
    const name = `${method === 'HEAD' ? 'GET' : method} ${path}`
    if (name === 'GET /_console/login') return json(await readLogin(request, parts))
    if (name === 'POST /_console/login') return withCookie(await logIn(request, parts))
    const caller = await readCaller(request, parts)
    if (caller.kind === 'editor') return respondToEditor(name, request, caller.session)
    const found = responses.get(name)
    if (found === undefined) throw new ApiError('NotFoundError', 'Not Found')
    return json(await found(request))
  }

  async function respondToEditor(
    name: string,
    request: HttpRequest,
    session: ConsoleSession,
  ): Promise<Reply> {
    if (name === 'POST /_console/logout') {
      const everywhere = new URLSearchParams(request.query).has('everywhere')
      return withCookie(await logOut(request, session, parts, everywhere))
    }
    const found = editorResponses.get(name)
    if (found === undefined)
      throw responses.has(name)
        ? new ApiError('ForbiddenError', 'this page is for developers')
        : new ApiError('NotFoundError', 'Not Found')
    const permissions = await readPermissions(request, session, parts)
    return json(await found({ request, session, permissions }))
  }

  function refuse(error: unknown, request: HttpRequest): Reply {
    const reply = buildErrorReply(error, (fault) => parts.onFault(fault, request.id), true)
    return { ...reply, headers: { ...reply.headers, ...CONSOLE_HEADERS, 'cache-control': 'no-store' } }
  }

  return {
    async handler(request) {
      try {
        return await respond(request)
      } catch (error) {
        return refuse(error, request)
      }
    },
    async pass(request, api) {
      try {
        checkSite(request, parts.door)
        const caller = await readCaller(request, parts)
        const token =
          caller.kind === 'developer' ? parts.tokens.everything() : await caller.session.issueToken()
        parts.place().callers.carryToken(request, token)
      } catch (error) {
        return refuse(error, request)
      }
      return api(request)
    },
  }
}

function json(value: unknown): Reply {
  const headers = { ...CONSOLE_HEADERS, 'cache-control': 'no-store', vary: 'accept' }
  return jsonReply(200, JSON.stringify(value ?? null), headers)
}

function withCookie({ value, cookie }: { readonly value: unknown; readonly cookie?: string }): Reply {
  return { ...json(value), ...(cookie !== undefined && { cookies: [cookie] }) }
}

function notAllowed(): ApiError {
  return new ApiError('MethodNotAllowedError', 'Method Not Allowed', {}, { allow: 'GET, HEAD' })
}

function getLinks({ config, model, graphqlEndpoint }: LiveApp): unknown {
  return {
    contentTypes: Object.fromEntries(
      ownTypes(model).map((type) => [type.singularName, listPath(type, config.rest.prefix)]),
    ),
    others: enablePlugins(config).flatMap(({ addresses = [] }) => addresses),
    ...(graphqlEndpoint === undefined ? {} : { graphql: graphqlEndpoint }),
    openapi: '/openapi.json',
    documentation: INDEX,
    health: '/_health',
    console: 'open this address in a browser',
  }
}

/** The examples hold only entries that the caller may see. */
function readApi(parts: ConsoleContext, request: HttpRequest): Promise<unknown> {
  const { config, model, routes } = parts.place()
  const document = buildApiDocument(config, model, routes, `http://${request.header('host') ?? 'localhost'}`)
  return parts.traffic.aside(() => withExamples(document, parts, request.header('authorization')))
}
