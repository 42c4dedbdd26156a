/** The rules of a gate, and those that people add to them while it works. */
import { given } from '../../../base/index.ts'
import type { Amendment, Approval, GateRequest } from '../../../ports/gate.ts'
import type { PolicyRule, PrefixRule } from '../rules/rule.ts'

export interface LearnedRules {
  /** Another list as soon as there is a further rule. */
  all(): readonly PolicyRule[]
  /** Prefixes that may run outside of the sandbox, for this session. */
  mayLeave(): readonly (readonly string[])[]
  /**
   * Effective at once, and kept where there is a file for it.
   * @throws where it could not be kept; it is effective all the same
   */
  keep(request: GateRequest, approval: Approval, amendment: Amendment): Promise<void>
}

export function learnedRules(given: readonly PolicyRule[], file: string | undefined): LearnedRules {
  let rules = given
  let leaving: readonly (readonly string[])[] = []
  return {
    all: () => rules,
    mayLeave: () => leaving,
    async keep({ action }, { approved }, { prefix }) {
      const rule = ruleOf(prefix, approved, file)
      if (rule === undefined) return
      rules = [...rules, rule]
      // A rule of a file never leaves the sandbox: for that a person is asked again in the next session.
      if (approved && action?.kind === 'command' && action.escalation !== undefined)
        leaving = [...leaving, prefix]
      if (file === undefined) return
      const { appendAmendment } = await import('../rules/amend/append-amendment.ts')
      await appendAmendment(file, { prefix, decision: rule.decision })
    },
  }
}

function ruleOf(
  prefix: readonly string[],
  approved: boolean,
  file: string | undefined,
): PrefixRule | undefined {
  const [first, ...rest] = prefix.map((word) => [word] as const)
  if (first === undefined) return undefined
  return {
    kind: 'prefix',
    pattern: [first, ...rest],
    decision: approved ? 'allow' : 'forbidden',
    source: { layer: 'user', ...given({ file }) },
    match: [],
    notMatch: [],
  }
}
