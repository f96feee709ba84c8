// The package's API: `import { createCms } from 'cms-run'`.

export type { Caller, GraphqlResult } from './app/callers.ts'
export { type Cms, type CmsOptions, createCms } from './app/create-cms.ts'
export type { ChangesOptions, CmsChange } from './app/follow-changes.ts'
export type { RawTroubleRule as TroubleRule } from './config/normalize-trouble.ts'
export { ApiError, type ApiErrorName, type ErrorItem } from './lib/errors/api-error.ts'
export type { Diagnostic } from './lib/errors/diagnostic.ts'
export { ConfigError } from './lib/errors/diagnostic.ts'
export type { ErrorClasses } from './lib/errors/error-classes.ts'
export type { OutboxMail } from './plugins/mailer.ts'
export type { FieldHandle, ShadowCrudHandle } from './plugins/shadow-crud-handles.ts'
export type { EntryObject } from './query/rows/to-object.ts'
export type { RestContext, RestMiddleware } from './rest/rest-context.ts'
export { type TestRunner, testCases } from './testing/cases/test-cases.ts'
export {
  type CmsMatchers,
  findMails,
  findRequests,
  type MailPattern,
  matchers,
  type RequestPattern,
} from './testing/matchers.ts'
export type { RecordedRequest } from './testing/requests/request-history.ts'
export type { EntriesFor, EntriesOf, EntryTypes } from './user-code/entries.ts'
export type { Entries, EntriesQuery } from './user-code/entries-query.ts'
export type {
  CmsPlugin,
  CmsPluginOperation,
  PluginSetting,
  PluginTools,
} from './user-code/plugin-contract.ts'
export type { ExtensionRegistry, UserCms } from './user-code/user-cms.ts'
export type { LifecycleEvent, LifecycleHook, Lifecycles, ProgramHooks } from './user-code/user-lifecycles.ts'
