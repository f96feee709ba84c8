// Merged declarations of the file and plugins, with paths for diagnostics.

import type { AttributeConfig, ComponentConfig, ContentTypeConfig } from '../config/config.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { Uid } from './uid.ts'

export interface AttributeSource {
  readonly name: string
  readonly config: AttributeConfig
  readonly path: DiagnosticPath
  /** Its name may then be reserved in the file. */
  readonly contributed: boolean
}

interface SchemaSource {
  readonly path: DiagnosticPath
  readonly attributes: readonly AttributeSource[]
}

export interface TypeSource extends SchemaSource {
  readonly uid: Uid
  readonly config: Omit<ContentTypeConfig, 'sourceKey'>
  /** Undefined for a plugin's type that the file does not extend. */
  readonly sourceKey: string | undefined
  /** Undefined for the file's own types. */
  readonly plugin: string | undefined
}

export interface ComponentSource extends SchemaSource {
  readonly uid: string
  readonly config: ComponentConfig
}

export interface Sources {
  readonly types: ReadonlyMap<string, TypeSource>
  readonly components: ReadonlyMap<string, ComponentSource>
}
