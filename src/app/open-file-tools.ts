// Opens the tools with which agents edit the file of a server.

import { formatReport } from '../config/format-diagnostic.ts'
import { createFileTools, type FileToolsOptions } from '../file-edits/file-tools.ts'
import type { CheckedText } from '../file-edits/plan-text.ts'
import type { AgentTool } from '../plugins/agent-tools.ts'
import { uploadFolders } from '../plugins/plugin-host.ts'
import { type CheckedConfig, type CheckOptions, type ConfigSource, checkConfig } from './check-config.ts'
import { checkSeed } from './check-seed.ts'
import type { Server } from './server.ts'

export interface FileToolsSettings extends Pick<FileToolsOptions, 'runCases'> {
  /** Whether the server serves an edit of the file. */
  readonly follows: boolean
}

interface Settings extends FileToolsSettings {
  readonly source: ConfigSource
  readonly check: CheckOptions
}

export function openFileTools(
  server: Server,
  { source, check, follows, runCases }: Settings,
): readonly AgentTool[] {
  if (!('file' in source)) return []
  const { file } = source

  /** In production an edit that widens access is held once; the tools have asked for it by name. */
  async function reload(): Promise<string | undefined> {
    const first = await server.reload({ awaited: true })
    const event = first?.kind === 'held' ? await server.reload({ awaited: true }) : first
    if (event?.kind !== 'rejected') return undefined
    return formatReport(event.checked.source, event.diagnostics, { colors: false })
  }

  /** Without code and seed files that the file does not name yet. */
  async function checkText(text: string): Promise<CheckedConfig> {
    const { files } = await checkConfig({ file }, check)
    const sent = {
      text,
      loaded: new Set(files),
      uploads: uploadFolders(server.app.plugins),
      onlyLoaded: true,
    }
    return checkConfig({ file, sent }, check)
  }
  const withTexts = (checked: CheckedConfig): CheckedText => ({ ...checked, secrets: checked.secrets.texts })

  return createFileTools({
    file,
    database: server.environment.database,
    live: () => server.app,
    runCases,
    reload: follows ? reload : undefined,
    check: async (text) => withTexts(await checkText(text)),
    checkWithData: async (text) => withTexts(await checkSeed(await checkText(text))),
  })
}
