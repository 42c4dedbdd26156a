import { UsageError } from '../../../base/index.ts'
import type { AgentDescription, VerifierDescription } from '@donecheck/core/internal/events/settings'
import type { Finding } from '@donecheck/core/internal/events'
import type { HookLists, HookPipeline } from '../../../policy/callbacks/index.ts'
import type { Tool } from '../../../ports/loop.ts'
import { finalizeDescription } from '../../run/index.ts'

export interface HookingOptions {
  readonly hooks?: HookLists
}

/** Hooks before the end verify nothing alone. */
export function hookChecksOf(
  hooks: HookPipeline,
  verifiers: readonly VerifierDescription[],
): readonly VerifierDescription[] {
  const isDecided = verifiers.some(({ role, required }) => role === 'check' && required)
  return isDecided && hooks.has('before_finalize') ? [finalizeDescription] : []
}

interface HookedLoop {
  readonly tools: readonly Tool[]
  readonly verifiers: readonly VerifierDescription[]
  readonly agent: AgentDescription
}

/** @returns notices about hooks this loop never calls @throws {UsageError} if a refusing hook never could */
export function unusedHookFindings(
  hooks: HookPipeline,
  { tools, verifiers, agent }: HookedLoop,
): readonly Finding[] {
  const problems = hooks.unusable({
    tools: tools.map(({ name }) => name),
    verifiers: verifiers
      .filter(({ role, name }) => role !== 'guard' && name !== finalizeDescription.name)
      .map(({ name }) => name),
    hasAgentOwnTools: agent.kind === 'command',
    canFinalize: isAsked(verifiers),
  })
  const fatal = problems.filter(({ isFatal }) => isFatal)
  if (fatal.length > 0) throw new UsageError(fatal.map(({ problem }) => problem).join('\n'))
  return problems.map(({ hook, problem }) => ({
    rule: 'hook_unused',
    level: 'warn',
    message: problem,
    numbers: {},
    key: hook,
    basedOn: [],
  }))
}

export function isAsked(verifiers: readonly VerifierDescription[]): boolean {
  return verifiers.some(({ name }) => name === finalizeDescription.name)
}
