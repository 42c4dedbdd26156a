/** From the hooks that a user registers to what the loop asks. */
import { UsageError } from '../../../base/index.ts'
import { hookPoints } from '@donecheck/core/gate'
import type { DriveDescription, VerifierDescription } from '@donecheck/core/settings'
import type { Finding } from '@donecheck/core/events'
import type { HookLists, HookPipeline } from '../../../policy/callbacks/index.ts'
import type { Tool } from '../../../ports/loop.ts'
import { finalizeDescription } from '../../run/index.ts'

export interface HookingOptions {
  /** Functions around tool calls, around verification, and at the joints of a run. */
  readonly hooks?: HookLists
}

/** Hooks before the end are one more check, where others decide that the work is done: hooks alone verify nothing. */
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
  readonly drive: DriveDescription
}

/**
 * Whether every hook can fire in this loop.
 * @returns what a person should know of the others
 * @throws {UsageError} where a hook that is meant to refuse never could
 */
export async function testHooks(
  hooks: HookPipeline,
  { tools, verifiers, drive }: HookedLoop,
): Promise<readonly Finding[]> {
  const problems = await hooks.selfTest({
    tools: tools.map(({ name, effect }) => ({ name, effect })),
    verifiers: verifiers
      .filter(({ role, name }) => role !== 'guard' && name !== finalizeDescription.name)
      .map(({ name }) => name),
    driveHasOwnTools: drive.kind === 'command',
    points: hookPoints.filter((point) => point !== 'before_finalize' || isAsked(verifiers)),
  })
  const fatal = problems.filter(({ isFatal }) => isFatal)
  if (fatal.length > 0) throw new UsageError(fatal.map(messageOfProblem).join('\n'))
  return problems.map((problem) => ({
    rule: 'hook_self_test',
    level: problem.kind === 'only-watched' ? 'note' : 'warn',
    message: messageOfProblem(problem),
    numbers: {},
    key: `${problem.hook}:${problem.kind}`,
    restsOn: [],
  }))
}

function messageOfProblem({ hook, point, problem }: Awaited<ReturnType<HookPipeline['selfTest']>>[number]) {
  return `hook "${hook}" (${point}): ${problem}`
}

/** Whether hooks before the end are a check of this run. */
export function isAsked(verifiers: readonly VerifierDescription[]): boolean {
  return verifiers.some(({ name }) => name === finalizeDescription.name)
}
