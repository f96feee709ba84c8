// Everything the configuration says about content, frozen.

import type { Component, ContentType } from './content-type.ts'

export interface Model {
  readonly contentTypes: ReadonlyMap<string, ContentType>
  readonly components: ReadonlyMap<string, Component>
  /** Where media attributes lead to; undefined where no plugin keeps files. */
  readonly fileType: ContentType | undefined
  /** Of those who log in; undefined where nobody does. */
  readonly userType: ContentType | undefined
}
