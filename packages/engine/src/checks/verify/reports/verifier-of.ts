import { z } from 'zod'
import { assertText, explainIssue, suggestKey, UsageError } from '../../../base/index.ts'
import type { Verifier, VerifierContext, VerifierResult, VerifierState } from '../../../ports/checks.ts'
import { excerptOf, showExcerpt } from '../../../system/process/index.ts'
import {
  failedReport,
  interruptedReport,
  passedReport,
  showThrown,
  showValue,
  truncateText,
  undecidedResult,
} from './reports.ts'

const tries = z.number().int().nonnegative()

const verifierFields = {
  /** Default true: its verdict decides. */
  required: z.boolean().optional(),
  /** Default 1. */
  weight: z.number().nonnegative().optional(),
  /** Milliseconds; then `error`. Default 300,000. */
  timeoutMs: z.number().positive().optional(),
  /** Default: two after infrastructure trouble, none after a failure. */
  retry: z.strictObject({ infrastructure: tries.optional(), failure: tries.optional() }).optional(),
  /** Runs alone. Default false. */
  exclusive: z.boolean().optional(),
  /** `held-out`: runs at the end only, and the agent sees only a number. Default `check`. */
  role: z.enum(['check', 'held-out']).optional(),
}

const verifierOptions = z.strictObject(verifierFields)
export type VerifierOptions = Readonly<z.infer<typeof verifierOptions>>

export const namedOptions = z.strictObject({
  ...verifierFields,
  /** Default: a description of the check. */
  name: z.string().trim().min(1, 'must not be empty').optional(),
})
export type NamedOptions = Readonly<z.infer<typeof namedOptions>>

/** @param place owner, such as `httpStatus` @throws {UsageError} naming key, value and allowed values */
export function readOptions<Schema extends z.ZodObject>(
  schema: Schema,
  given: unknown,
  place: string,
): z.output<Schema> {
  const parsed = schema.safeParse(given)
  if (parsed.success) return parsed.data
  const { issues } = parsed.error
  const unknown = issues.find(({ code, path }) => code === 'unrecognized_keys' && path.length === 0)
  if (unknown?.code === 'unrecognized_keys') {
    const [key = ''] = unknown.keys
    throw new UsageError(`${place} has no key "${key}"; ${suggestKey(key, Object.keys(schema.shape))}`)
  }
  const [issue] = issues
  throw new UsageError(`${place}: ${issue === undefined ? 'invalid' : explainIssue(issue, given, schema)}`)
}

export function describeVerifier(
  name: string,
  options: Omit<VerifierOfOptions, 'looksAt'>,
): Required<Pick<Verifier, 'description' | 'retry' | 'exclusive'>> & { readonly timeoutMs: number } {
  const { required = true, weight = 1, deterministic = true, reads = 'workspace', role = 'check' } = options
  const { retry: { infrastructure = 2, failure = 0 } = {}, exclusive = false, timeoutMs = 300_000 } = options
  const description = { name, required, weight, deterministic, reads, role }
  return { description, retry: { infrastructure, failure }, exclusive, timeoutMs }
}

/** Returns `true`, `false` or `{ passed, reason?, can_retry? }`. Anything else is `error`. */
export type UserVerifier = (context: UserContext, signal: AbortSignal) => unknown

/** Read-only copy. */
type UserContext = VerifierContext & { readonly state: VerifierState }

/** Internal form of `UserVerifier`. */
export type Ask = (context: UserContext, signal: AbortSignal) => VerifierResult | Promise<VerifierResult>

const nothingYet: VerifierState = {
  history: [],
  calls: { model: 0, tools: 0 },
  usage: { inputTokens: 0, outputTokens: 0, costUsd: null },
}

const verifierOfFields = {
  /** Default true. False if repeated calls may differ, such as a judge. */
  deterministic: z.boolean().optional(),
  /** Default: the workspace; without a work folder, the answer. */
  reads: z.enum(['workspace', 'answer']).optional(),
  /** Default: the tree that the guard prepares. `work-folder`: the delivered one. */
  looksAt: z.enum(['checked-tree', 'work-folder']).optional(),
}

const verifierOfOptions = verifierOptions.extend(verifierOfFields)
export type VerifierOfOptions = Readonly<z.infer<typeof verifierOfOptions>>

