// Tools with which agents read, plan and change the file of a server, and ask why it answers as it does.

import { readFile, writeFile } from 'node:fs/promises'
import { cutYaml } from '../config/yaml/edit-yaml.ts'
import { YamlEditFault, type YamlPath } from '../config/yaml/yaml-edit.ts'
import { type Explanation, explainPermission } from '../describe/explain-permission.ts'
import { explainQuery } from '../describe/explain-query.ts'
import { type AgentTool, ToolFault } from '../plugins/agent-tools.ts'
import { applyEdits } from './edit-operations.ts'
import { type EditPlan, type PlanOptions, planEdits } from './plan-edits.ts'
import { type CheckedText, maskText, writeReport } from './plan-text.ts'
import { EDITS_SCHEMA, readEdits } from './read-edits.ts'

export interface FileToolsOptions extends Omit<PlanOptions, 'live'> {
  readonly file: string
  live(): PlanOptions['live']
  /** Serves the written file; resolves with the report of a refusal. Undefined if the server does not follow its file. */
  readonly reload: (() => Promise<string | undefined>) | undefined
  /** Resolves with the report of the cases; without a text those of `cases.yaml` beside the file. */
  readonly runCases: (file: string, cases: string | undefined) => Promise<string>
}

/** Characters of the file in one result. */
const MAX_LENGTH = 40_000
const MAX_UNDO = 20

type Given = Readonly<Record<string, unknown>>

const AS = {
  type: 'string',
  description: '"public", "role:editor", "user:ann" (a user of the file) or "token:front-end"',
}

export function createFileTools(options: FileToolsOptions): readonly AgentTool[] {
  const { file, checkWithData, live, reload, runCases } = options
  /** Texts that were replaced, and those that replaced them; the newest last. */
  const done: { readonly before: string; readonly after: string }[] = []
  let running: Promise<unknown> = Promise.resolve()

  const readText = (): Promise<string> => readFile(file, 'utf8')

  async function getSteps({ edits, undo }: Given): Promise<readonly string[]> {
    const text = await readText()
    if (undo !== true) return apply(text, edits)
    if (edits !== undefined) throw new ToolFault('"undo" goes alone, without "edits".')
    const last = done.at(-1)
    if (last === undefined) throw new ToolFault('No edit of these tools is left to undo.')
    if (last.after !== text)
      throw new ToolFault('The file was edited elsewhere since: undo that edit by hand.')
    return [text, last.before]
  }

  async function plan(given: Given): Promise<{ readonly steps: readonly string[]; readonly plan: EditPlan }> {
    const steps = await getSteps(given)
    return { steps, plan: await planEdits(steps, { ...options, live: live() }) }
  }

  async function write(given: Given): Promise<string> {
    const { steps, plan: made } = await plan(given)
    const { plan: token, allow = [], undo } = given
    if (made.token === undefined) throw new ToolFault(`The file stays as it is:\n${made.faults}`)
    if (!Array.isArray(allow)) throw new ToolFault('"allow" is a list of sentences of the plan.')
    const missing = made.mustAllow.filter((sentence) => !allow.includes(sentence))
    if (missing.length > 0)
      throw new ToolFault(
        `The file stays as it is. Ask the people whose data it is, then repeat in "allow", word by word: ${JSON.stringify(missing)}`,
      )
    if (token !== made.token)
      throw new ToolFault(
        'The file stays as it is: "plan" is not of this file and these edits. Call file_plan first.',
      )
    const [before = '', after = ''] = [steps[0], steps.at(-1)]
    if ((await readText()) !== before)
      throw new ToolFault('The file was edited elsewhere meanwhile, and stays so: call file_plan again.')
    await writeFile(file, after)
    const refusal = await reload?.()
    if (refusal !== undefined) {
      await writeFile(file, before)
      throw new ToolFault(`The server refused the edit, and the file is as it was:\n${refusal}`)
    }
    if (undo === true) done.pop()
    else done.push({ before, after })
    if (done.length > MAX_UNDO) done.shift()
    return reload === undefined
      ? 'Written. The server reads it with its next start or reload.'
      : 'Written, and served.'
  }

  /** One after the other, so that no edit overwrites another. */
  function inTurn<T>(task: () => Promise<T>): Promise<T> {
    const result = running.then(task)
    running = result.catch(() => {})
    return result
  }

  return [
    {
      name: 'file_read',
      description: `Reads the file that declares everything (secrets are masked), or the part at "path", and says its faults.`,
      inputSchema: buildInput({
        path: { type: 'array', items: { type: ['string', 'integer'] }, description: 'Keys from the root' },
      }),
      effect: 'read',
      run: async ({ path = [] }) => showFile(await checkWithData(await readText()), readPath(path)),
    },
    {
      name: 'file_plan',
      description:
        'Says how edits would change the file and the database, who would gain access, and what is wrong with them. Changes nothing. Gives the "plan" that file_apply needs.',
      inputSchema: buildInput({ edits: EDITS_SCHEMA, undo: UNDO }),
      effect: 'read',
      run: async (given) => describePlan((await plan(given)).plan),
    },
    {
      name: 'file_apply',
      description:
        'Writes planned edits to the file; the server follows at once. "allow" repeats every sentence of the plan\'s "mustAllow": without it, nobody gains access and no stored value is dropped.',
      inputSchema: buildInput(
        {
          edits: EDITS_SCHEMA,
          undo: UNDO,
          plan: { type: 'string', description: 'From file_plan, for the same edits' },
          allow: { type: 'array', items: { type: 'string' }, description: 'Sentences of "mustAllow"' },
        },
        ['plan'],
      ),
      effect: 'write',
      run: (given) => inTurn(() => write(given)),
    },
    {
      name: 'file_test',
      description:
        'Runs cases against the file in memory: "cases" in the language of docs/reference/testing.md, or the file cases.yaml beside it.',
      inputSchema: buildInput({
        cases: {
          type: 'string',
          description:
            'YAML: { cases: { "name": [{ get: /api/articles, as: { role: editor }, expect: 200 }] } }',
        },
      }),
      effect: 'read',
      run: async ({ cases }) =>
        runCases(file, cases === undefined ? undefined : readName(cases, 'cases', MAX_LENGTH)),
    },
    {
      name: 'explain_permission',
      description:
        'Says why a caller may or may not do something: the permissions, their rules, and the SQL that they become.',
      inputSchema: buildInput(
        { as: AS, permission: { type: 'string', description: 'Such as "article.update"' } },
        ['permission'],
      ),
      effect: 'read',
      run: async ({ as = 'public', permission }) => {
        const { config, model } = live()
        return getText(
          explainPermission(config, model, readName(as, 'as'), readName(permission, 'permission')),
        )
      },
    },
    {
      name: 'explain_query',
      description: 'Shows the SQL of a list request under the rules of a caller, and which index is missing.',
      inputSchema: buildInput(
        { as: AS, url: { type: 'string', description: 'Such as "/api/articles?filters[title][$eq]=x"' } },
        ['url'],
      ),
      effect: 'read',
      run: async ({ as = 'public', url }) => {
        const { config, model } = live()
        return getText(explainQuery(config, model, readName(as, 'as'), readName(url, 'url', 4000)))
      },
    },
  ]
}

