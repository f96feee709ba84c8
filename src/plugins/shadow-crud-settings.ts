// Which parts of the generated GraphQL schema are enabled.

export interface ShadowCrudSettings {
  isTypeEnabled(uid: string): boolean
  areQueriesEnabled(uid: string): boolean
  areMutationsEnabled(uid: string): boolean
  isActionEnabled(uid: string, action: string): boolean
  hasFieldOutput(uid: string, name: string): boolean
  hasFieldInput(uid: string, name: string): boolean
  hasFieldFilters(uid: string, name: string): boolean
}
