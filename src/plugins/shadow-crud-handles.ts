// Implements `cms.graphql.extension.shadowCRUD(uid)`: independent switches for parts of the generated schema.
// Unknown uids, actions and fields have no effect.

import { expandTypeName } from '../model/find-target.ts'
import type { Model } from '../model/model.ts'
import type { ShadowCrudSettings } from './shadow-crud-settings.ts'

type ShadowCrudAction = 'create' | 'find' | 'findOne' | 'update' | 'delete'

/** Methods that switch something off return the handle itself. */
export interface ShadowCrudHandle {
  disable(): ShadowCrudHandle
  disableQueries(): ShadowCrudHandle
  disableMutations(): ShadowCrudHandle
  disableAction(action: ShadowCrudAction): ShadowCrudHandle
  disableActions(actions: readonly ShadowCrudAction[]): ShadowCrudHandle
  field(name: string): FieldHandle
  isEnabled(): boolean
  isDisabled(): boolean
  areQueriesEnabled(): boolean
  areQueriesDisabled(): boolean
  areMutationsEnabled(): boolean
  areMutationsDisabled(): boolean
  isActionEnabled(action: ShadowCrudAction): boolean
  isActionDisabled(action: ShadowCrudAction): boolean
}

export interface FieldHandle {
  disable(): FieldHandle
  disableOutput(): FieldHandle
  disableInput(): FieldHandle
  disableFilters(): FieldHandle
  isEnabled(): boolean
  isDisabled(): boolean
  hasInputEnabled(): boolean
  hasOutputEnabled(): boolean
  hasFiltersEnabled(): boolean
  /** As Strapi 4 spells it. */
  hasFiltersEnabeld(): boolean
}

interface TypeSwitches {
  enabled: boolean
  queries: boolean
  mutations: boolean
  readonly disabledActions: Set<string>
  readonly fields: Map<string, FieldSwitches>
}

interface FieldSwitches {
  enabled: boolean
  output: boolean
  input: boolean
  filters: boolean
}

interface ShadowCrud {
  /** `uid` is the full uid of a content-type or component. */
  handle(uid: string): ShadowCrudHandle
  readonly settings: ShadowCrudSettings
}

export function createShadowCrud(): ShadowCrud {
  const types = new Map<string, TypeSwitches>()
  const field = (uid: string, name: string) => types.get(uid)?.fields.get(name)
  return {
    handle(uid) {
      let switches = types.get(uid)
      if (switches === undefined) {
        switches = {
          enabled: true,
          queries: true,
          mutations: true,
          disabledActions: new Set(),
          fields: new Map(),
        }
        types.set(uid, switches)
      }
      return typeHandle(switches)
    },
    settings: {
      isTypeEnabled: (uid) => types.get(uid)?.enabled ?? true,
      areQueriesEnabled: (uid) => types.get(uid)?.queries ?? true,
      areMutationsEnabled: (uid) => types.get(uid)?.mutations ?? true,
      isActionEnabled: (uid, action) => types.get(uid)?.disabledActions.has(action) !== true,
      hasFieldOutput: (uid, name) => isOn(field(uid, name), 'output'),
      hasFieldInput: (uid, name) => isOn(field(uid, name), 'input'),
      hasFieldFilters: (uid, name) => isOn(field(uid, name), 'filters'),
    },
  }
}

function isOn(field: FieldSwitches | undefined, what: 'output' | 'input' | 'filters'): boolean {
  return field === undefined || (field.enabled && field[what])
}

function typeHandle(switches: TypeSwitches): ShadowCrudHandle {
  const handle: ShadowCrudHandle = {
    disable() {
      switches.enabled = false
      return handle
    },
    disableQueries() {
      switches.queries = false
      return handle
    },
    disableMutations() {
      switches.mutations = false
      return handle
    },
    disableAction(action) {
      switches.disabledActions.add(action)
      return handle
    },
    disableActions(actions) {
      for (const action of actions) switches.disabledActions.add(action)
      return handle
    },
    field(name) {
      let field = switches.fields.get(name)
      if (field === undefined) {
        field = { enabled: true, output: true, input: true, filters: true }
        switches.fields.set(name, field)
      }
      return fieldHandle(field)
    },
    isEnabled: () => switches.enabled,
    isDisabled: () => !switches.enabled,
    areQueriesEnabled: () => switches.queries,
    areQueriesDisabled: () => !switches.queries,
    areMutationsEnabled: () => switches.mutations,
    areMutationsDisabled: () => !switches.mutations,
    isActionEnabled: (action) => !switches.disabledActions.has(action),
    isActionDisabled: (action) => switches.disabledActions.has(action),
  }
  return handle
}

function fieldHandle(switches: FieldSwitches): FieldHandle {
  const handle: FieldHandle = {
    disable() {
      switches.enabled = false
      return handle
    },
    disableOutput() {
      switches.output = false
      return handle
    },
    disableInput() {
      switches.input = false
      return handle
    },
    disableFilters() {
      switches.filters = false
      return handle
    },
    isEnabled: () => switches.enabled,
    isDisabled: () => !switches.enabled,
    hasInputEnabled: () => isOn(switches, 'input'),
    hasOutputEnabled: () => isOn(switches, 'output'),
    hasFiltersEnabled: () => isOn(switches, 'filters'),
    hasFiltersEnabeld: () => isOn(switches, 'filters'),
  }
  return handle
}

/** Applies `graphql.shadowCRUD` of the file, by full uid. */
export function applyShadowCrud(
  { handle }: ShadowCrud,
  written: Readonly<Record<string, ShadowCrudText>>,
): void {
  for (const [uid, options] of Object.entries(written)) {
    const type = handle(uid)
    if (options.disable === true) type.disable()
    if (options.disableQueries === true) type.disableQueries()
    if (options.disableMutations === true) type.disableMutations()
    type.disableActions(options.disableActions ?? [])
    for (const [name, switches] of Object.entries(options.fields ?? {})) {
      const field = type.field(name)
      if (switches.disable === true) field.disable()
      if (switches.disableOutput === true) field.disableOutput()
      if (switches.disableInput === true) field.disableInput()
      if (switches.disableFilters === true) field.disableFilters()
    }
  }
}

export interface ShadowCrudText {
  readonly disable?: boolean
  readonly disableQueries?: boolean
  readonly disableMutations?: boolean
  readonly disableActions?: readonly ShadowCrudAction[]
  readonly fields?: Readonly<
    Record<
      string,
      {
        readonly disable?: boolean
        readonly disableOutput?: boolean
        readonly disableInput?: boolean
        readonly disableFilters?: boolean
      }
    >
  >
}

export function readShadowCrud(shadowCRUD: Readonly<Record<string, unknown>>, model: Model): ShadowCrud {
  const shadow = createShadowCrud()
  const written = Object.entries(shadowCRUD as Readonly<Record<string, ShadowCrudText>>)
  applyShadowCrud(
    shadow,
    Object.fromEntries(written.map(([name, text]) => [findShadowCrudUid(model, name), text])),
  )
  return shadow
}

/** Returns `name` itself if it names no content-type or component. */
export function findShadowCrudUid(model: Model, name: string): string {
  return expandTypeName(name, [...model.contentTypes.keys(), ...model.components.keys()]) ?? name
}
