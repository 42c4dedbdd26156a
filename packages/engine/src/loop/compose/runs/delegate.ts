import { toAgent } from '../../agents/index.ts'
import { AgentRun, type RunResult } from './agent-run.ts'
import type { LoopParts } from './open-run.ts'
import { loopOptions, partsOf, type AgentLoopOptions } from '../compose.ts'
import { noConsumption } from '@donecheck/core/internal/state'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { Caps } from '@donecheck/core/internal/budgets'
import type { SecretValues } from '@donecheck/core/internal/secrets'
import { assertCostIsKnown, capsOf, type HardCap } from '../options/hard-cap.ts'
import { assertKnownKeys, assertOptions, given, optionKeys } from '../../../base/index.ts'
import type {
  PreparedCall,
  SubRunEnd,
  SubRunGrant,
  Tool,
  ToolContext,
  ToolOutcome,
} from '../../../ports/loop.ts'
import { readSubRunOutcome } from '../../run/index.ts'

/** Caps, store and signal come from the parent run; its secrets are masked here, too. */
type SubLoopOptions = Omit<AgentLoopOptions, 'hardCap' | 'store' | 'signal' | 'allowConcurrent'>

export interface DelegateOptions {
  /** Builds the parts of each sub-run; the budget helps to choose the agent. */
  readonly loop: (budget: Caps, task: string) => SubLoopOptions | Promise<SubLoopOptions>
  /** Limits of one sub-run. Default: 50 iterations, otherwise what the parent has left. */
  readonly hardCap?: HardCap
  readonly name?: string
  readonly description?: string
}

const keys = optionKeys<DelegateOptions>()('loop! hardCap name description')

const defaultIterations = 50
const maxShownTaskLength = 80

/**
 * Records sub-runs in the parent's store; usage counts for both. The parent reads their end and last text.
 * @throws {UsageError} for a limit that is not a positive number
 */
export function delegateTool(options: DelegateOptions): Tool {
  assertKnownKeys(options, keys, 'delegateTool')
  const atMost = capsOf({
    iterations: defaultIterations,
    tokens: null,
    wallClockMs: null,
    ...options.hardCap,
  })
  return {
    name: options.name ?? 'delegate',
    description:
      options.description ??
      'Hands a part of the task to a helper that works by itself and reports back. Say all that it must know.',
    parameters,
    effect: 'execute',
    prepare: (args) => Promise.resolve(prepare(args, options, atMost)),
  }
}

const parameters: JsonValue = {
  type: 'object',
  properties: {
    task: { type: 'string', description: 'What is to be done, and how it is known to be done.' },
    part: { type: 'string', description: 'Id of the part of the goal that it is, where it is one.' },
  },
  required: ['task'],
  additionalProperties: false,
}

function prepare(args: JsonValue, options: DelegateOptions, atMost: Partial<Caps>): PreparedCall {
  const task = textOf(args, 'task')
  const subGoalId = textOf(args, 'part')
  if (task === undefined) return { kind: 'invalid', reason: 'task: a text that is not empty is needed' }
  const shown = task.length <= maxShownTaskLength ? task : `${task.slice(0, maxShownTaskLength)}…`
  return {
    kind: 'ready',
    summary: `delegate: ${shown.replace(/\s+/g, ' ')}`,
    preview: task,
    run: (signal, context) => delegate({ task, subGoalId, options, atMost, signal }, context),
  }
}

function textOf(args: JsonValue, name: 'task' | 'part'): string | undefined {
  if (typeof args !== 'object' || args === null || Array.isArray(args)) return undefined
  const text = Object.entries(args).find(([key]) => key === name)?.[1]
  return typeof text === 'string' && text.trim() !== '' ? text : undefined
}

interface Delegation {
  readonly task: string
  readonly subGoalId: string | undefined
  readonly options: DelegateOptions
  readonly atMost: Partial<Caps>
  readonly signal: AbortSignal
}

async function delegate(delegation: Delegation, context: ToolContext | undefined): Promise<ToolOutcome> {
  const { task, subGoalId, options, atMost, signal } = delegation
  if (context === undefined)
    return { status: 'error', output: 'a task can be delegated from within a run only' }
  let report: RunResult | undefined
  const result = await context.subRun({
    atMost,
    ...given({ subGoalId }),
    async work(grant): Promise<SubRunEnd> {
      const built = await build(options, grant, task, signal)
      if (built instanceof Error) return { spent: noConsumption, outcome: 'error', message: built.message }
      report = await new AgentRun(built, { kind: 'new', task, as: grant })
      return readSubRunOutcome(grant.store, grant.runId)
    },
  })
  if (result.kind !== 'ended') return { status: 'error', output: `not delegated: ${result.message}` }
  if (report === undefined)
    return { status: 'error', output: `the helper failed (run ${result.runId}): ${result.end.message}` }
  return outcomeOf(report)
}

/** @returns the parts, or why the sub-run cannot start */
async function build(
  options: DelegateOptions,
  { caps, store, parent, secrets: inherited }: SubRunGrant,
  task: string,
  signal: AbortSignal,
): Promise<LoopParts | Error> {
  try {
    const loop = await options.loop(caps, task)
    assertOptions(loopOptions, loop, 'the loop of delegateTool')
    const agent = toAgent(loop.agent)
    assertCostIsKnown(caps, agent.description)
    // The parent holds the folder lock for its sub-runs.
    const secrets = withInherited(inherited, loop.secrets ?? {}, parent.runId)
    return partsOf({ ...loop, agent, secrets, store, signal, allowConcurrent: true }, caps)
  } catch (error) {
    return error instanceof Error ? error : new Error(String(error))
  }
}

function withInherited(inherited: SecretValues, own: SecretValues, parentRunId: string): SecretValues {
  const kept = Object.entries(inherited).map(([name, value]) => {
    const isTaken = Object.hasOwn(own, name) && own[name] !== value
    return [isTaken ? `${name} of ${parentRunId}` : name, value] as const
  })
  return { ...Object.fromEntries(kept), ...own }
}

function outcomeOf({ runId, transition, finalText, reply, usage }: RunResult): ToolOutcome {
  const { outcome, reason, message } = transition
  const words = reply === null ? finalText : reply.text
  const head = `The helper's run ${runId} ended as ${outcome} (${reason}: ${message}) after ${usage.iterations} turns.`
  return {
    status: outcome === 'verified' || outcome === 'unverified' ? 'ok' : 'error',
    output: words.trim() === '' ? head : `${head}\nIts last words:\n${words}`,
  }
}
