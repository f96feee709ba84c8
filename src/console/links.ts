// What programs are told at the address of the server: where everything is.

import { apiDocument } from '../describe/api-document.ts'
import { ownTypes, pathOfType } from '../describe/type-paths.ts'
import type { HttpRequest } from '../http/request.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import type { ConsoleParts, Place } from './console-parts.ts'

/** Paths below the server's address. */
export function linksOf({ config, model, graphqlEndpoint }: Place): unknown {
  return {
    contentTypes: Object.fromEntries(
      ownTypes(model).map((type) => [type.singularName, pathOfType(type, config)]),
    ),
    others: enablePlugins(config).flatMap(({ addresses = [] }) => addresses),
    ...(graphqlEndpoint === undefined ? {} : { graphql: graphqlEndpoint }),
    openapi: '/openapi.json',
    health: '/_health',
    console: 'open this address in a browser',
  }
}

export function apiOf({ place }: ConsoleParts, request: HttpRequest): unknown {
  const { config, model, routes } = place()
  return apiDocument(config, model, routes, `http://${request.header('host') ?? 'localhost'}`)
}
