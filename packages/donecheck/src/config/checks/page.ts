/** The table of kinds as its reference page has it. */
import { z } from 'zod'
import { checkKinds, combinationKinds } from '@donecheck/core/base'
import { commonFields, kindRows, kindSchemas } from './kinds.ts'
import { combinationSchemas } from './spec.ts'

/** Markdown: one table of the kinds, one of the combinations, one of what every check can be told. */
export function kindPage(): string {
  const kinds = checkKinds.map((kind) => [
    code(kind),
    kindRows[kind].what,
    optionsOf(kindSchemas[kind].shape),
  ])
  const combinations = combinationKinds.map((kind) => [code(kind), optionsOf(combinationSchemas[kind].shape)])
  return [
    table(['kind', 'what it looks at', 'options'], kinds),
    table(['kind', 'options'], combinations),
    table(['option of every kind'], [[describe(Object.entries(commonFields))]]),
  ].join('\n')
}

function optionsOf(shape: z.ZodRawShape): string {
  return describe(Object.entries(shape).filter(([name]) => name !== 'kind' && !(name in commonFields)))
}

function describe(fields: readonly (readonly [string, z.core.$ZodType])[]): string {
  return fields
    .map(([name, field]) => `${code(name)}: ${z.globalRegistry.get(field)?.description ?? ''}`)
    .join('<br>')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

function code(text: string): string {
  return `\`${text}\``
}
