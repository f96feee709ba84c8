// Describes the model to clients that generate code from it. Access must be granted; it shows types, never
// entries.

import { jsonReply, type Reply } from '../../http/reply.ts'
import type { PathParameters } from '../../http/route.ts'
import { ApiError } from '../../lib/errors/api-error.ts'
import type { EnabledPlugin, Plugin, PluginContext } from '../plugin.ts'
import type { PluginOperation } from '../plugin-operation.ts'
import { describeComponent, describeContentType } from './format-schema.ts'

const PREFIX = 'plugin::content-type-builder'

export const contentTypeBuilderPlugin: Plugin = {
  name: 'content-type-builder',
  onByDefault: true,
  enable: (): EnabledPlugin => ({
    contribution: {
      plugin: 'content-type-builder',
      contentTypes: {},
      actions: [
        `${PREFIX}.components.getComponents`,
        `${PREFIX}.components.getComponent`,
        `${PREFIX}.content-types.getContentTypes`,
        `${PREFIX}.content-types.getContentType`,
      ],
    },
    activate: (context) => ({ routes: listRoutes(context) }),
  }),
}

function listRoutes({ model, parseQuery }: PluginContext): readonly PluginOperation[] {
  const get = (
    path: string,
    action: string,
    answer: (parameters: PathParameters, query: string) => Reply,
  ): PluginOperation => ({
    method: 'GET',
    path: `/content-type-builder/${path}`,
    action,
    handle: (request, parameters) => answer(parameters, request.query),
  })
  return [
    get('content-types', 'content-types.getContentTypes', (_parameters, query) => {
      const { kind } = parseQuery(query)
      if (typeof kind === 'object' && kind !== null)
        throw new ApiError('ValidationError', 'Invalid parameter kind: expected text')
      const types = [...model.contentTypes.values()].filter(
        (type) => kind === undefined || type.kind === kind,
      )
      return found(types.map(describeContentType))
    }),
    get('content-types/:uid', 'content-types.getContentType', ([uid = '']) => {
      const type = model.contentTypes.get(uid)
      return type === undefined ? missing('contentType.notFound') : found(describeContentType(type))
    }),
    get('components', 'components.getComponents', () =>
      found([...model.components.values()].map(describeComponent)),
    ),
    get('components/:uid', 'components.getComponent', ([uid = '']) => {
      const component = model.components.get(uid)
      return component === undefined ? missing('component.notFound') : found(describeComponent(component))
    }),
  ]
}

function found(data: unknown): Reply {
  return jsonReply(200, JSON.stringify({ data }))
}

/** The error format of Strapi's plugin. */
function missing(error: string): Reply {
  return jsonReply(404, JSON.stringify({ error }))
}
