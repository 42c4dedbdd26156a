import type { VerifierDescription } from '@donecheck/core/settings'
import { assertKnownKeys, assertText, type OptionKeys, optionKeys, UsageError } from '../../../base/index.ts'
import type {
  Verifier,
  VerifierContext,
  VerifierReport,
  VerifierState,
  RetryPolicy,
} from '../../../ports/checks.ts'
import { normalise } from './normalise.ts'
import { showThrown, interruptedReport, undecidedReport } from './reports.ts'

export interface VerifierOptions {
  /** Default true: its verdict decides. */
  readonly required?: boolean
  /** Default 1. */
  readonly weight?: number
  /** Milliseconds. Longer than that is no answer: `error`. Default 300 000. */
  readonly timeoutMs?: number
  /** Default: two tries more after trouble that is not the work's, none after a failure. */
  readonly retry?: Partial<RetryPolicy>
  /** Nothing else is checked meanwhile. Default false. */
  readonly exclusive?: boolean
  /** `held-out`: runs at the end only, and the drive is told of it as a number alone. Default `check`. */
  readonly role?: 'check' | 'held-out'
}

export const verifierKeys = optionKeys<VerifierOptions>()('required weight timeoutMs retry exclusive role')

export interface NamedOptions extends VerifierOptions {
  /** Default: what is checked, in words. */
  readonly name?: string
}

export const namedKeys: OptionKeys<NamedOptions> = { ...verifierKeys, name: true }

const retryKeys: OptionKeys<Partial<RetryPolicy>> = { infrastructure: true, failure: true }

const defaultRetry: RetryPolicy = { infrastructure: 2, failure: 0 }

const defaultTimeoutMs = 300_000

/** @throws {UsageError} for a verifier without a name */
export function describeVerifier(
  name: string,
  options: VerifierOptions & Partial<Pick<VerifierDescription, 'deterministic' | 'reads'>>,
): VerifierDescription {
  const { required = true, weight = 1, deterministic = true, reads = 'workspace', role = 'check' } = options
  if (name.trim() === '') throw new UsageError('a verifier needs a name that is not empty')
  return { name, required, weight, deterministic, reads, role }
}

/** How the loop asks this verifier. @throws {UsageError} for a number of tries that is none */
export function askingOf(options: VerifierOptions): Pick<Verifier, 'retry' | 'exclusive'> {
  assertKnownKeys(options.retry ?? {}, retryKeys, 'retry')
  const retry = { ...defaultRetry, ...options.retry }
  for (const [name, tries] of Object.entries(retry))
    if (!Number.isInteger(tries) || tries < 0)
      throw new UsageError(`retry.${name} is ${tries}; give a whole number of further tries, 0 or more`)
  return { retry, exclusive: options.exclusive ?? false }
}

/** @throws {UsageError} for a bound that no check could keep */
export function timeoutOf({ timeoutMs = defaultTimeoutMs }: VerifierOptions): number {
  if (timeoutMs > 0 && Number.isFinite(timeoutMs)) return timeoutMs
  throw new UsageError(
    `timeoutMs is ${timeoutMs}; give the milliseconds that the check may take, more than 0`,
  )
}

/**
 * Whether it is done, in the words that the user has: `true`, `false`, `{ passed, reason }`, `{ complete, reason }`,
 * `{ ok, reason, impossible }`, `{ passed, output }`, `{ passed, feedback }`, `{ continue, feedback }`, or a whole report.
 */
export type UserVerifier = (context: UserContext, signal: AbortSignal) => unknown

/** Read only: what is changed in it changes nothing. */
type UserContext = VerifierContext & { readonly state: VerifierState }

const nothingYet: VerifierState = {
  history: [],
  calls: { model: 0, tools: 0 },
  usage: { inputTokens: 0, outputTokens: 0, costUsd: null },
}

export interface VerifierOfOptions extends VerifierOptions {
  /** Default true. False for what may answer differently the next time, such as a judge. */
  readonly deterministic?: boolean
  /** Default: the workspace; in a run without a work folder, the answer. */
  readonly reads?: VerifierDescription['reads']
  /** Default: the tree that the guard prepares, such as a copy with the earlier tests. `work-folder`: what is delivered. */
  readonly looksAt?: NonNullable<Verifier['looksAt']>
}

const keys: OptionKeys<VerifierOfOptions> = {
  ...verifierKeys,
  deterministic: true,
  reads: true,
  looksAt: true,
}

/**
 * A user's function as a verifier. What it throws and an answer that is not understood are `error`; no answer within
 * `timeoutMs` (milliseconds) is `error` with `infrastructure`.
 * @throws {UsageError} for an empty name, an unknown option or an impossible bound
 */
export function verifierOf(name: string, ask: UserVerifier, options: VerifierOfOptions = {}): Verifier {
  assertKnownKeys(options, keys, `verifierOf "${name}"`)
  assertText(name, 'the name of verifierOf', 'a text such as "notes are dated"')
  const verifier = verifierBy(name, ask, options)
  return options.reads === undefined ? { ...verifier, readsAnswerWithoutFolder: true } : verifier
}

/** The same for verifiers of our own, whose options are more. */
export function verifierBy(name: string, ask: UserVerifier, options: VerifierOfOptions): Verifier {
  const timeoutMs = timeoutOf(options)
  let hasReadRun = false
  return {
    description: describeVerifier(name, options),
    ...askingOf(options),
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
      const report = await answerWithin(name, timeoutMs, signal, (bounded) => ask(watched, bounded))
      return beforeWork(report, context)
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

/** Nothing has been paid for: an answer that cannot be understood now is a mistake in how the function was written. */
function beforeWork(report: VerifierReport, { trigger, turn }: VerifierContext): VerifierReport {
  const isBefore = trigger === 'baseline' || turn === 0
  const isNonsense = report.status === 'error' && report.qualifiers.includes('unverifiable')
  return isBefore && isNonsense ? { ...report, canRetry: false } : report
}

function answerReport(name: string, value: unknown): VerifierReport {
  try {
    return normalise(name, value)
  } catch (error) {
    return undecidedReport(`${name} answered what cannot be read: ${showThrown(error)}`)
  }
}

/** A longer timer would fire at once. */
export const maxTimerMs = 2 ** 31 - 1

/** A function that does not listen to its signal is not waited for. */
function answerWithin(
  name: string,
  timeoutMs: number,
  signal: AbortSignal,
  ask: (bounded: AbortSignal) => unknown,
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
        (value) => {
          if (!bounded.signal.aborted) end(answerReport(name, value))
        },
        (error: unknown) => end(undecidedReport(`${name} threw: ${showThrown(error)}`)),
      )
  })
}
