/** Questions of the agent, and the options it offers for the answer. Pure. */
import { z } from 'zod'
import { parseToolCall, type ToolCallNews } from './tool-call.ts'

const option = z.object({
  optionId: z.string(),
  kind: z.enum(['allow_once', 'allow_always', 'reject_once', 'reject_always']),
})
type PermissionOption = Readonly<z.infer<typeof option>>

export interface PermissionQuestion {
  readonly call: ToolCallNews
  readonly options: readonly PermissionOption[]
}

export interface PermissionAnswer {
  readonly outcome:
    { readonly outcome: 'selected'; readonly optionId: string } | { readonly outcome: 'cancelled' }
}

/** To a question that nobody can decide any more, and to one that cannot be read. */
export const noAnswer: PermissionAnswer = { outcome: { outcome: 'cancelled' } }

const question = z.object({ toolCall: z.unknown(), options: z.array(z.unknown()) })

/** Undefined: it cannot be read, so it cannot be allowed. */
export function parseQuestion(params: unknown): PermissionQuestion | undefined {
  const parsed = question.safeParse(params)
  const call = parsed.success ? parseToolCall(parsed.data.toolCall) : undefined
  if (!parsed.success || call === undefined) return undefined
  const options = parsed.data.options.flatMap((each) => {
    const known = option.safeParse(each)
    return known.success ? [known.data] : []
  })
  return { call, options }
}

/**
 * Each call is decided for itself: what is allowed once and for all would never be asked again, and our rules would not
 * see it. Undefined: the agent offers no such option.
 */
export function answerOf(
  options: readonly PermissionOption[],
  isAllowed: boolean,
): PermissionAnswer | undefined {
  const kinds = isAllowed ? (['allow_once'] as const) : (['reject_once', 'reject_always'] as const)
  const found = kinds
    .map((kind) => options.find((each) => each.kind === kind))
    .find((each) => each !== undefined)
  return found === undefined ? undefined : { outcome: { outcome: 'selected', optionId: found.optionId } }
}
