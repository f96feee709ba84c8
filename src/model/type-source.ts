// The merged declarations of content-types and components by the file and plugins, each with the path for diagnostics.

import type { AttributeConfig, ComponentConfig, ContentTypeConfig } from '../config/config.ts'
import type { DiagnosticPath } from '../lib/errors/diagnostic.ts'
import type { Uid } from './uid.ts'

/** An attribute and where it was declared. */
export interface AttributeSource {
  readonly name: string
  readonly config: AttributeConfig
  readonly path: DiagnosticPath
  /** Whether a plugin added the attribute: its name may then be one that is reserved in the file. */
  readonly contributed: boolean
}

interface SchemaSource {
  readonly path: DiagnosticPath
  readonly attributes: readonly AttributeSource[]
}

export interface TypeSource extends SchemaSource {
  readonly uid: Uid
  readonly config: Omit<ContentTypeConfig, 'sourceKey'>
  /** The key as written in the file; undefined for a plugin's type that the file does not extend. */
  readonly sourceKey: string | undefined
  /** The plugin that declares it; undefined for those of the file. */
  readonly plugin: string | undefined
}

export interface ComponentSource extends SchemaSource {
  readonly uid: string
  readonly config: ComponentConfig
}

/** Everything that a model is built from. */
export interface Sources {
  readonly types: ReadonlyMap<string, TypeSource>
  readonly components: ReadonlyMap<string, ComponentSource>
}