/**
 * Makes a user's function a verifier. A throw, an invalid answer, or none within `timeoutMs` milliseconds is
 * `error`.
 * @throws {UsageError} for an empty name, unknown option or invalid limit
 */
export function verifierOf(name: string, ask: UserVerifier, options: VerifierOfOptions = {}): Verifier {
  const read = readOptions(verifierOfOptions, options, `verifierOf "${name}"`)
  assertText(name, 'the name of verifierOf', 'a text such as "notes are dated"')
  const asked: Ask = async (context, signal) => readAnswer(name, await ask(context, signal), context)
  const verifier = verifierBy(name, asked, read)
  return read.reads === undefined ? { ...verifier, readsAnswerWithoutFolder: true } : verifier
}

export function verifierBy(name: string, ask: Ask, options: VerifierOfOptions): Verifier {
  const { timeoutMs, ...described } = describeVerifier(name, options)
  let hasReadRun = false
  return {
    ...described,
    looksAt: options.looksAt ?? 'checked-tree',
    hasReadRun: () => hasReadRun,
    async verify(context, signal) {
      hasReadRun = false
      const whole = { ...context, state: structuredClone(context.state ?? nothingYet) }
      const watched = new Proxy(whole, {
        get(target, key): unknown {
          hasReadRun ||= ofRun.has(key)
          return Reflect.get(target, key)
        },
      })
      return answerWithin(name, timeoutMs, signal, (bounded) => ask(watched, bounded))
    },
  }
}

/** Fields that change between turns even if the tree does not. */
const ofRun: ReadonlySet<string | symbol> = new Set<keyof UserContext>([
  'finalText',
  'turn',
  'state',
  'events',
])

/** Node fires longer timers immediately. */
export const maxTimerMs = 2 ** 31 - 1

/** Does not wait for a function that ignores its signal. */
function answerWithin(
  name: string,
  timeoutMs: number,
  signal: AbortSignal,
  ask: (bounded: AbortSignal) => VerifierResult | Promise<VerifierResult>,
): Promise<VerifierResult> {
  if (signal.aborted) return Promise.resolve(interruptedReport())
  const bounded = new AbortController()
  return new Promise((resolve) => {
    const end = (report: VerifierResult) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(report)
    }
    const breakOff = (report: VerifierResult) => {
      end(report)
      bounded.abort()
    }
    const onAbort = () => breakOff(interruptedReport())
    const late = undecidedResult(`${name} did not answer within ${timeoutMs / 1000} s`, 'infrastructure')
    const timer = setTimeout(breakOff, Math.min(timeoutMs, maxTimerMs), late)
    signal.addEventListener('abort', onAbort, { once: true })
    void Promise.resolve()
      .then(() => ask(bounded.signal))
      .then(
        (report) => {
          if (!bounded.signal.aborted) end(report)
        },
        (error: unknown) => end(undecidedResult(`${name} threw: ${showThrown(error)}`)),
      )
  })
}

const userAnswer = z.union([
  z.boolean().transform((passed) => ({ passed, reason: null, can_retry: true })),
  z.strictObject({
    passed: z.boolean(),
    reason: z.string().nullish(),
    can_retry: z.boolean().default(true),
  }),
])

/** The rest of a longer reason goes into the evidence. */
const maxReasonLength = 1000
/** Bytes of each end. */
const endBytes = 8 * 1024

/** Reads a user verifier's result; names what is invalid. @throws what its getters throw */
function readAnswer(name: string, value: unknown, context: VerifierContext): VerifierResult {
  const parsed = userAnswer.safeParse(value)
  if (!parsed.success) {
    const words = `${name} answered ${showValue(value)}, which is not understood; return true, false or { passed, reason }`
    // Before the first turn nothing was spent, so a wrong function stops the run.
    const isBefore = context.trigger === 'baseline' || context.turn === 0
    return { ...undecidedResult(words, 'unverifiable'), canRetry: !isBefore }
  }
  const { passed, reason, can_retry: canRetry } = parsed.data
  const said = reason?.trim() ? reason : `${name} ${passed ? 'passed' : 'failed'}`
  const text = showExcerpt(excerptOf(said, endBytes, endBytes))
  const evidence = said.length > maxReasonLength ? [{ kind: 'note', text } as const] : []
  const report = (passed ? passedReport : failedReport)(truncateText(said, maxReasonLength), ...evidence)
  return { ...report, canRetry }
}
