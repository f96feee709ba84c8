// Writes TypeScript made from the file.

import type { Config } from '../../config/config.ts'
import { buildClientSource, typeDeclarations } from '../../describe/type-declarations.ts'
import type { Model } from '../../model/model.ts'
import type { Invocation } from '../invocation.ts'
import { writeOutput } from '../write-output.ts'

export function printTypes(invocation: Invocation): Promise<number> {
  return writeOutput(invocation, async ({ config, model }) => typeDeclarations(model, config.rest))
}

/** With `--out client.js` the client is JavaScript. */
export function printClient(invocation: Invocation): Promise<number> {
  const { out } = invocation.command.flags
  const plain = out !== undefined && /\.m?js$/.test(out)
  return writeOutput(invocation, async (parts) => {
    const source = getClient(parts)
    return plain ? withoutTypes(source) : source
  })
}

function getClient({ config, model }: { readonly config: Config; readonly model: Model }): string {
  return buildClientSource(model, config.rest)
}

async function withoutTypes(source: string): Promise<string> {
  const { transform } = await import('esbuild')
  const { code } = await transform(source, { loader: 'ts', target: 'es2022' })
  return code
}
