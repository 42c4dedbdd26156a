/** How a key of the configuration becomes a flag. Type, bounds and choices of the flag are those of its schema. */
import { z } from 'zod'
import { explainIssue } from '@donecheck/engine/base'

/** Flags that `--help` lists together. */
export type FlagGroup = 'agent' | 'checks' | 'ends' | 'judges' | 'caps' | 'permissions' | 'rules' | 'record'

interface FlagDeclaration {
  /** As it is typed, such as `-u, --until <command>`. */
  readonly typed: string
  readonly group: FlagGroup
  /** The help of an installation of hooks, if it differs. */
  readonly hooksHelp?: string
  readonly isList: boolean
}

const declarations = z.registry<FlagDeclaration>()

interface FlagOptions {
  readonly hooksHelp?: string
  /** The flag may be repeated; each occurrence adds to the list. Default false. */
  readonly isList?: boolean
}

/** Declares the flag that sets a key, with its help. */
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

/** The flag of one key, with how its text is read. */
export interface ConfigFlag extends FlagDeclaration {
  readonly key: string
  readonly help: string
  readonly choices: readonly string[] | undefined
  /** @returns the value for the key, or a sentence about what is wrong with the text */
  read(text: string): { readonly value: unknown } | { readonly problem: string }
}

/** @returns undefined for a key without a flag */
export function flagOfKey(key: string, schema: z.ZodType): ConfigFlag | undefined {
  const declared = declarations.get(schema)
  if (declared === undefined) return undefined
  return {
    ...declared,
    key,
    help: schema.description ?? '',
    choices: choicesOf(schema),
    read(text) {
      const value = numberOrText(text)
      const attempts = [value, text].map((one) => (declared.isList ? [one] : one))
      const results = attempts.map((one) => ({ one, result: schema.safeParse(one) }))
      const found = results.find(({ result }) => result.success)
      if (found !== undefined) return { value: declared.isList ? text : found.one }
      return { problem: problemOf(key, schema, attempts.at(-1)) }
    },
  }
}

/** In the words in which a configuration is refused. */
function problemOf(key: string, schema: z.ZodType, value: unknown): string {
  const whole = z.object({ [key]: schema })
  const given = { [key]: value }
  const [issue] = whole.safeParse(given).error?.issues ?? []
  return issue === undefined ? 'it cannot be read' : explainIssue(issue, given, whole)
}

function numberOrText(text: string): number | string {
  return text.trim() === '' || Number.isNaN(Number(text)) ? text : Number(text)
}

function choicesOf(schema: z.ZodType): readonly string[] | undefined {
  if (schema instanceof z.ZodEnum) return schema.options.map(String)
  if (!(schema instanceof z.ZodUnion)) return undefined
  const named = schema.options.find((option) => option instanceof z.ZodEnum)
  return named?.options.map(String)
}
