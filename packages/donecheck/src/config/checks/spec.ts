/** A check that is no command, as it is configured or typed: one of the table of kinds, or several of them composed. */
import { jsonOf } from '@donecheck/engine/base'
import { z } from 'zod'
import { checkKinds, combinationKinds, nearest, type CheckKind } from '@donecheck/core/base'
import { commonFields, kindRows, kindSchemas } from './kinds.ts'

/** The options of a kind. */
export type SpecOf<Kind extends CheckKind> = z.output<(typeof kindSchemas)[Kind]>
type OneSpec = { [Kind in CheckKind]: SpecOf<Kind> }[CheckKind]
type Common = z.output<z.ZodObject<typeof commonFields>>

type Combined = Common & { readonly of: readonly CheckSpec[] }
export type CombinationSpec =
  | (Combined & { readonly kind: 'all' | 'any' })
  | (Combined & { readonly kind: 'quorum'; readonly atLeast: number })
  | (Combined & { readonly kind: 'weighted'; readonly threshold: number })

export type CheckSpec = OneSpec | CombinationSpec

/** In a configuration: `KIND:TEXT`, or the options themselves. */
export type CheckInput =
  | string
  | { [Kind in CheckKind]: z.input<(typeof kindSchemas)[Kind]> }[CheckKind]
  | (Omit<CombinationSpec, 'of'> & { readonly of: readonly CheckInput[] })

const allKinds: readonly string[] = [...checkKinds, ...combinationKinds]

const of = z
  .array(z.lazy((): z.ZodType<CheckSpec> => checkSpec))
  .min(1, 'the list is empty')
  .describe('checks of any kind, composed ones too')

export const combinationSchemas = {
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

const { schema, ...otherKinds } = kindSchemas

const options: z.ZodType<CheckSpec> = z.discriminatedUnion(
  'kind',
  [schema, ...Object.values(otherKinds), ...Object.values(combinationSchemas)],
  `kind must be one of ${allKinds.join(', ')}`,
)

export const checkSpec = z.preprocess((given, context): unknown => {
  if (typeof given !== 'string') return given
  const parsed = optionsOfLine(given)
  if (typeof parsed !== 'string') return parsed
  context.issues.push({ code: 'custom', message: parsed, input: given })
  return z.NEVER
}, options)

/** `KIND:TEXT`, or `KIND:{…}` with the options as JSON. A text says what is wrong. */
function optionsOfLine(line: string): object | string {
  const [, kind = '', rest = ''] = /^\s*([a-z]+)\s*:(.*)$/su.exec(line) ?? []
  if (!allKinds.includes(kind)) return unknownKind(kind === '' ? line : kind)
  if (rest.trimStart().startsWith('{')) {
    const parsed = jsonObject(rest)
    return parsed === undefined ? `what follows ${kind}: is no JSON object` : { ...parsed, kind }
  }
  const known = checkKinds.find((one) => one === kind)
  if (rest.trim() === '' || known === undefined)
    return `${kind} needs options: ${kind}:{…} as JSON${known === undefined ? '' : `, or ${kind}:TEXT`}`
  const meant = kindRows[known].line(rest.trim())
  return typeof meant === 'string'
    ? `write ${meant}, or ${kind}:{…} with options as JSON`
    : { ...meant, kind }
}

function unknownKind(kind: string): string {
  const near = nearest(kind, allKinds)
  return near === undefined
    ? `a check is written KIND:TEXT, and KIND is one of ${allKinds.join(', ')}`
    : `there is no kind "${kind}"; did you mean "${near}"?`
}

function jsonObject(text: string): object | undefined {
  const parsed = jsonOf(text)
  return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed) ? parsed : undefined
}
