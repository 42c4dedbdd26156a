/** What of a fact is text from outside and is masked; names, ids, folders and labels are what the run is held together by. */
import type { Told, ToolCall } from './event.ts'
import { maskText, maskValue, type SecretValues } from './mask.ts'
import type { Transition } from './transition.ts'
import { maskEvidence } from './mask-evidence.ts'
import type { Verdict } from './verdict.ts'

/** The fact as it is recorded. What comes out has the same shape. */
export function maskFact<Fact extends Told>(fact: Fact, secrets: SecretValues): Fact
export function maskFact(fact: Told, secrets: SecretValues): Told {
  const mask = (text: string) => maskText(text, secrets)
  switch (fact.type) {
    case 'run-started':
      return {
        ...fact,
        drive: { ...fact.drive, name: mask(fact.drive.name) },
        recipe: maskValue(fact.recipe, secrets),
      }
    case 'run-resumed':
      return fact.drive === undefined
        ? fact
        : { ...fact, drive: { ...fact.drive, name: mask(fact.drive.name) } }
    case 'goal-set':
      return { ...fact, task: mask(fact.task) }
    case 'run-stopped':
      return { ...fact, transition: { ...fact.transition, message: mask(fact.transition.message) } }
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
      return { ...fact, finding: { ...fact.finding, message: mask(fact.finding.message) } }
    case 'interrupt-requested':
    case 'model-called':
    case 'tool-called':
    case 'workspace-observed':
    case 'verification-started':
      return fact
  }
}

type Mask = (text: string) => string

/** The complaint about unreadable arguments may quote them. */
function maskCall(call: ToolCall, secrets: SecretValues): ToolCall {
  const masked = { ...call, args: maskValue(call.args, secrets) }
  return call.malformed === undefined ? masked : { ...masked, malformed: maskText(call.malformed, secrets) }
}

function maskTransition(transition: Transition, mask: Mask): Transition {
  return transition.kind === 'stop' ? { ...transition, message: mask(transition.message) } : transition
}

function maskVerdict(verdict: Verdict, mask: Mask): Verdict {
  return {
    ...verdict,
    reason: mask(verdict.reason),
    evidence: verdict.evidence.map((piece) => maskEvidence(piece, mask)),
  }
}
