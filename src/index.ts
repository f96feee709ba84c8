// The package's face: `import { createCms } from 'cms-run'`.

export { ConfigError } from './app/config-error.ts'
export { type Cms, type CmsOptions, createCms } from './app/create-cms.ts'
export type { Entries, EntriesFor, EntriesOf, EntriesQuery, EntryTypes } from './app/entries.ts'
export type { EntryObject } from './content/to-object.ts'
export { ApiError, type ApiErrorName, type ErrorItem } from './errors/api-error.ts'
export type { Diagnostic } from './errors/diagnostic.ts'
export type { KeptMail } from './plugins/mailer.ts'
