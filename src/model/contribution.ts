// What a plugin adds to the model before it is built: content-types of its own, in the configuration's long form.

import type { AttributeConfig, ContentTypeConfig } from '../config/config.ts'

export interface ModelContribution {
  readonly plugin: string
  /** First segments behind the prefix at which it answers: no content-type may. */
  readonly paths?: readonly string[]
  /** By uid (`plugin::upload.file`). */
  readonly contentTypes: Readonly<Record<string, Omit<ContentTypeConfig, 'sourceKey'>>>
  /** Actions beyond the generated ones, e.g. `plugin::upload.content-api.upload`. */
  readonly actions?: readonly string[]
  /** Of these the content-type that media attributes lead to. */
  readonly fileType?: string
  /** Of these the content-type of those who log in, each with a `role`. */
  readonly userType?: string
  /** Content-types with entries beside those of `data`, by uid, and names by which `data` may refer to such. */
  readonly entriesElsewhere?: Readonly<Record<string, readonly string[]>>
  /** Which locales there are, where content has such. */
  readonly locales?: LocaleRules
  /** Attributes added to content-types of the file, by uid. */
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, AttributeConfig>>>>
}

export interface LocaleRules {
  /** Of entries and requests that name none. */
  readonly standard: string
  /** Undefined: any. */
  readonly codes: readonly string[] | undefined
  /** What the options of a content-type or an attribute say of it; undefined where they say nothing. */
  isLocalized(pluginOptions: Readonly<Record<string, unknown>> | undefined): boolean | undefined
}
