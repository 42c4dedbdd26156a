import {
  type Activity,
  amountSaid,
  asksNothing,
  type CallFact,
  isRepeat,
  listPattern,
  looks,
  noActivity,
  pauses,
  readCall,
  readOutcome,
  type ReplyFact,
  replyRecord,
  type VerificationRecord,
  verificationRecord,
  vetoOfCall,
  waits,
  withCall,
  withProgress,
  withReply,
  withVerification,
} from '@donecheck/core/internal/state/activity'
import { type Bound, type Caps, capTable } from '@donecheck/core/internal/budgets'
import {
  continues,
  type Detection,
  detectionsToRefuse,
  loopDetections,
} from '@donecheck/core/internal/rules/detectors'
import {
  type LoopDetectionSettings,
  type StagnationSettings,
  standardStagnation,
} from '@donecheck/core/internal/events/settings'
import { stagnationLevel } from '@donecheck/core/internal/rules/soft-verifiers'
import { capRule } from '@donecheck/core/internal/state'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { given } from '../../base/index.ts'
import type { CallStep, CheckedTurn, ReplyStep, Step } from '../recordings/index.ts'

/** `warn` sends a warning to the model, `refuse` refuses the call, `stop` ends the run. */
export interface Alarm {
  readonly level: 'warn' | 'refuse' | 'stop'
  readonly rule: string
  /** Whether it is raised before the call or the model request, so that this one is saved, too. */
  readonly before?: boolean
}

export interface Watch {
  /** Returns at most one alarm per step, the most severe. */
  observe(step: Step): Alarm | undefined
}

export interface Watcher {
  readonly name: string
  begin(): Watch
}

