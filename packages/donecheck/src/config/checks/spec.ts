import { given, jsonOf, UsageError } from '@donecheck/engine/internal/base'
import type { Verifier } from '@donecheck/engine/internal/ports/checks'
import type { Combination } from '@donecheck/engine/verify'
import { nearest } from '@donecheck/core/internal/base'
import { z } from 'zod'
import { commonFields, loadVerifiers, type CheckParts, type NamedOptions, type Whole } from './check-kind.ts'
import { checkKinds } from './kinds.ts'

type OneSpec = z.output<(typeof checkKinds)[number]['schema']>
type OneInput = z.input<(typeof checkKinds)[number]['schema']>

type Combined = z.output<z.ZodObject<typeof commonFields>> & { readonly of: readonly CheckSpec[] }
type CombinationSpec =
  | (Combined & { readonly kind: 'all' | 'any' })
  | (Combined & { readonly kind: 'quorum'; readonly atLeast: number })
  | (Combined & { readonly kind: 'weighted'; readonly threshold: number })

export type CheckSpec = OneSpec | CombinationSpec

export type CheckInput =
  string | OneInput | (Omit<CombinationSpec, 'of'> & { readonly of: readonly CheckInput[] })

const of = z
  .array(z.lazy((): z.ZodType<CheckSpec> => checkSpec))
  .min(1, 'the list is empty')
  .describe('checks of any kind, composed ones too')

export const combinations = {
  all: z.strictObject({ kind: z.literal('all'), ...commonFields, of }),
  any: z.strictObject({ kind: z.literal('any'), ...commonFields, of }),
  quorum: z.strictObject({
    kind: z.literal('quorum'),
    ...commonFields,
    of,
    atLeast: z.number().int().positive().describe('so many of them must pass'),
  }),
  weighted: z.strictObject({
    kind: z.literal('weighted'),
    ...commonFields,
    of,
    threshold: z.number().gt(0).max(1).describe('share of their weight that must pass'),
  }),
}

export const checkKindNames: readonly string[] = [
  ...checkKinds.map(({ name }) => name),
  ...Object.keys(combinations),
]

const [firstKind, ...otherKinds] = checkKinds

const options: z.ZodType<CheckSpec> = z.discriminatedUnion(
  'kind',
  [firstKind.schema, ...otherKinds.map((kind) => kind.schema), ...Object.values(combinations)],
  `kind must be one of ${checkKindNames.join(', ')}`,
)

export const checkSpec = z.preprocess((configured, context): unknown => {
  if (typeof configured !== 'string') return configured
  const parsed = optionsOfLine(configured)
  if (typeof parsed !== 'string') return parsed
  context.issues.push({ code: 'custom', message: parsed, input: configured })
  return z.NEVER
}, options)

/** @returns a string if the line is invalid */
function optionsOfLine(line: string): object | string {
  const [, kind = '', rest = ''] = /^\s*([a-z]+)\s*:(.*)$/su.exec(line) ?? []
  if (!checkKindNames.includes(kind)) return unknownKind(kind === '' ? line : kind)
  if (rest.trimStart().startsWith('{')) {
    const parsed = jsonOf(rest)
    const isObject = typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
    return isObject ? { ...parsed, kind } : `what follows ${kind}: is no JSON object`
  }
  const known = checkKinds.find(({ name }) => name === kind)
  if (rest.trim() === '' || known === undefined)
    return `${kind} needs options: ${kind}:{…} as JSON${known === undefined ? '' : `, or ${kind}:TEXT`}`
  const meant = known.line(rest.trim())
  return typeof meant === 'string'
    ? `write ${meant}, or ${kind}:{…} with options as JSON`
    : { ...meant, kind }
}

function unknownKind(kind: string): string {
  const near = nearest(kind, checkKindNames)
  return near === undefined
    ? `a check is written KIND:TEXT, and KIND is one of ${checkKindNames.join(', ')}`
    : `there is no kind "${kind}"; did you mean "${near}"?`
}

function kindOf({ kind }: OneSpec) {
  const found = checkKinds.find(({ name }) => name === kind)
  if (found === undefined) throw new TypeError(`there is no kind ${kind}`)
  return found
}

/** Inlines files that the check names; `parseConfig` reads the result again. */
export async function readCheckFiles(
  check: CheckSpec,
  read: (path: string) => Promise<string>,
): Promise<object> {
  if (!('of' in check)) return kindOf(check).withFiles(check, read)
  return { ...check, of: await Promise.all(check.of.map((member) => readCheckFiles(member, read))) }
}

/** @throws {UsageError} for empty or contradicting options */
export async function verifierFor(spec: CheckSpec, parts: CheckParts, within?: Whole): Promise<Verifier> {
  const named = optionsOf(spec, parts)
  const { composed } = await loadVerifiers()
  if ('of' in spec) {
    const whole = within ?? { name: spec.name }
    const members = await Promise.all(spec.of.map((member) => verifierFor(member, parts, whole)))
    return composed(combinationOf(spec), members, named)
  }
  const kind = kindOf(spec)
  const [only, ...others] = await kind.verifiersOf(spec, named, parts, within)
  if (only === undefined) throw new UsageError(`${spec.kind} asks nothing; give it something to look for`)
  if (others.length === 0) return only
  // Several verifiers of one check share its name, role and weight.
  const { timeoutMs = parts.timeoutMs } = named
  return composed({ kind: 'all' }, await kind.verifiersOf(spec, { timeoutMs }, parts, within), named)
}

function combinationOf(spec: CombinationSpec): Combination {
  if (spec.kind === 'quorum') return { kind: spec.kind, atLeast: spec.atLeast }
  return spec.kind === 'weighted' ? { kind: spec.kind, threshold: spec.threshold } : { kind: spec.kind }
}

function optionsOf(
  { name, required = true, weight = 1, exclusive, timeoutSeconds }: CheckSpec,
  { timeoutMs }: CheckParts,
): NamedOptions {
  return {
    required,
    weight,
    timeoutMs: timeoutSeconds === undefined ? timeoutMs : timeoutSeconds * 1000,
    ...given({ name, exclusive }),
  }
}
