// Replaces custom fields of Strapi's schema.json by texts, with a warning: most of them store text.

import type { Diagnostic, DiagnosticPath } from '../lib/errors/diagnostic.ts'
import { isRecord } from '../lib/is-record.ts'

/** Changes `value` in place. */
export function readCustomFields(value: unknown): readonly Diagnostic[] {
  const diagnostics: Diagnostic[] = []
  if (!isRecord(value)) return diagnostics
  for (const section of ['contentTypes', 'components']) {
    for (const [schema, declared] of listEntries(value[section])) {
      for (const [name, attribute] of listEntries(isRecord(declared) ? declared['attributes'] : undefined)) {
        if (!isRecord(attribute) || attribute['type'] !== 'customField') continue
        diagnostics.push(takenAsText([section, schema, 'attributes', name, 'type'], attribute['customField']))
        // `options` configure the field in the admin panel only.
        const { customField: _, options: __, ...rest } = attribute
        Reflect.set(Object(declared)['attributes'], name, { ...rest, type: 'string' })
      }
    }
  }
  return diagnostics
}

function listEntries(value: unknown): readonly [string, unknown][] {
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
