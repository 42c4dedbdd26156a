import { z } from 'zod'
import { configFields } from './schema.ts'
import { flagOfKey } from './keys/flag.ts'
import { commonFields } from './checks/check-kind.ts'
import { combinations } from './checks/spec.ts'
import { checkKinds } from './checks/kinds.ts'
import { variableOf } from './file.ts'

export function kindPage(): string {
  const kinds = checkKinds.map(({ name, what, schema }) => [code(name), what, optionsOf(schema.shape)])
  const composed = Object.entries(combinations).map(([kind, { shape }]) => [code(kind), optionsOf(shape)])
  return [
    table(['kind', 'what it looks at', 'options'], kinds),
    table(['kind', 'options'], composed),
    table(['option of every kind'], [[describe(Object.entries(commonFields))]]),
  ].join('\n')
}

export function configPage(): string {
  const rows = Object.entries(configFields).flatMap(([key, schema]) => {
    if (schema.description === undefined) return []
    const flag = flagOfKey(key, schema)
    const typed = flag === undefined ? '' : code(flag.typed)
    return [[code(key), typed, code(variableOf(key)), plain(schema.description)]]
  })
  return table(['key', 'flag', 'variable', 'meaning'], rows)
}

function optionsOf(shape: z.ZodRawShape): string {
  return describe(Object.entries(shape).filter(([name]) => name !== 'kind' && !(name in commonFields)))
}

function describe(fields: readonly (readonly [string, z.core.$ZodType])[]): string {
  return fields
    .map(([name, field]) => `${code(name)}: ${plain(z.globalRegistry.get(field)?.description ?? '')}`)
    .join('<br>')
}

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows]
  return `${lines.map((cells) => `| ${cells.join(' | ')} |`).join('\n')}\n`
}

function code(text: string): string {
  return `\`${text}\``
}

function plain(text: string): string {
  const shown = text.replaceAll('|', String.raw`\|`).replaceAll('<', '&lt;')
  return shown.replaceAll(/(?:\w+:)?https?:\/\/[^\s)]+/gu, code)
}
