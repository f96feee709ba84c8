// What a plugin adds to the model before it is built: content-types of its own, in the configuration's long form.

import type { AttributeConfig, ContentTypeConfig } from '../config/config.ts'

export interface ModelContribution {
  readonly plugin: string
  /** By uid (`plugin::upload.file`). */
  readonly contentTypes: Readonly<Record<string, Omit<ContentTypeConfig, 'sourceKey'>>>
  /** Actions beyond the generated ones, e.g. `plugin::upload.content-api.upload`. */
  readonly actions?: readonly string[]
  /** Attributes added to content-types of the file, by uid. */
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, AttributeConfig>>>>
}
