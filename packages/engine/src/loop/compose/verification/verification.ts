import { z } from 'zod'
import { driverlessLoopOptions } from '../options/option-shapes.ts'
import { resultOf, type RunResult } from '../runs/agent-run.ts'
import { partsOf, type AgentLoopOptions } from '../compose.ts'
import { problemOfFact, type RunEvent } from '@donecheck/core/internal/events'
import { checksOnly, type AgentDescription } from '@donecheck/core/internal/events/settings'
import type { RunState } from '@donecheck/core/internal/state'
import { assertOptions, given, type OptionShape, donecheckVersion, UsageError } from '../../../base/index.ts'
import { functionShape } from '../../../ports/options.ts'
import type { Agent } from '../../../ports/loop.ts'
import { LiveRun, verifyOnce, type OneVerification } from '../../run/index.ts'
import { toAgent } from '../../agents/index.ts'

type LoopOptionsWithoutAgent = Omit<
  AgentLoopOptions,
  | 'agent'
  | 'tools'
  | 'gate'
  | 'hardCap'
  | 'softVerifiers'
  | 'completeWhen'
  | 'verifyReplies'
  | 'verifyWhen'
  | 'verifyAtCap'
  | 'onText'
  | 'onOutput'
>

export interface VerificationOptions extends LoopOptionsWithoutAgent, Partial<OneVerification> {
  readonly task?: string

  readonly onEvent?: (event: RunEvent, state: RunState) => void
}

const verificationOptions = z.strictObject<OptionShape<VerificationOptions>>({
  ...driverlessLoopOptions.shape,
  task: z.string().optional(),
  onEvent: functionShape.optional(),
  baseline: z.union([z.enum(['none', 'snapshot', 'look']), z.array(z.unknown())]).optional(),
  only: z.literal('baseline').optional(),
})

/** Runs every check once, recorded as a run without turns. @throws {UsageError} for contradicting options */
export async function verifyWork(options: VerificationOptions): Promise<RunResult> {
  assertOptions(verificationOptions, options, 'verifyWork')
  const parts = partsOf({ ...options, agent: nobody })
  const { secrets, judgement, settings, workFolder, recipe, doors } = parts
  const { store, clock, ids } = doors
  const past: RunEvent[] = []
  const onEvent = (event: RunEvent, state: RunState) => {
    past.push(event)
    options.onEvent?.(event, state)
  }
  const kept = { log: store, clock, ids, judgement, problemOf: problemOfFact, secrets, lease: null }
  const session = new LiveRun(ids.next(), { ...kept, onEvent })
  const begun = { donecheckVersion, workFolder, agent: nobody.description, settings, recipe }
  await session.tell({ type: 'run-started', ...begun }, { type: 'goal-set', task: options.task ?? 'verify' })
  const { baseline = doors.guard === null ? 'none' : 'snapshot', only } = options
  const world = { ...doors, signal: parts.signal, history: () => past }
  await verifyOnce(session, world, { baseline, ...given({ only }) })
  return resultOf(session.state)
}

const description: AgentDescription = {
  kind: 'custom',
  name: checksOnly,
  sideEffects: false,
  reportsUsage: true,
  prices: { inputPerMillionTokens: 0, outputPerMillionTokens: 0 },
  maxOutputTokens: 1,
  contextWindowTokens: 2048,
}

const nobody: Agent = {
  description,
  next: () => Promise.reject(new TypeError('nobody drives a verification')),
}

/**
 * Stores the baseline of a run from another machine: call it before its changes are applied to the folder.
 * @throws {UsageError} if the tree cannot be read
 */
export async function rememberBaseline(options: AgentLoopOptions, runId: string): Promise<void> {
  const { doors, signal } = partsOf({ ...options, agent: toAgent(options.agent) })
  if (doors.guard === null) return
  const request = { runId, trigger: 'baseline', turn: 0, canRetry: false } as const
  const tree = await doors.guard.prepare(request, signal)
  await tree.dispose()
  const { report } = tree
  if (report.status !== 'passed')
    throw new UsageError(`the tree that run ${runId} began with cannot be remembered: ${report.reason}`)
}
