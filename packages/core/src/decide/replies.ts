import type { JudgedReply, RunState, SettledReply } from '../state/index.ts'
import type { ReplyCheckSettings } from '../events/settings/index.ts'
import type { StopReason, StopTransition } from '../events/transitions/index.ts'
import { plural } from '../base/index.ts'
import type { FactOf, ReplySkip } from '../events/index.ts'
import type { Decision } from './decision.ts'
import type { Prompts } from './prompts/index.ts'
import { runsLast } from './aggregate/index.ts'
import { outcomeOf, resumableOutcomes, continueTransition } from './stops/index.ts'

interface ReplyEnd {
  readonly end: StopTransition
  /** The agent has replied and no check blocks the reply. */
  readonly isAnswer: boolean
  readonly mayGoOn: boolean
}

/** Returns the decision that must precede this end; undefined if the reply is settled. */
export function replyFirst(state: RunState, prompts: Prompts, ending: ReplyEnd): Decision | undefined {
  const { replyCheck: settings } = state.settings
  const { replyCheck } = state
  if (settings === null || replyCheck === undefined || replyCheck.settled !== undefined) return undefined
  if (resumableOutcomes.includes(ending.end.outcome))
    return ending.end.reason === 'error' && replyCheck.judged.length > 0
      ? settle(state, endedEarly(state, ending.end))
      : undefined
  if (!ending.isAnswer) return settle(state, endedEarly(state, ending.end))
  const skip = skipOf(state)
  if (skip !== undefined) {
    const isEarly = !isDelivered(skip) && replyCheck.judged.length > 0
    return settle(state, isEarly ? endedEarly(state, ending.end) : skipped(state, skip))
  }
  const isRetry = replyCheck.retries > 0
  if (!isRetry && !isTriggered(textOf(state), settings.trigger))
    return settle(state, { ...unjudged(state), ending: 'not-triggered', message: notTriggered })
  return judged(state, settings, prompts, ending)
}

const notTriggered = 'the reply was not judged: it claims nothing that is to be verified'

function judged(
  state: RunState,
  settings: ReplyCheckSettings,
  prompts: Prompts,
  { mayGoOn }: ReplyEnd,
): Decision | undefined {
  const attempt = attemptOf(state)
  const { maxAttempts, onUndecided } = settings
  const verdict = verdictOf(state)
  if (verdict === undefined) return { kind: 'judge-reply', attempt, maxAttempts }
  const { status, reason, canRetry, text } = verdict
  if (status === 'passed') return settle(state, { ending: 'passed', attempt, text, message: reason })
  if (status !== 'failed') {
    if (onUndecided === 'withhold') return undefined
    const message = `the reply is unverified: ${reason}`
    return settle(state, { ending: 'undecided', attempt, text, message })
  }
  if (!mayGoOn || !canRetry || attempt >= maxAttempts)
    return settle(state, exhausted(state, attempt >= maxAttempts ? '' : ', and it cannot be sent back'))
  const faults = state.replyCheck?.judged.filter((one) => one.status === 'failed') ?? []
  const isUnchanged = verdict.turn !== state.turn
  const feedback = prompts.replyNotAccepted({ attempt, maxAttempts, faults, isUnchanged })
  return { kind: 'continue', transition: continueTransition(state, 'reply_feedback', []), feedback }
}

/** A confirmed reply is verified unless a check objects; an unconfirmed one never is. */
export function withReplyEnd(state: RunState, end: StopTransition, isAnswer: boolean): StopTransition {
  const settled = state.replyCheck?.settled
  if (settled === undefined) return isAnswer ? withheld(state, end) : end
  // A reply settled before a resume does not cover later replies.
  if (settled.turn !== state.turn) return end
  const verifies = state.settings.replyCheck?.verifies === true
  const reported = asSettled(settled, end, { isAnswer, verifies, open: openLastChecks(state) })
  const { status, problem = 'nobody knows why' } = settled.delivery ?? { status: 'delivered' }
  if (status === 'delivered') return reported
  const words = status === 'failed' ? 'the reply was not delivered' : 'the reply may not have been delivered'
  return { ...reported, message: `${reported.message}; ${words}: ${problem}` }
}

