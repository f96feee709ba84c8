// Serves the console: the page, its files, and its data.

import { buildApiDocument } from '../describe/api-document.ts'
import { buildErrorReply } from '../http/error-reply.ts'
import { jsonReply, type Reply } from '../http/reply.ts'
import type { HttpRequest } from '../http/request.ts'
import { ApiError } from '../lib/errors/api-error.ts'
import { ownTypes } from '../model/actions.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import { listPath } from '../rest/rest-paths.ts'
import { type Assets, openAssets } from './assets.ts'
import { checkKey, checkSite } from './check-caller.ts'
import type { ConsoleContext, LiveApp } from './console-context.ts'
import { withExamples } from './examples.ts'
import { buildGraphiqlReply, GRAPHIQL, hasExplorer } from './graphiql-page.ts'
import { createConsoleHandlers } from './handlers.ts'
import { ASSETS, buildPageReply, CONSOLE_HEADERS } from './page.ts'

export type Console = (request: HttpRequest) => Promise<Reply>

export function createConsole(parts: ConsoleContext): Console {
  const responses = createConsoleHandlers(parts)
  let opening: Promise<Assets> | undefined
  const assets = (): Promise<Assets> => {
    opening ??= openAssets()
    return opening
  }

  async function respond(request: HttpRequest): Promise<Reply> {
    const { method, path } = request
    checkSite(request, parts.door)
    if (path === '/' || path === '/openapi.json') {
      if (method !== 'GET' && method !== 'HEAD') throw notAllowed()
      if (path === '/openapi.json') return json(await readApi(parts, request))
      if (request.header('accept')?.includes('text/html') === true)
        return buildPageReply((await assets()).entrance)
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
    checkKey(request, parts.door)
    const found = responses.get(`${method === 'HEAD' ? 'GET' : method} ${path}`)
    if (found === undefined) throw new ApiError('NotFoundError', 'Not Found')
    return json(await found(request))
  }

  return async (request) => {
    try {
      return await respond(request)
    } catch (error) {
      const reply = buildErrorReply(error, (fault) => parts.onFault(fault, request.id), true)
      return { ...reply, headers: { ...reply.headers, ...CONSOLE_HEADERS, 'cache-control': 'no-store' } }
    }
  }
}

function json(value: unknown): Reply {
  const headers = { ...CONSOLE_HEADERS, 'cache-control': 'no-store', vary: 'accept' }
  return jsonReply(200, JSON.stringify(value ?? null), headers)
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