const UNDO = { type: 'boolean', description: 'Instead of edits: takes the last applied edits back' }

function buildInput(properties: Given, required: readonly string[] = []): AgentTool['inputSchema'] {
  return { type: 'object', properties, required, additionalProperties: false }
}

function apply(text: string, edits: unknown): readonly string[] {
  try {
    return applyEdits(text, readEdits(edits))
  } catch (error) {
    if (error instanceof YamlEditFault) throw new ToolFault(`${error.message}.`)
    throw error
  }
}

function showFile({ source, diagnostics }: CheckedText, path: YamlPath): string {
  const text = maskText(source)
  const range = path.length === 0 ? [0, text.length] : cutYaml(source.text, path)
  if (range === undefined) throw new ToolFault(`The file has no "${path.join('.')}".`)
  const shown = text.slice(...range)
  const more =
    shown.length > MAX_LENGTH ? `\n… ${shown.length - MAX_LENGTH} more characters: ask for a "path".` : ''
  const { report } = writeReport(source, diagnostics)
  return `${shown.slice(0, MAX_LENGTH)}${more}${report === '' ? '' : `\n---\n${report}`}`
}

function describePlan({ lines, faults, warnings, changes, mustAllow, token }: EditPlan): string {
  const all = lines.join('\n')
  const shown =
    all.length > MAX_LENGTH / 2 ? `${all.slice(0, MAX_LENGTH / 2)}\n… ${lines.length} lines in all` : all
  return JSON.stringify(
    {
      ...(faults !== '' && { faults }),
      ...(warnings !== '' && { warnings }),
      file: shown.split('\n'),
      database: changes.slice(0, 200),
      mustAllow,
      ...(token !== undefined && { plan: token }),
    },
    undefined,
    1,
  )
}

function readPath(path: unknown): YamlPath {
  if (Array.isArray(path) && path.every((step) => ['string', 'number'].includes(typeof step)))
    return path as YamlPath
  throw new ToolFault('"path" is a list of keys from the root of the file.')
}

function readName(value: unknown, name: string, maxLength = 200): string {
  if (typeof value === 'string' && value.length <= maxLength) return value
  throw new ToolFault(`"${name}" is a text of at most ${maxLength} characters.`)
}

function getText(explanation: Explanation): string {
  if ('fault' in explanation) throw new ToolFault(`${explanation.fault}.`)
  return explanation.text
}