function asSettled(
  { ending, message }: SettledReply,
  end: StopTransition,
  {
    isAnswer,
    verifies,
    open,
  }: { readonly isAnswer: boolean; readonly verifies: boolean; readonly open: readonly string[] },
): StopTransition {
  switch (ending) {
    case 'not-triggered':
    case 'skipped':
      return end
    case 'passed': {
      if (!isAnswer || end.reason === 'task_complete') return end
      if (!verifies)
        return { ...end, message: `${end.message}; the judge, which advises alone, is content: ${message}` }
      if (open.length > 0)
        return {
          ...end,
          message: `${end.message}; the judge is content, and not passed are: ${open.join(', ')}`,
        }
      const complete = endedAs(end, 'task_complete', message)
      return end.cap === undefined ? complete : { ...complete, atCap: end.cap }
    }
    case 'exhausted':
    case 'undecided':
    case 'ended-early':
      if (end.reason === 'model_ended') return { ...end, message }
      return end.reason === 'task_complete'
        ? endedAs(end, 'model_ended', `${message}; ${end.message}`)
        : { ...end, message: `${end.message}; ${message}` }
  }
}

/** A judge does not replace required last checks that have not passed this work. */
function openLastChecks({ settings, checks, lastChecksAsked }: RunState): readonly string[] {
  return settings.verifiers
    .filter(({ role, required }) => required && runsLast(role))
    .map(({ name }) => name)
    .filter((name) => !lastChecksAsked || checks[name]?.latest?.status !== 'passed')
}

/** The run sleeps during its turn; a resume asks the judge again, not the agent. */
function withheld(state: RunState, end: StopTransition): StopTransition {
  const verdict = verdictOf(state)
  if (verdict === undefined || verdict.status === 'passed' || verdict.status === 'failed') return end
  const message = `the reply is withheld until the judge can decide, or somebody else does: ${verdict.reason}`
  return endedAs(end, 'awaiting_approval', message)
}

function endedAs(
  { findings, verdicts, lastCheck }: StopTransition,
  reason: StopReason,
  message: string,
): StopTransition {
  const checked = lastCheck === undefined ? {} : { lastCheck }
  return { kind: 'stop', reason, outcome: outcomeOf[reason], message, ...checked, findings, verdicts }
}

type Settlement = Omit<FactOf<'reply-settled'>, 'type' | 'delivers'>

function settle({ settings }: RunState, settlement: Settlement): Decision {
  const hasText = settlement.text.trim() !== '' && !isDelivered(settlement.skip)
  const delivers = hasText && settings.replyCheck?.delivers === true
  return { kind: 'settle-reply', settled: { ...settlement, delivers } }
}

function skipped(state: RunState, skip: ReplySkip): Settlement {
  const message = `the reply was not judged: ${skipWords[skip]}`
  const text = skip === 'pending-tool-calls' ? '' : textOf(state)
  return { attempt: attemptOf(state), text, ending: 'skipped', skip, message }
}

/** Picks the best judged reply, or the reply as it is. */
function endedEarly(state: RunState, { reason }: StopTransition): Settlement {
  const skip = skipOf(state)
  if (skip !== undefined && isDelivered(skip)) return skipped(state, skip)
  const best = bestReply(state.replyCheck?.judged ?? [])
  if (best !== undefined) {
    const message = `the reply is unverified: no further attempt came to an end (${reason}); the best of ${plural(state.replyCheck?.judged.length ?? 0, 'attempt')} is ${described(best)}`
    return { ending: 'ended-early', attempt: best.attempt, text: best.text, message }
  }
  const message = `the reply is unverified: the run ended before it was judged (${reason})`
  const text = skip === undefined ? textOf(state) : ''
  return { ending: 'ended-early', attempt: attemptOf(state), text, message }
}

function exhausted(state: RunState, why: string): Settlement {
  const best = bestReply(state.replyCheck?.judged ?? [])
  const message =
    best === undefined
      ? 'the reply is unverified'
      : `the reply is unverified: none of ${plural(attemptOf(state), 'attempt')} passed${why}; the best is ${described(best)}`
  return { ending: 'exhausted', attempt: best?.attempt ?? attemptOf(state), text: best?.text ?? '', message }
}

function described({ attempt, reason }: JudgedReply): string {
  return `attempt ${attempt} (${reason})`
}

function unjudged(state: RunState): Pick<Settlement, 'attempt' | 'text'> {
  return { attempt: attemptOf(state), text: textOf(state) }
}

function attemptOf({ replyCheck }: RunState): number {
  return (replyCheck?.retries ?? 0) + 1
}

function textOf({ replyCheck }: RunState): string {
  return replyCheck?.latest?.text ?? ''
}

/** The verdict on this reply, or on the same words before if nothing was done since. */
function verdictOf(state: RunState): JudgedReply | undefined {
  const { judged: heard = [], exchange } = state.replyCheck ?? {}
  const text = normal(textOf(state))
  return heard.findLast(
    (one) =>
      normal(one.text) === text &&
      (one.turn === state.turn || (exchange?.calls === 0 && !state.agent.sideEffects)),
  )
}

function normal(text: string): string {
  return text.normalize('NFKC').replace(/\s+/gu, ' ').trim()
}

