// What programs are told at the address of the server: where everything is.

import { apiDocument } from '../describe/api-document.ts'
import type { HttpRequest } from '../http/request.ts'
import { ownTypes } from '../model/actions.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import { listPath } from '../rest/rest-paths.ts'
import type { ConsoleParts, LiveApp } from './console-parts.ts'
import { withExamples } from './examples.ts'

/** Paths below the server's address. */
export function linksOf({ config, model, graphqlEndpoint }: LiveApp): unknown {
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

/** The OpenAPI document, with examples that the caller may see. */
export function apiOf(parts: ConsoleParts, request: HttpRequest): Promise<unknown> {
  const { config, model, routes } = parts.place()
  const document = apiDocument(config, model, routes, `http://${request.header('host') ?? 'localhost'}`)
  return parts.traffic.aside(() => withExamples(document, parts, request.header('authorization')))
}
