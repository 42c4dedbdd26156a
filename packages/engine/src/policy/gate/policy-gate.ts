import type { Gate, GateDecision, GateRequest } from '../../ports/gate.ts'
import { answers } from './answers/answers.ts'
import { learnedRules } from './answers/learned-rules.ts'
import { tamperRules } from './changes/tamper-rules.ts'
import { examine, type Examined } from './examine.ts'
import { type PolicyGateOptions, policyGateKeys } from './gate-options.ts'
import { gateDecisionOf, gateContextOf } from './gate-context-of.ts'
import { assertKnownKeys } from '../../base/index.ts'

export type PolicyGate = Gate & Required<Pick<Gate, 'learn'>>

/**
 * What may run, by rules, built-in ones too, and the approval policy: every command that is found in a line, every file that
 * it writes to, every file that a tool changes. Whatever fails inside is a `forbidden` (I7).
 * @throws {UsageError} for options that cannot be meant
 */
export function policyGate(options: PolicyGateOptions): PolicyGate {
  assertKnownKeys(options, policyGateKeys, 'policyGate')
  const { mode = 'on', isForOneCall = false } = options
  // A failure is met again, and told, by the first change.
  if (!isForOneCall) tamperRules().catch(() => undefined)
  const rules = learnedRules(options.rules, options.keep?.file)
  const session = answers()
  const context = gateContextOf(options, rules)
  const examineRequest = (request: GateRequest) => examine(request, context(), isForOneCall)
  const judgeRequest = async (request: GateRequest): Promise<GateDecision> => {
    const one = await examineRequest(request)
    return session.applyAnswers(request, one.objections, gateDecisionOf(one, options.approval))
  }
  return {
    async check(request) {
      const decision = await failingClosed(() => judgeRequest(request))
      return mode === 'shadow' ? asShadow(decision) : decision
    },
    async learn(request, approval, amendment) {
      const { scope = 'once', approved } = approval
      if (scope === 'once') return
      const one = await examineRequest(request)
      const prefix =
        scope === 'rule' ? (amendment?.prefix ?? (approved ? undefined : deniedPrefix(one))) : undefined
      if (prefix === undefined || !approved) session.keep(request, one.objections, approval)
      if (prefix !== undefined) await rules.keep(request, approval, { prefix })
    },
  }
}

async function failingClosed(judge: () => Promise<GateDecision>): Promise<GateDecision> {
  try {
    return await judge()
  } catch (error) {
    const problem = error instanceof Error ? error.message : String(error)
    return {
      kind: 'forbidden',
      label: 'gate_failed',
      reason: `the gate failed, and so nothing may run: ${problem}`,
    }
  }
}

/** Nobody was asked, so nothing leaves the sandbox. */
function asShadow({ kind, reason, label, matches }: GateDecision): GateDecision {
  return {
    kind: 'allow',
    reason: kind === 'allow' ? reason : `the policy is only watched: ${reason}`,
    ...(label !== undefined && { label }),
    ...(matches !== undefined && { matches }),
    shadow: kind,
  }
}

/** What "never again" means where no rule was proposed: the one command that was asked for, word for word. */
function deniedPrefix({ line }: Examined): readonly string[] | undefined {
  const asked = line?.commands.filter(({ objections }) => objections.length > 0) ?? []
  const [only, ...others] = asked.length > 0 ? asked : (line?.commands ?? [])
  if (only === undefined || others.length > 0) return undefined
  const texts = only.found.words.map(({ text }) => text)
  return texts.every((text) => text !== null) ? texts : undefined
}
