// The frozen model of all content that the configuration describes.

import type { ContentRules } from './content-rules.ts'
import type { Component, ContentType } from './content-type.ts'

export interface Model {
  readonly apiVersion: ContentRules
  readonly contentTypes: ReadonlyMap<string, ContentType>
  readonly components: ReadonlyMap<string, Component>
  /** The target of media attributes; undefined when no plugin stores files. */
  readonly fileType: ContentType | undefined
  readonly userType: ContentType | undefined
}
