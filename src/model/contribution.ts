// Declares a plugin's additions to the model, with content-types in the configuration's long form.

import type { AttributeConfig, ContentTypeConfig, SeedEntry } from '../config/config.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'

export interface ModelContribution {
  readonly plugin: string
  /** First segments after the prefix; content-types must not use them. */
  readonly paths?: readonly string[]
  /** Keys: `plugin::upload.file`. */
  readonly contentTypes: Readonly<Record<string, Omit<ContentTypeConfig, 'sourceKey'>>>
  /** E.g. `plugin::upload.content-api.upload`. */
  readonly actions?: readonly string[]
  /** By uid and operation: the permissions of its content-types whose operations are not named after them. */
  readonly operationPermissions?: Readonly<Record<string, Readonly<Record<string, string>>>>
  /** By type of role: its actions if the file gives it none. */
  readonly permissions?: Readonly<Record<string, readonly string[]>>
  /** The uid of the target of media attributes. */
  readonly fileType?: string
  /** The uid of users who log in, each with a `role`. */
  readonly userType?: string
  /** They follow the entries of `data`. */
  readonly entries?: readonly ContributedEntry[]
  /** By uid: names by which `data` may refer to entries declared elsewhere. */
  readonly entriesElsewhere?: Readonly<Record<string, readonly string[]>>
  /** Undefined when the plugin does not localize content. */
  readonly locales?: LocaleRules
  /** For content-types of the file, by uid. */
  readonly attributes?: Readonly<Record<string, Readonly<Record<string, AttributeConfig>>>>
}

export interface LocaleRules {
  /** The locale of entries and requests without one. */
  readonly standard: string
  /** Undefined: any code is accepted. */
  readonly codes: readonly string[] | undefined
  /** Undefined when the options do not say. */
  isLocalized(pluginOptions: Readonly<Record<string, unknown>> | undefined): boolean | undefined
}

export interface ContributedEntry {
  readonly uid: string
  readonly data: SeedEntry
  readonly path: DiagnosticPath
}
