// Custom fields of a Strapi project's schema.json: `type: customField` names no type that is stored. They are read as texts,
// which is what most of them keep, and the report says so.

import type { Diagnostic, DiagnosticPath } from '../errors/diagnostic.ts'
import { isRecord } from '../util/is-record.ts'

/** `value`: the whole file as parsed; it is changed. */
export function readCustomFields(value: unknown): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  if (!isRecord(value)) return diagnostics
  for (const section of ['contentTypes', 'components']) {
    for (const [holder, declared] of entriesOf(value[section])) {
      for (const [name, attribute] of entriesOf(isRecord(declared) ? declared['attributes'] : undefined)) {
        if (!isRecord(attribute) || attribute['type'] !== 'customField') continue
        diagnostics.push(takenAsText([section, holder, 'attributes', name, 'type'], attribute['customField']))
        // `options` are those of the field in the admin panel.
        const { customField: _, options: __, ...rest } = attribute
        Reflect.set(Object(declared)['attributes'], name, { ...rest, type: 'string' })
      }
    }
  }
  return diagnostics
}

function entriesOf(value: unknown): readonly [string, unknown][] {
  return isRecord(value) ? Object.entries(value) : []
}

function takenAsText(path: DiagnosticPath, customField: unknown): Diagnostic {
  const name = typeof customField === 'string' ? ` ${customField}` : ''
  return {
    code: 'CFG046',
    severity: 'warning',
    path,
    message: `the custom field${name} is taken as "string"`,
    help: 'name the type that it stores, such as "string", "richtext" or "json", in place of "customField"',
  }
}
