import { z } from 'zod'
import { explainIssue } from '@donecheck/engine/internal/base'

export type FlagGroup = 'agent' | 'checks' | 'ends' | 'judges' | 'caps' | 'permissions' | 'rules' | 'record'

interface FlagDeclaration {
  readonly typed: string
  readonly group: FlagGroup
  readonly hooksHelp?: string
  readonly isList: boolean
}

const declarations = z.registry<FlagDeclaration>()

interface FlagOptions {
  readonly hooksHelp?: string
  readonly isList?: boolean
}

export function flag<Schema extends z.ZodType>(
  group: FlagGroup,
  typed: string,
  schema: Schema,
  help: string,
  { isList = false, ...options }: FlagOptions = {},
): Schema {
  const described = schema.describe(help)
  declarations.add(described, { group, typed, isList, ...options })
  return described
}

export interface ConfigFlag extends FlagDeclaration {
  readonly key: string
  readonly help: string
  readonly choices: readonly string[] | undefined
  /** @returns a problem if the text is invalid */
  read(text: string): { readonly value: unknown } | { readonly problem: string }
}

export function flagOfKey(key: string, schema: z.ZodType): ConfigFlag | undefined {
  const declared = declarations.get(schema)
  if (declared === undefined) return undefined
  return {
    ...declared,
    key,
    help: schema.description ?? '',
    choices: choicesOf(schema),
    read(text) {
      const value = text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
      const attempts = [value, text].map((one) => (declared.isList ? [one] : one))
      const results = attempts.map((one) => ({ one, result: schema.safeParse(one) }))
      const found = results.find(({ result }) => result.success)
      if (found !== undefined) return { value: declared.isList ? text : found.one }
      return { problem: problemOf(key, schema, attempts.at(-1)) }
    },
  }
}

function problemOf(key: string, schema: z.ZodType, value: unknown): string {
  const whole = z.object({ [key]: schema })
  const given = { [key]: value }
  const [issue] = whole.safeParse(given).error?.issues ?? []
  return issue === undefined ? 'it cannot be read' : explainIssue(issue, given, whole)
}

function choicesOf(schema: z.ZodType): readonly string[] | undefined {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (!(schema instanceof z.ZodUnion)) return undefined
  const named = schema.options.find((option) => option instanceof z.ZodEnum)
  return named?.options.map(String)
}
