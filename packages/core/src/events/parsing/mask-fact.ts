/** What of a fact is text from outside and is masked; names, ids, folders and labels are what the run is held together by. */
import { maskGoalFact } from './mask-goal.ts'
import { isGoalFact } from '../facts/goal-facts.ts'
import type { GateDecided, HookRan, RuleMatch } from '../gate/index.ts'
import type { Finding, ModelReplied, NewEvent, ToolCall, TurnEnded } from '../event.ts'
import { maskText, maskValue, type Cut, type SecretValues } from '../../secrets/index.ts'
import type { DriveDescription } from '../settings/index.ts'
import type { StopTransition, Transition } from '../transitions/index.ts'
import { maskClaim } from '../facts/claim-facts.ts'
import { maskEvidence } from './mask-evidence.ts'
import { maskPlan } from '../facts/plan-facts.ts'
import type { Verdict } from '../verdicts/index.ts'
import { isReplyCheckFact, type ReplyCheckFact } from '../facts/reply-facts.ts'
import type { FinalSummaryReplied } from '../facts/final-summary-facts.ts'
import type { ChecksSealed } from '../facts/sealed-facts.ts'

/** The fact as it is recorded. What comes out has the same shape. */
export function maskFact<Fact extends NewEvent>(fact: Fact, secrets: SecretValues): Fact
export function maskFact(fact: NewEvent, secrets: SecretValues): NewEvent {
  const mask: Mask = (text, cut) => maskText(text, secrets, cut)
  if (isReplyCheckFact(fact)) return maskReply(fact, mask)
  if (isGoalFact(fact)) return maskGoalFact(fact, mask)
  switch (fact.type) {
    case 'run-started':
      return { ...fact, drive: maskDrive(fact.drive, mask), recipe: maskValue(fact.recipe, secrets) }
    case 'run-resumed':
      return fact.drive === undefined ? fact : { ...fact, drive: maskDrive(fact.drive, mask) }
    case 'run-stopped':
      return { ...fact, transition: maskStop(fact.transition, mask) }
    case 'turn-ended':
      return maskTurnEnd(fact, mask)
    case 'model-replied':
      return maskModelReply(fact, secrets, mask)
    case 'model-failed':
      return { ...fact, failure: { ...fact.failure, message: mask(fact.failure.message) } }
    case 'gate-decided':
      return maskDecision(fact, mask)
    case 'hook-ran':
      return maskHook(fact, mask)
    case 'approval-requested':
      return { ...fact, question: mask(fact.question) }
    case 'approval-given':
    case 'tool-refused':
      return { ...fact, reason: mask(fact.reason) }
    case 'tool-returned':
      return { ...fact, output: mask(fact.output) }
    case 'verdict-given':
      return { ...fact, verdict: maskVerdict(fact.verdict, mask) }
    case 'finding-noted':
      return { ...fact, finding: maskFinding(fact.finding, mask) }
    case 'final-summary-called':
      return { ...fact, end: maskStop(fact.end, mask), notice: mask(fact.notice) }
    case 'final-summary-replied':
      return maskFinalSummary(fact, mask)
    case 'sub-run-ended':
      return { ...fact, message: mask(fact.message) }
    case 'claim-examined':
      return maskClaim(fact, mask)
    case 'memory-recalled': {
      const facts = fact.facts.map(({ id, text }) => ({ id, text: mask(text) }))
      return { ...fact, facts, text: mask(fact.text) }
    }
    case 'agent-plan-reported':
      return maskPlan(fact, mask)
    case 'checks-sealed':
      return maskSealed(fact, mask)
    case 'agent-session-opened':
    case 'interrupt-requested':
    case 'sub-run-started':
    case 'budget-added':
    case 'model-called':
    case 'tool-called':
    case 'workspace-observed':
    case 'verification-started':
      return fact
  }
}

type Mask = (text: string, cut?: Cut) => string

