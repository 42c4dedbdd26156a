import { UsageError } from '../../../base/index.ts'
import {
  asksForUnknown,
  nameOfPolicy,
  pathRule,
  policyGate,
  type GateChoices,
  type PolicyRule,
} from '../../../policy/gate/index.ts'
import type { SandboxDescription } from '@donecheck/core/internal/events'
import type { ProtectOptions } from '../../../analysis/protect/index.ts'
import type { Approver, Gate } from '../../../ports/gate.ts'
import type { Agent, Tool } from '../../../ports/loop.ts'

export interface GatingOptions {
  /** Decides every tool call. Default: the policy gate with its built-in rules and approval `writes`. */
  readonly gate?: Gate | GateChoices
}

interface Gated {
  readonly workFolder: string | null
  readonly tools: readonly Tool[]
  readonly guarded: ProtectOptions | null
  readonly ownChecks: readonly string[]
}

export function gateOf(
  { gate = {}, agent }: GatingOptions & { readonly agent?: Pick<Agent, 'own'> },
  { workFolder, tools, guarded, ownChecks }: Gated,
): Gate {
  if (isGate(gate)) return gate
  const sandbox = agent?.own?.sandbox ?? sandboxOf(tools)
  return policyGate({
    protect: guarded ?? unguarded,
    ownChecks,
    ...gate,
    workFolder: workFolder ?? process.cwd(),
    rules: [...(gate.rules ?? []), ...untouchable(agent?.own?.untouched ?? [])],
    approval: gate.approval ?? 'writes',
    sandbox: { isConfined: sandbox?.isConfined ?? false },
  })
}

/** @throws {UsageError} if tools can change nothing, because nothing could be approved */
export function assertChangesCanBeAllowed(
  { gate = {}, hooks }: GatingOptions & { readonly hooks?: object },
  tools: readonly Tool[],
  approver: Approver | undefined,
): void {
  if (approver !== undefined || hooks !== undefined || isGate(gate) || gate.mode === 'shadow') return
  const { rules = [], approval = 'writes' } = gate
  const changing = tools.filter(({ effect }) => effect === 'write').map(({ name }) => name)
  if (changing.length === 0 || rules.length > 0 || !asksForUnknown(approval)) return
  throw new UsageError(
    `the tools ${changing.join(', ')} can change nothing: approval is "${nameOfPolicy(approval)}" and there is no approver; ` +
      `give approver: acceptAll('me') or terminalApprover(…), gate: { approval: 'never' }, or only tools that read; approver: refuseAll('why') leaves it so`,
  )
}

function untouchable(paths: readonly string[]): readonly PolicyRule[] {
  if (paths.length === 0) return []
  return [
    pathRule({ paths, decision: 'forbidden', justification: 'it is part of what watches over this work' }),
  ]
}

const unguarded = { mayChange: ['**'] }

function isGate(given: Gate | GateChoices): given is Gate {
  return 'check' in given && typeof given.check === 'function'
}

export function sandboxOf(tools: readonly Tool[]): SandboxDescription | null {
  const known = tools.flatMap(({ sandbox }) => sandbox ?? [])
  return known.find(({ isConfined }) => !isConfined) ?? known[0] ?? null
}
