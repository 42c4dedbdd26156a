import { z } from 'zod'
import { given, UsageError } from '@donecheck/engine/internal/base'
import type { Human, Verifier } from '@donecheck/engine/internal/ports/checks'
import type { VerifierOptions } from '@donecheck/engine/verify'

export type NamedOptions = VerifierOptions & { readonly name?: string }

export const text = z.string().trim().min(1, 'it is empty')
export const texts = z.array(text).min(1, 'the list is empty')
export const share = z.number().gt(0).max(1)
export const count = z.number().int().nonnegative()
export const seconds = z.number().positive()
export const bounds = z.strictObject({ min: z.number().exactOptional(), max: z.number().exactOptional() })
export const file = text.exactOptional().describe('a file of the work folder, instead of the answer')
export const baseUrl = z
  .url()
  .exactOptional()
  .describe('a server that speaks the OpenAI protocol and has the model')

/** Text matches literally. */
export const pattern = z.union([
  text,
  z.strictObject({ pattern: text, flags: z.string().exactOptional() }),
  z.instanceof(RegExp).transform(({ source, flags }) => ({ pattern: source, flags })),
])

/** @throws {UsageError} for an invalid regular expression */
export function patternOf(given: z.output<typeof pattern>): string | RegExp {
  if (typeof given === 'string') return given
  try {
    return new RegExp(given.pattern, given.flags)
  } catch (error) {
    throw new UsageError(`the pattern ${given.pattern} is no regular expression: ${String(error)}`, {
      cause: error,
    })
  }
}

export function sourceOf({ file: named }: { readonly file?: string | undefined }) {
  return named === undefined ? {} : { source: { file: named } }
}

export const commonFields = {
  name: text.exactOptional().describe('unique in a run; default: what is checked, in words'),
  required: z.boolean().exactOptional().describe('its verdict decides (default true)'),
  weight: z.number().nonnegative().exactOptional().describe('under `weighted` (1)'),
  timeoutSeconds: seconds.exactOptional().describe('longer is an error (300)'),
  exclusive: z.boolean().exactOptional().describe('nothing else is checked meanwhile'),
}
export type CommonOptions = z.output<z.ZodObject<typeof commonFields>>

export interface JudgedOptions extends CommonOptions {
  readonly rubric: string
  readonly model?: string
  readonly baseUrl?: string
  readonly minScore?: number
  readonly reads?: 'workspace' | 'answer'
  readonly quotesFrom?: string[]
}

export interface Whole {
  readonly name: string | undefined
}

export interface CheckParts {
  readonly human: Human
  /** @throws {UsageError} if there is no judge, or it may not decide */
  readonly judged: (
    spec: JudgedOptions,
    options: NamedOptions,
    within: Whole | undefined,
  ) => Promise<Verifier>
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly timeoutMs: number
}

type Options<Shape extends z.ZodRawShape> = z.output<z.ZodObject<typeof commonFields & Shape>>

interface KindRow<Name extends string, Shape extends z.ZodRawShape> {
  readonly name: Name
  readonly what: string
  readonly options: Shape
  /** Options for `--check KIND:TEXT`, or an example of how to write them. */
  readonly line: (typed: string) => object | string
  /** Replaces options that name files by their content before the agent starts. */
  readonly readFiles?: (spec: Options<Shape>, read: (path: string) => Promise<string>) => Promise<object>
  /** All must pass. @throws {UsageError} for contradicting options */
  readonly verifiers: (
    spec: Options<Shape>,
    options: NamedOptions,
    parts: CheckParts,
    within: Whole | undefined,
  ) => Promise<readonly Verifier[]>
}

export function checkKind<const Name extends string, Shape extends z.ZodRawShape>({
  options,
  readFiles,
  verifiers,
  ...row
}: KindRow<Name, Shape>) {
  const shape = { ...commonFields, ...options }
  const own = z.object(shape)
  return {
    ...row,
    schema: z.strictObject({ kind: z.literal(row.name), ...shape }),
    async withFiles(spec: object, read: (path: string) => Promise<string>): Promise<object> {
      return readFiles === undefined ? spec : { ...spec, ...(await readFiles(own.parse(spec), read)) }
    },
    verifiersOf: (spec: unknown, named: NamedOptions, parts: CheckParts, within: Whole | undefined) =>
      verifiers(own.parse(spec), named, parts, within),
  }
}

export const loadVerifiers = () => import('@donecheck/engine/verify')

export { given, UsageError, z }
