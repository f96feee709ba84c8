// Checks a model for everything that GraphQL cannot serve, and the `graphql` section for mistakes.

import { type Checking, isPluginOn } from '../../../model/checking.ts'
import type { Plugin } from '../../plugin.ts'
import { checkAttributes } from './check-attributes.ts'
import { checkEndpoint } from './check-endpoint.ts'
import { checkNames } from './check-names.ts'
import { checkSection } from './check-section.ts'
import { checkUnused } from './check-unused.ts'
import { reservedNames } from './reserved-names.ts'

/** The section is checked even if the plugin is off: it may be switched on later. */
export function checkGraphql(checking: Checking, plugins: readonly Plugin[]): void {
  const reserved = reservedNames(plugins)
  if (isPluginOn(checking, 'graphql')) {
    checkEndpoint(checking)
    checkNames(checking, reserved)
    checkAttributes(checking)
  }
  checkSection(checking, reserved)
  checkUnused(checking)
}
