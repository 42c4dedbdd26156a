/** What people have answered for the rest of the session. */
import type { Approval, GateDecision, GateRequest } from '../../../ports/gate.ts'
import type { Objection } from '../decide/objection.ts'
import { canonicalJson } from '@donecheck/core/base'
import { decompose } from '../../../analysis/shell/index.ts'

export interface Answers {
  /** The decision with the answers of this session in it. A `forbidden` is never taken back. */
  applyAnswers(request: GateRequest, objections: readonly Objection[], decision: GateDecision): GateDecision
  keep(request: GateRequest, objections: readonly Objection[], approval: Approval): void
}

export function answers(): Answers {
  const approved = new Map<string, Approval>()
  const denied = new Map<string, Approval>()
  const keyOf = (request: GateRequest, objections: readonly Objection[]) =>
    `${questionOf(objections)}\n${identityOf(request)}`
  return {
    applyAnswers(request, objections, decision) {
      if (decision.kind === 'forbidden' || (approved.size === 0 && denied.size === 0)) return decision
      const no = denied.get(identityOf(request))
      if (no !== undefined) {
        return {
          kind: 'forbidden',
          label: 'approval_denied',
          reason: `denied by ${no.by} for this session: ${no.reason}`,
          ...(decision.matches !== undefined && { matches: decision.matches }),
        }
      }
      const yes = decision.kind === 'prompt' ? approved.get(keyOf(request, objections)) : undefined
      if (yes === undefined) return decision
      return {
        kind: 'allow',
        reason: `approved by ${yes.by} for this session`,
        ...(decision.matches !== undefined && { matches: decision.matches }),
        ...(decision.outsideSandbox !== undefined && { outsideSandbox: decision.outsideSandbox }),
      }
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

/**
 * A command is the same where all its words are, however they are spaced and quoted; one that is not fully known only where
 * it is written the same. A change is the same where it is of the same files. Anything else by its arguments.
 */
function identityOf({ tool, args, action }: GateRequest): string {
  if (action === undefined) return canonicalJson({ tool, args })
  if (action.kind === 'change') {
    const paths = [...new Set(action.files.map(({ path }) => path))].toSorted()
    return canonicalJson({ change: paths })
  }
  const { script, folder, escalation } = action
  const { commands, obstacles, writes } = decompose(script)
  const isLeaving = escalation !== undefined
  if (obstacles.length > 0) return canonicalJson({ script, folder, isLeaving })
  return canonicalJson({
    commands: commands.map(({ words, through, input = null }) => ({
      words: words.map(({ text }) => text),
      through: [...through],
      input,
    })),
    writes: writes.map(({ path }) => path),
    ...{ folder, isLeaving, order: operatorsOf(script, commands) },
  })
}

/** `a && b` is not `a || b`: what stands between the commands, without blanks. */
function operatorsOf(script: string, commands: ReturnType<typeof decompose>['commands']): string {
  let between = ''
  let end = 0
  for (const { span } of commands) {
    if (span === null || span[0] < end) continue
    between += `${script.slice(end, span[0])} `
    end = span[1]
  }
  return `${between}${script.slice(end)}`.replaceAll(/\s+/gu, ' ').trim()
}

/**
 * What was asked: a yes to one question is none to another. Of a file that decides whether the work is done also what would
 * become of it: who has looked at one change of a test has not seen the next one.
 */
function questionOf(objections: readonly Objection[]): string {
  const asked = objections.map(({ label, reason }) =>
    label === 'protected_file' ? `${label} ${reason}` : label,
  )
  return [...new Set(asked)].toSorted().join(' ')
}