/** Least to most severe. An unlisted category counts as `rule_violation`. */
const gravity: readonly string[] = ['tone_mismatch', 'incomplete', 'rule_violation', 'goal_missed', 'refusal']

/** Not known to fall short, then the higher score, then the less severe category, then the later one. */
export function bestReply(replies: readonly JudgedReply[]): JudgedReply | undefined {
  return replies.toSorted(
    (one, other) =>
      statusRank(one) - statusRank(other) ||
      (other.score ?? -1) - (one.score ?? -1) ||
      gravityOf(one) - gravityOf(other) ||
      other.attempt - one.attempt,
  )[0]
}

function statusRank({ status }: JudgedReply): number {
  if (status === 'passed') return 0
  return status === 'failed' ? 2 : 1
}

function gravityOf({ category }: JudgedReply): number {
  const place = category === undefined ? -1 : gravity.indexOf(category)
  return place === -1 ? gravity.indexOf('rule_violation') : place
}

/** Why the latest reply is not judged. Only what the agent did since its last answered claim counts. */
function skipOf({ replyCheck, tally }: RunState): ReplySkip | undefined {
  const latest = replyCheck?.latest
  if (latest === undefined) return 'empty-reply'
  if (latest.calls > 0) return 'pending-tool-calls'
  if ((replyCheck?.exchange.sends ?? []).length > 0) return 'sent-by-tool'
  if (replyCheck?.exchange.streamed === true) return 'streamed'
  if (latest.text.trim() === '') return 'empty-reply'
  return latest.isError || !tally.claimed ? 'error-reply' : undefined
}

function isDelivered(skip: ReplySkip | undefined): boolean {
  return skip === 'sent-by-tool' || skip === 'streamed'
}

const skipWords: Readonly<Record<ReplySkip, string>> = {
  'pending-tool-calls': 'the agent has not answered yet: its calls were pending',
  'sent-by-tool': 'a messaging tool has sent it',
  streamed: 'it was streamed to its reader while it came in',
  'empty-reply': 'it is empty',
  'error-reply': 'it was cut off, or ended in an error',
}

export const defaultKeywords: readonly string[] = [
  'done',
  'completed',
  'finished',
  'ready',
  'here you go',
  'fixed',
  'implemented',
]

/** Words that negate a claim after them. A word that ends in `n't` always does. */
export const defaultNegations: readonly string[] = [
  'not',
  'never',
  'no',
  'none',
  'nothing',
  'neither',
  'nor',
  'cannot',
  'hardly',
  'barely',
  'without',
  'yet to be',
  'far from',
]

/** The number of words before a claim in which a negation counts. */
const negationReach = 5
/** Scripts without spaces between words have no word boundaries. */
const withoutSpaces =
  /[\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Thai}\p{sc=Lao}\p{sc=Khmer}\p{sc=Myanmar}]/u

/** Whether a clause that is neither a question nor negated contains a trigger word. */
export function isTriggered(text: string, trigger: ReplyCheckSettings['trigger']): boolean {
  if (trigger === 'all') return text.trim() !== ''
  const keywords = trigger.keywords.filter((keyword) => keyword.trim() !== '').map(wordPattern)
  const negations = trigger.negations.filter((word) => word.trim() !== '').map(wordPattern)
  return clausesOf(text).some((clause) =>
    keywords.some((keyword) =>
      [...clause.matchAll(keyword)].some(({ index }) => !isNegated(clause.slice(0, index), negations)),
    ),
  )
}

function clausesOf(text: string): readonly string[] {
  return text
    .split(/(?<=[.!?…])\s+|(?<=[。！？])|\n+/u)
    .filter((sentence) => !/[?？]\P{L}*$/u.test(sentence))
    .flatMap((sentence) => sentence.split(/[,;:]\s|[，；：]|\s[–—-]\s/u))
}

function isNegated(before: string, negations: readonly RegExp[]): boolean {
  const near = before.trim().split(/\s+/u).slice(-negationReach).join(' ')
  return /n['’]t\b/iu.test(near) || negations.some((negation) => near.search(negation) !== -1)
}

/** Adjacent letters, digits or combining marks would make it another word. */
function wordPattern(word: string): RegExp {
  const literal = word.trim().replace(/[\\^$.*+?()[\]{}|/]/gu, String.raw`\$&`)
  if (withoutSpaces.test(word)) return new RegExp(literal, 'giu')
  const before = /^[\p{L}\p{N}_]/u.test(word.trim()) ? String.raw`(?<![\p{L}\p{M}\p{N}_])` : ''
  const after = /[\p{L}\p{N}_]$/u.test(word.trim()) ? String.raw`(?![\p{L}\p{M}\p{N}_])` : ''
  return new RegExp(`${before}${literal}${after}`, 'giu')
}
