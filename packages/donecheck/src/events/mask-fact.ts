/** What of a fact is text from outside and is masked; names, ids, folders and labels are what the run is held together by. */
import type { GateDecided, HookRan, RuleMatch } from './gate-facts.ts'
import type { Finding, Told, ToolCall } from './event.ts'
import { maskText, maskValue, type Cut, type SecretValues } from '../secrets/index.ts'
import type { DriveDescription } from './settings.ts'
import type { StopTransition, Transition } from './transition.ts'
import { maskEvidence } from './mask-evidence.ts'
import { maskPlan } from './plan-facts.ts'
import type { Verdict } from './verdict.ts'
import type { WrapUpReplied } from './wrap-up-facts.ts'

/** The fact as it is recorded. What comes out has the same shape. */
export function maskFact<Fact extends Told>(fact: Fact, secrets: SecretValues): Fact
export function maskFact(fact: Told, secrets: SecretValues): Told {
  const mask: Mask = (text, cut) => maskText(text, secrets, cut)
  switch (fact.type) {
    case 'run-started':
      return { ...fact, drive: maskDrive(fact.drive, mask), recipe: maskValue(fact.recipe, secrets) }
    case 'run-resumed':
      return fact.drive === undefined ? fact : { ...fact, drive: maskDrive(fact.drive, mask) }
    case 'goal-set':
      return { ...fact, task: mask(fact.task) }
    case 'run-stopped':
      return { ...fact, transition: maskStop(fact.transition, mask) }
    case 'turn-ended':
      return {
        ...fact,
        transition: maskTransition(fact.transition, mask),
        ...(fact.feedback === undefined ? {} : { feedback: mask(fact.feedback) }),
      }
    case 'model-replied':
      return {
        ...fact,
        text: mask(fact.text),
        toolCalls: fact.toolCalls.map((call) => maskCall(call, secrets)),
        ...(fact.problem === undefined ? {} : { problem: mask(fact.problem) }),
      }
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
    case 'wrap-up-called':
      return { ...fact, end: maskStop(fact.end, mask), notice: mask(fact.notice) }
    case 'wrap-up-replied':
      return maskLastWord(fact, mask)
    case 'sub-run-ended':
      return { ...fact, message: mask(fact.message) }
    case 'agent-plan-told':
      return maskPlan(fact, mask)
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

/** The complaint about unreadable arguments may quote them. */
function maskCall(call: ToolCall, secrets: SecretValues): ToolCall {
  const masked = { ...call, args: maskValue(call.args, secrets) }
  return call.malformed === undefined ? masked : { ...masked, malformed: maskText(call.malformed, secrets) }
}

function maskLastWord<Fact extends WrapUpReplied>(fact: Fact, mask: Mask): Fact {
  const { problem } = fact
  return { ...fact, text: mask(fact.text), ...(problem === undefined ? {} : { problem: mask(problem) }) }
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
