import { z } from 'zod'
import { assertText, explainIssue, suggestKey, UsageError } from '../../../base/index.ts'
import type { Verifier, VerifierContext, VerifierReport, VerifierState } from '../../../ports/checks.ts'
import { excerptOf, showExcerpt } from '../../../system/process/index.ts'
import {
  failedReport,
  interruptedReport,
  passedReport,
  showThrown,
  showValue,
  truncateText,
  undecidedReport,
} from './reports.ts'

const tries = z.number().int().nonnegative()

const verifierFields = {
  /** Default true: its verdict decides. */
  required: z.boolean().optional(),
  /** Default 1. */
  weight: z.number().nonnegative().optional(),
  /** Milliseconds. Longer than that is no answer: `error`. Default 300 000. */
  timeoutMs: z.number().positive().optional(),
  /** Further tries. Default: two after trouble that is not the work's, none after a failure. */
  retry: z.strictObject({ infrastructure: tries.optional(), failure: tries.optional() }).optional(),
  /** Nothing else is checked meanwhile. Default false. */
  exclusive: z.boolean().optional(),
  /** `held-out`: runs at the end only, and the drive is told of it as a number alone. Default `check`. */
  role: z.enum(['check', 'held-out']).optional(),
}

const verifierOptions = z.strictObject(verifierFields)
export type VerifierOptions = Readonly<z.infer<typeof verifierOptions>>

export const namedOptions = z.strictObject({
  ...verifierFields,
  /** Default: what is checked, in words. */
  name: z.string().trim().min(1, 'must not be empty').optional(),
})
export type NamedOptions = Readonly<z.infer<typeof namedOptions>>

/**
 * Parses options.
 * @param place what the options are of, such as `httpStatus`
 * @throws {UsageError} naming the key, the value, and what it may be
 */
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

/** Whether it is done: `true`, `false` or `{ passed, reason?, can_retry? }`. Anything else is `error`. */
export type UserVerifier = (context: UserContext, signal: AbortSignal) => unknown

/** Read only: what is changed in it changes nothing. */
type UserContext = VerifierContext & { readonly state: VerifierState }

/** The same for verifiers of our own. */
export type Ask = (context: UserContext, signal: AbortSignal) => VerifierReport | Promise<VerifierReport>

const nothingYet: VerifierState = {
  history: [],
  calls: { model: 0, tools: 0 },
  usage: { inputTokens: 0, outputTokens: 0, costUsd: null },
}

const verifierOfFields = {
  /** Default true. False for what may answer differently the next time, such as a judge. */
  deterministic: z.boolean().optional(),
  /** Default: the workspace; in a run without a work folder, the answer. */
  reads: z.enum(['workspace', 'answer']).optional(),
  /** Default: the tree that the guard prepares, such as a copy with the earlier tests. `work-folder`: what is delivered. */
  looksAt: z.enum(['checked-tree', 'work-folder']).optional(),
}

const verifierOfOptions = verifierOptions.extend(verifierOfFields)
export type VerifierOfOptions = Readonly<z.infer<typeof verifierOfOptions>>

/**
 * Makes a user's function a verifier. What it throws and answers that are not understood are `error`; no answer
 * within `timeoutMs` (milliseconds) is `error` with `infrastructure`.
 * @throws {UsageError} for an empty name, an unknown option or an impossible bound
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

/** What another turn changes although the tree stays the same. */
const ofRun: ReadonlySet<string | symbol> = new Set<keyof UserContext>([
  'finalText',
  'turn',
  'state',
  'events',
])

/** A longer timer would fire at once. */
export const maxTimerMs = 2 ** 31 - 1

/** A function that does not listen to its signal is not waited for. */
function answerWithin(
  name: string,
  timeoutMs: number,
  signal: AbortSignal,
  ask: (bounded: AbortSignal) => VerifierReport | Promise<VerifierReport>,
): Promise<VerifierReport> {
  if (signal.aborted) return Promise.resolve(interruptedReport())
  const bounded = new AbortController()
  return new Promise((resolve) => {
    const end = (report: VerifierReport) => {
      clearTimeout(timer)
      signal.removeEventListener('abort', onAbort)
      resolve(report)
    }
    const breakOff = (report: VerifierReport) => {
      end(report)
      bounded.abort()
    }
    const onAbort = () => breakOff(interruptedReport())
    const late = undecidedReport(`${name} did not answer within ${timeoutMs / 1000} s`, 'infrastructure')
    const timer = setTimeout(breakOff, Math.min(timeoutMs, maxTimerMs), late)
    signal.addEventListener('abort', onAbort, { once: true })
    void Promise.resolve()
      .then(() => ask(bounded.signal))
      .then(
        (report) => {
          if (!bounded.signal.aborted) end(report)
        },
        (error: unknown) => end(undecidedReport(`${name} threw: ${showThrown(error)}`)),
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

/** A reason is a sentence: of a longer one the rest goes into the evidence. */
const maxReasonLength = 1000
/** Bytes of each end of a longer one. */
const endBytes = 8 * 1024

/** What a user's verifier returned, as a report; what cannot be understood is named. @throws whatever a getter of it throws */
function readAnswer(name: string, value: unknown, context: VerifierContext): VerifierReport {
  const parsed = userAnswer.safeParse(value)
  if (!parsed.success) {
    const words = `${name} answered ${showValue(value)}, which is not understood; return true, false or { passed, reason }`
    // Nothing has been paid for before the first turn: it is a mistake in how the function was written.
    const isBefore = context.trigger === 'baseline' || context.turn === 0
    return { ...undecidedReport(words, 'unverifiable'), canRetry: !isBefore }
  }
  const { passed, reason, can_retry: canRetry } = parsed.data
  const said = reason?.trim() ? reason : `${name} ${passed ? 'passed' : 'failed'}`
  const text = showExcerpt(excerptOf(said, endBytes, endBytes))
  const evidence = said.length > maxReasonLength ? [{ kind: 'note', text } as const] : []
  const report = (passed ? passedReport : failedReport)(truncateText(said, maxReasonLength), ...evidence)
  return { ...report, canRetry }
}
