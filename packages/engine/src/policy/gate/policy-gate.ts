import { canonicalJson } from '@donecheck/core/internal/base'
import { assertOptions, given, messageOf } from '../../base/index.ts'
import { tamperRules } from './decide/examine-files.ts'
import { gateContextOf, policyGateOptions, type PolicyGateOptions, learnedRules } from './context.ts'
import { examine, type Examined, gateDecisionOf } from './examine.ts'
import type { Objection } from './objections.ts'
import type { Approval, Gate, GateDecision, GateRequest } from '../../ports/gate.ts'

type PolicyGate = Gate & Required<Pick<Gate, 'learn'>>

/**
 * Decides every command of a line and every changed file by rules and approval policy. Errors forbid (I7).
 * @throws {UsageError} for invalid options
 */
export function policyGate(options: PolicyGateOptions): PolicyGate {
  assertOptions(policyGateOptions, options, 'policyGate')
  const { mode = 'on', isForOneCall = false } = options
  // If loading fails, the first change reports it.
  if (!isForOneCall) tamperRules().catch(() => undefined)
  const rules = learnedRules(options.rules, options.keep?.file)
  const session = answers()
  const context = gateContextOf(options, rules)
  const judgeRequest = async (request: GateRequest): Promise<GateDecision> => {
    const one = await examine(request, context())
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
      const one = await examine(request, context())
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
    const reason = `the gate failed, and so nothing may run: ${messageOf(error)}`
    return { kind: 'forbidden', label: 'gate_failed', reason }
  }
}

/** Allows everything in the sandbox, because no user was asked. */
function asShadow({ kind, reason, label, matches }: GateDecision): GateDecision {
  return {
    kind: 'allow',
    reason: kind === 'allow' ? reason : `the policy is only watched: ${reason}`,
    ...given({ label, matches }),
    shadow: kind,
  }
}

/** Denies the exact command if no rule was proposed. */
function deniedPrefix({ line }: Examined): readonly string[] | undefined {
  const asked = line?.commands.filter(({ objections }) => objections.length > 0) ?? []
  const [only, ...others] = asked.length > 0 ? asked : (line?.commands ?? [])
  if (only === undefined || others.length > 0) return undefined
  const texts = only.found.words.map(({ text }) => text)
  return texts.every((text) => text !== null) ? texts : undefined
}

interface Answers {
  /** Applies the session's answers; never to `forbidden`. */
  applyAnswers(request: GateRequest, objections: readonly Objection[], decision: GateDecision): GateDecision
  keep(request: GateRequest, objections: readonly Objection[], approval: Approval): void
}

function answers(): Answers {
  const approved = new Map<string, Approval>()
  const denied = new Map<string, Approval>()
  const keyOf = (request: GateRequest, objections: readonly Objection[]) =>
    `${questionOf(objections)}\n${identityOf(request)}`
  return {
    applyAnswers(request, objections, decision) {
      if (decision.kind === 'forbidden' || (approved.size === 0 && denied.size === 0)) return decision
      const { matches, outsideSandbox } = decision
      const no = denied.get(identityOf(request))
      if (no !== undefined) {
        const reason = `denied by ${no.by} for this session: ${no.reason}`
        return { kind: 'forbidden', label: 'approval_denied', reason, ...given({ matches }) }
      }
      const yes = decision.kind === 'prompt' ? approved.get(keyOf(request, objections)) : undefined
      if (yes === undefined) return decision
      const reason = `approved by ${yes.by} for this session`
      return { kind: 'allow', reason, ...given({ matches, outsideSandbox }) }
    },
    keep(request, objections, approval) {
      const identity = identityOf(request)
      if (approval.approved) {
        approved.set(keyOf(request, objections), approval)
        denied.delete(identity)
      } else denied.set(identity, approval)
    },
  }
}

/** Same line and folder, same changed files, or same arguments. */
function identityOf({ tool, args, action }: GateRequest): string {
  if (action === undefined) return canonicalJson({ tool, args })
  if (action.kind === 'change') {
    const paths = [...new Set(action.files.map(({ path }) => path))].toSorted()
    return canonicalJson({ change: paths })
  }
  const { script, folder, escalation } = action
  return canonicalJson({ script: script.trim(), folder, isLeaving: escalation !== undefined })
}

/** A yes holds for one question only; for protected files also for one change only. */
function questionOf(objections: readonly Objection[]): string {
  const asked = objections.map(({ label, reason }) =>
    label === 'protected_file' ? `${label} ${reason}` : label,
  )
  return [...new Set(asked)].toSorted().join(' ')
}