/** Recordings have no tree fingerprints: the first successful call of one of these counts as a new tree. */
const writing = /^(?:edit|write|create|str_replace|multi_?edit|apply_patch|insert|replace)/i
const reading = /^(?:view|read|open|cat)/i
const writingCommand =
  /(?:^|[\s;&|(])(?:sed\s+(?:-\S+\s+)*-i|tee|patch|git\s+(?:commit|apply|stash|checkout|revert)|mv|cp|rm|mkdir|touch)\s|[^<>2&]>{1,2}\s?[\w./"'$]/

const unchanged = /^\W*(?:no changes? (?:was |were )?made|nothing (?:was )?changed)/i

export function loopWatch(settings: LoopDetectionSettings): Watch {
  return new LoopWatch(settings)
}

class LoopWatch implements Watch {
  readonly #settings: LoopDetectionSettings
  #activity: Activity = noActivity
  #signs: readonly Detection[] = []
  readonly #warned = new Set<string>()
  readonly #heard = new Set<string>()

  constructor(settings: LoopDetectionSettings) {
    this.#settings = settings
  }

  observe(step: Step): Alarm | undefined {
    switch (step.kind) {
      case 'call':
        return this.#call(step)
      case 'reply':
        return this.#reply(step)
      case 'message':
        this.#became(afterMessage(this.#activity, step.text, this.#heard.has(step.text)))
        this.#heard.add(step.text)
        return this.#warn()
    }
  }

  #became(next: Activity): void {
    this.#activity = next
    this.#signs = loopDetections({ activity: next, settings: this.#settings }, 'on')
  }

  /** Reports the most severe sign, once for each loop and level. */
  #warn(): Alarm | undefined {
    const [sign] = this.#signs
    if (sign === undefined) return undefined
    const { level, detector: rule, key } = sign
    const isEnd = level === 'fatal' || (level === 'critical' && this.#settings.vetoesUntilEnd === 0)
    if (isEnd) return { level: 'stop', rule }
    const warning = `${rule} ${level} ${key}`
    if (this.#warned.has(warning)) return undefined
    this.#warned.add(warning)
    return { level: 'warn', rule }
  }

  #call(step: CallStep): Alarm | undefined {
    const [activity, settings] = [this.#activity, this.#settings]
    const reading = readStep(step)
    const { fact } = reading
    // A policy that ends at the first veto refuses nothing before.
    const refused = settings.vetoesUntilEnd === 0 ? [] : detectionsToRefuse({ activity, settings })
    const veto = refused.find((sign) => continues(sign, { tool: step.tool, key: fact.call }))
    if (veto !== undefined) return this.#refuse(veto, fact)
    // A call counts for the tree that it leaves.
    const isNewTree = step.isNewTree ?? looksNew(reading, activity)
    this.#became(withCall(isNewTree ? withProgress(activity) : activity, fact))
    return this.#warn()
  }

  /** Discards the recorded result: the call would not have run. */
  #refuse({ detector: rule }: Detection, fact: CallFact): Alarm {
    this.#became(withCall(this.#activity, { ...fact, ...vetoOfCall(this.#activity, fact.call) }))
    const end = this.#signs.find(({ level }) => level === 'fatal')
    if (end !== undefined) return { level: 'stop', rule: end.detector, before: true }
    const level = this.#activity.vetoes >= this.#settings.vetoesUntilEnd ? 'stop' : 'refuse'
    return { level, rule, before: true }
  }

  #reply(step: ReplyStep): Alarm | undefined {
    const checked = afterChecks(this.#activity, step)
    if (checked !== undefined) this.#became(checked)
    // Failed checks end a run before the next model request.
    const beforeIt = checked === undefined ? undefined : this.#warn()
    if (beforeIt?.level === 'stop') return { ...beforeIt, before: true }
    this.#became(withReply(this.#activity, readReply(step)))
    return (step.calls === 0 ? this.#warn() : undefined) ?? beforeIt
  }
}

function afterChecks(activity: Activity, { checked, turn }: ReplyStep): Activity | undefined {
  if (checked === undefined || checked.isReward === true) return undefined
  return withVerification(activity, recordOf(checked, turn, activity.verifications))
}

function looksNew({ fact, isWrite }: StepReading, { calls }: Activity): boolean {
  return isWrite && fact.failure === null && !fact.noOp && !isRepeat(fact, calls)
}

/** A new message changes the task; a failure reported after the agent ended its turn counts as a check. */
function afterMessage(activity: Activity, text: string, isKnown: boolean): Activity {
  const isVerdict = activity.replies.at(-1)?.calls === 0 && readOutcome(text, null).failure !== null
  if (isKnown) return isVerdict ? withVerification(activity, sameVerdict(text, activity)) : activity
  const next = withProgress(activity)
  const replies = next.replies.map((reply) => ({ ...reply, epoch: next.generation }))
  const heardOnce = { ...next, replies }
  return isVerdict ? withVerification(heardOnce, sameVerdict(text, heardOnce)) : heardOnce
}

/** A failing check with the same message; the tree is the same if nothing was called in between. */
function sameVerdict(text: string, { verifications, callsInTask }: Activity): VerificationRecord {
  const before = verifications.at(-1)
  const tree = `after ${callsInTask} calls`
  const again = before?.failing === text ? before : undefined
  const isSameTree = again?.tree === tree
  return {
    sequence: 0,
    turn: 0,
    score: 0,
    best: 0,
    bestTurn: 0,
    isBest: false,
    sinceBest: 0,
    claimsSinceBest: 0,
    failing: text,
    checks: ['what is said'],
    failingTests: 1,
    repeats: (again?.repeats ?? 0) + (isSameTree ? 0 : 1),
    claims: (again?.claims ?? 0) + (isSameTree ? 0 : 1),
    claimed: true,
    idleClaims: isSameTree ? again.idleClaims + 1 : 1,
    tree,
  }
}

interface StepReading {
  readonly fact: CallFact
  readonly isWrite: boolean
}

/** Caches the digests that the product computes once when it records a call or reply. */
const readings = new WeakMap<CallStep, StepReading>()
const replies = new WeakMap<ReplyStep, ReplyFact>()

export function digestStep(step: Step): void {
  if (step.kind === 'call') readStep(step)
  if (step.kind === 'reply') readReply(step)
}

function readStep(step: CallStep): StepReading {
  const known = readings.get(step)
  if (known !== undefined) return known
  const isWrite = writes(step)
  const reading = { fact: factOf(step, isWrite), isWrite }
  readings.set(step, reading)
  return reading
}

function readReply(step: ReplyStep): ReplyFact {
  const known = replies.get(step)
  if (known !== undefined) return known
  const { text, calls, turn } = step
  const reply = replyRecord(turn, { text, calls, claimed: calls === 0 })
  replies.set(step, reply)
  return reply
}

function factOf(step: CallStep, isWrite: boolean): CallFact {
  const { tool, args, index, turn } = step
  const reading = step.reading ?? (step.result === null ? null : readOutcome(step.result, step.isError))
  const failed = reading !== null && reading.failure !== null
  const pattern = failed ? listPattern(tool, args, step.result ?? '') : undefined
  return {
    sequence: index + 1,
    turn,
    tool,
    call: `${callOf(step)}:${tool}`,
    outcome: reading?.outcome ?? null,
    failure: reading?.failure ?? null,
    ...given({ lines: reading?.lines, pattern }),
    callStatus: 'ran',
    waits: waits(tool, args, undefined),
    ...(pauses(tool, args, undefined) ? { pauses: true } : {}),
    noOp: isWrite && unchanged.test(step.result ?? ''),
    ...(step.result === null ? {} : { said: amountSaid(step.result) }),
    ...(looks(tool, undefined, args) ? { looks: true } : {}),
    ...(asksNothing(args) ? { readOnly: true } : {}),
  }
}

/** Uses the digest for arguments that were cut. */
function callOf({ args, argsDigest }: CallStep): string {
  return JSON.stringify(args).includes(' chars cut ...]') ? argsDigest : readCall(args)
}

function writes({ tool, args }: CallStep): boolean {
  // The command tells whether a tool that can edit and view does one or the other.
  const command = typeof args === 'object' && args !== null && 'command' in args ? args['command'] : undefined
  if (writing.test(tool)) return !(typeof command === 'string' && reading.test(command))
  return typeof command === 'string' && writingCommand.test(command)
}

export function stagnationWatch(settings: StagnationSettings): Watch {
  let activity: Activity = noActivity
  return {
    observe(step) {
      if (step.kind !== 'reply' || step.checked === undefined) return undefined
      const newest = recordOf(step.checked, step.turn, activity.verifications, settings)
      activity = withVerification(activity, newest)
      const level = stagnationLevel(activity.verifications, settings)
      return level === undefined ? undefined : { level, rule: 'stagnation', before: true }
    },
  }
}

/** @param turn number of turns before it */
function recordOf(
  { tree, claimed, verdicts }: CheckedTurn,
  turn: number,
  earlier: readonly VerificationRecord[],
  stagnation: StagnationSettings = standardStagnation,
): VerificationRecord {
  const isUnchanged = tree !== undefined && tree === earlier.at(-1)?.tree
  const checks = Object.fromEntries(
    verdicts.map((verdict) => [verdict.verifier, { latest: verdict, baselineVerdict: undefined }]),
  )
  const settings = { soft: { stagnation }, verifiers: verdicts.map(voterOf) }
  return verificationRecord({ sequence: turn, turn, tree, isUnchanged, claimed, settings, checks }, earlier)
}

function voterOf({ verifier }: Verdict) {
  return { name: verifier, weight: 1, required: true, role: 'check' } as const
}

const used = {
  iterations: ({ usage }: ReplyStep) => usage?.iterations ?? 1,
  modelCalls: ({ usage }: ReplyStep) => usage?.modelCalls ?? 1,
  tokens: ({ usage }: ReplyStep) =>
    usage?.inputTokens == null || usage.outputTokens === null ? null : usage.inputTokens + usage.outputTokens,
  costUsd: ({ usage }: ReplyStep) => usage?.costUsd ?? null,
} as const

type TurnBound = keyof typeof used
const turnBounds: readonly TurnBound[] = ['iterations', 'modelCalls', 'tokens', 'costUsd']

/** Caps that can be replayed if the source reports the usage. */
export const replayedBounds: readonly Bound[] = [...turnBounds, 'toolCalls', 'wallClockMs']

export function capWatch(caps: Caps): Watch {
  const spent = new Map<TurnBound, number>()
  const limited = turnBounds.filter((bound) => caps[capTable[bound].field] !== null)
  let toolCalls = 0
  return {
    observe(step) {
      if (step.kind === 'message') return undefined
      if (step.kind === 'call') {
        if (isFull(caps, 'toolCalls', toolCalls + 1)) return ended('toolCalls')
        toolCalls += 1
        return undefined
      }
      const { maxWallClockMs } = caps
      const { startedMs } = step
      if (maxWallClockMs !== null && startedMs !== undefined && startedMs >= maxWallClockMs)
        return ended('wallClockMs')
      if (isFull(caps, 'toolCalls', toolCalls + 1)) return ended('toolCalls')
      for (const bound of limited) {
        // NaN stays NaN, and is above no limit.
        const sum = (spent.get(bound) ?? 0) + (used[bound](step) ?? Number.NaN)
        if (isFull(caps, bound, sum)) return ended(bound)
        spent.set(bound, sum)
      }
      return undefined
    },
  }
}

/** Caps of these settings that cannot be replayed, because the source does not report the usage. */
export function unheldBounds(caps: Caps, steps: readonly Step[]): readonly Bound[] {
  const replies = steps.filter((step) => step.kind === 'reply')
  return replayedBounds.filter((bound) => {
    if (caps[capTable[bound].field] === null || bound === 'toolCalls') return false
    if (bound === 'wallClockMs') return replies.some(({ startedMs }) => startedMs === undefined)
    return replies.some((step) => isTurnBound(bound) && used[bound](step) === null)
  })
}

function isTurnBound(bound: Bound): bound is TurnBound {
  return Object.hasOwn(used, bound)
}

function isFull(caps: Caps, bound: TurnBound | 'toolCalls', sum: number): boolean {
  const limit = caps[capTable[bound].field]
  return limit !== null && sum > limit
}

function ended(bound: Bound): Alarm {
  return { level: 'stop', rule: capRule(capTable[bound].cap), before: true }
}
