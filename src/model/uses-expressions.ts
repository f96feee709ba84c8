// Checks whether a configuration has expressions, whose parser must be loaded before the model is built.

import type { Config } from '../config/config.ts'
import { listPermissions } from './permission-list.ts'

export function usesExpressions({ auth, contentTypes, components }: Config): boolean {
  const granted = [...Object.values(auth.roles), ...auth.apiTokens]
  return (
    granted.some(({ permissions = [] }) =>
      listPermissions(permissions).some(({ rule }) => rule !== undefined),
    ) ||
    [...Object.values(contentTypes), ...Object.values(components)].some(
      (schema) =>
        'checks' in schema || Object.values(schema.attributes).some((attribute) => 'computed' in attribute),
    )
  )
}