function maskDrive(drive: DriveDescription, mask: Mask): DriveDescription {
  return { ...drive, name: mask(drive.name) }
}

function maskSealed<Fact extends ChecksSealed>(fact: Fact, mask: Mask): Fact {
  return {
    ...fact,
    authors: fact.authors.map((author) =>
      author.problem === undefined ? author : { ...author, problem: mask(author.problem) },
    ),
    dropped: fact.dropped.map((check) => ({ ...check, reason: mask(check.reason) })),
  }
}

function maskModelReply<Fact extends ModelReplied>(fact: Fact, secrets: SecretValues, mask: Mask): Fact {
  const { text, toolCalls, problem } = fact
  const masked = { ...fact, text: mask(text), toolCalls: toolCalls.map((call) => maskCall(call, secrets)) }
  return problem === undefined ? masked : { ...masked, problem: mask(problem) }
}

/** The complaint about unreadable arguments may quote them. */
function maskCall(call: ToolCall, secrets: SecretValues): ToolCall {
  const masked = { ...call, args: maskValue(call.args, secrets) }
  return call.malformed === undefined ? masked : { ...masked, malformed: maskText(call.malformed, secrets) }
}

function maskFinalSummary<Fact extends FinalSummaryReplied>(fact: Fact, mask: Mask): Fact {
  const { problem } = fact
  return { ...fact, text: mask(fact.text), ...(problem === undefined ? {} : { problem: mask(problem) }) }
}

function maskReply<Fact extends ReplyCheckFact>(fact: Fact, mask: Mask): Fact
function maskReply(fact: ReplyCheckFact, mask: Mask): ReplyCheckFact {
  switch (fact.type) {
    case 'reply-judging-started':
      return fact
    case 'reply-judged':
      return { ...fact, verdict: maskVerdict(fact.verdict, mask) }
    case 'reply-settled':
      return { ...fact, text: mask(fact.text), message: mask(fact.message) }
    case 'reply-delivered':
      return fact.problem === undefined ? fact : { ...fact, problem: mask(fact.problem) }
  }
}

function maskDecision<Fact extends GateDecided>(fact: Fact, mask: Mask): Fact {
  return { ...fact, reason: mask(fact.reason), matches: fact.matches.map((match) => maskMatch(match, mask)) }
}

function maskMatch(match: RuleMatch, mask: Mask): RuleMatch {
  return { ...match, rule: mask(match.rule), words: match.words.map((word) => mask(word)) }
}

function maskHook<Fact extends HookRan>(fact: Fact, mask: Mask): Fact {
  return {
    ...fact,
    ...(fact.note === undefined ? {} : { note: mask(fact.note) }),
    ...(fact.told === undefined ? {} : { told: mask(fact.told) }),
  }
}

function maskFinding(finding: Finding, mask: Mask): Finding {
  const masked = { ...finding, message: mask(finding.message) }
  return finding.advice === undefined ? masked : { ...masked, advice: mask(finding.advice) }
}

function maskTransition(transition: Transition, mask: Mask): Transition {
  return transition.kind === 'stop' ? maskStop(transition, mask) : transition
}

function maskTurnEnd<Fact extends TurnEnded>(fact: Fact, mask: Mask): Fact {
  const masked = { ...fact, transition: maskTransition(fact.transition, mask) }
  return fact.feedback === undefined ? masked : { ...masked, feedback: mask(fact.feedback) }
}

function maskStop(transition: StopTransition, mask: Mask): StopTransition {
  const { summary } = transition
  const masked = { ...transition, message: mask(transition.message) }
  return summary === undefined ? masked : { ...masked, summary: mask(summary) }
}

function maskVerdict(verdict: Verdict, mask: Mask): Verdict {
  return {
    ...verdict,
    reason: mask(verdict.reason),
    evidence: verdict.evidence.map((piece) => maskEvidence(piece, mask)),
  }
}
