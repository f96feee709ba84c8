// Builds the OpenAPI document of a configuration.

import type { Config } from '../config/config.ts'
import type { Model } from '../model/model.ts'
import type { JsonSchema } from '../plugins/openapi-operation.ts'
import { enablePlugins } from '../plugins/plugin-host.ts'
import { buildOpenapiDocument, type DescribedRoute } from './openapi-document.ts'
import { buildPermissionMatrix } from './permission-matrix.ts'

/** `url`: the server's URL, unless the file declares one. */
export function buildApiDocument(
  config: Config,
  model: Model,
  routes: readonly DescribedRoute[],
  url = `http://localhost:${config.server.port}`,
): JsonSchema {
  return buildOpenapiDocument({
    model,
    routes,
    prefix: config.rest.prefix,
    describe: enablePlugins(config).flatMap(({ describeOperations }) => describeOperations ?? []),
    publicActions: new Set(buildPermissionMatrix(config, model).roles['public']),
    title: config.name ?? 'Content API',
    description: config.description,
    version: '1.0.0',
    url: config.server.publicUrl ?? url,
  })
}
