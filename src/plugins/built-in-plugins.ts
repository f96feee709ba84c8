// The built-in plugins in order of activation: a plugin can use services of earlier ones.

import { contentTypeBuilderPlugin } from './content-type-builder/content-type-builder-plugin.ts'
import { emailPlugin } from './email/email-plugin.ts'
import { eventsPlugin } from './events/events-plugin.ts'
import { graphqlPlugin } from './graphql/graphql-plugin.ts'
import { i18nPlugin } from './i18n/i18n-plugin.ts'
import { mcpPlugin } from './mcp/mcp-plugin.ts'
import type { Plugin } from './plugin.ts'
import { schedulingPlugin } from './scheduling/scheduling-plugin.ts'
import { uploadPlugin } from './upload/upload-plugin.ts'
import { usersPermissionsPlugin } from './users-permissions/users-permissions-plugin.ts'

export const builtInPlugins: readonly Plugin[] = [
  contentTypeBuilderPlugin,
  emailPlugin,
  uploadPlugin,
  i18nPlugin,
  usersPermissionsPlugin,
  eventsPlugin,
  schedulingPlugin,
  graphqlPlugin,
  mcpPlugin,
]
