// A plugin's additions to the model: content-types in the configuration's long form, attributes, actions, locales.

import type { AttributeConfig, ContentTypeConfig, SeedEntry } from '../config/config.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'

export interface ModelContribution {
  readonly plugin: string
  /** First path segments after the prefix that the plugin serves; content-types must not use them. */
  readonly paths?: readonly string[]
  /** By uid (`plugin::upload.file`). */
  readonly contentTypes: Readonly<Record<string, Omit<ContentTypeConfig, 'sourceKey'>>>
  /** Actions beyond the generated ones, e.g. `plugin::upload.content-api.upload`. */
  readonly actions?: readonly string[]
  /** By type of role: actions that it has if the file gives it none of the plugin's. */
  readonly permissions?: Readonly<Record<string, readonly string[]>>
  /** The uid, in `contentTypes`, of the target of media attributes. */
  readonly fileType?: string
  /** The uid, in `contentTypes`, of the users who log in, each with a `role`. */
  readonly userType?: string
  /** Entries that other parts of the file describe; they follow those of `data`. */
  readonly entries?: readonly GivenEntry[]
  /** Content-types with entries that are not in `data`, by uid, with the names by which `data` may refer to entries. */
  readonly entriesElsewhere?: Readonly<Record<string, readonly string[]>>
  /** The locales; undefined when the plugin does not localize content. */
  readonly locales?: LocaleRules
  /** Attributes added to content-types of the file, by uid. */
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, AttributeConfig>>>>
}

export interface LocaleRules {
  /** The locale of entries and requests that name none. */
  readonly standard: string
  /** The known locales; undefined: any code is accepted. */
  readonly codes: readonly string[] | undefined
  /** Whether `pluginOptions` localize a content-type or attribute; undefined when they do not say. */
  isLocalized(pluginOptions: Readonly<Record<string, unknown>> | undefined): boolean | undefined
}

/** An entry from a part of the file other than `data`. */
export interface GivenEntry {
  readonly uid: string
  readonly data: SeedEntry
  readonly path: DiagnosticPath
}
