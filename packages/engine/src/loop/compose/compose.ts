import { z } from 'zod'
import { moreChecksOf, checksOf, type HardVerifiers } from './verification/hard-verifiers.ts'
import { goalControl, type GoalControl } from './runs/goal-control.ts'
import type { CommandCheck } from '@donecheck/core/internal/goal'
import { deterministicVeto } from '@donecheck/core/internal/decide/aggregate'
import { englishPrompts, type Prompts } from '@donecheck/core/internal/decide/prompts'
import { hardCaps } from '@donecheck/core/internal/rules/caps'
import { sameFamilyJudge, type Judgement } from '@donecheck/core/internal/decide'
import { refusedCalls } from '@donecheck/core/internal/rules/detectors'
import {
  assertPolicyDecides,
  checkingOf,
  toAggregator,
  type CheckingOptions,
} from './verification/checking-options.ts'
import {
  guardedFilesOf,
  ownCheckLines,
  faultTrialOf,
  guardOf,
  type GuardingOptions,
} from './options/guard.ts'
import { AgentRun, openSteppedRun, type OpenOptions, type SteppedRun } from './runs/agent-run.ts'
import {
  type Beginning,
  type LoopParts,
  beginning,
  resumption,
  type ResumeOptions,
  type RunOptions,
} from './runs/open-run.ts'
import { UsageError, assertOptions, type OptionShape } from '../../base/index.ts'
import {
  usualProviderWaits,
  type ProviderWaits,
  type RunSettings,
  type VerifierDescription,
} from '@donecheck/core/internal/events/settings'
import type { JsonValue } from '@donecheck/core/internal/events'
import type { Caps } from '@donecheck/core/internal/budgets'
import type { CompleteWhen, VerifyWhen } from '@donecheck/core/internal/base'
import type { SecretValues } from '@donecheck/core/internal/secrets'
import { assertChangesCanBeAllowed, gateOf, sandboxOf, type GatingOptions } from './options/gate.ts'
import { hookPipeline } from '../../policy/callbacks/index.ts'
import { hookChecksOf, type HookingOptions } from './options/callbacks.ts'
import { toAgent, type LanguageModel } from '../agents/index.ts'
import { refuseAll } from '../../policy/approvals/index.ts'
import { assertCostIsKnown, capsOf, type HardCap } from './options/hard-cap.ts'
import type { Approver } from '../../ports/gate.ts'
import type { Clock, Agent, Ids, Tool, Workspace } from '../../ports/loop.ts'
import type { Guard, Verifier } from '../../ports/checks.ts'
import type { Memory } from '../../ports/memory.ts'
import type { Store } from '../../ports/store.ts'
import { repliesOf, type ReplyVerification } from './options/replies.ts'
import { softRulesOf, softSettingsOf, type SoftVerifierOptions } from './options/soft-tier.ts'
import { sortableIds, systemClock } from '../run/index.ts'
import { memoryStore } from '../../system/store/index.ts'
import { assertStoreOutside, driverlessLoopOptions, resolveWorkFolder } from './options/option-shapes.ts'
import { gitOrWalkWorkspace } from '../../system/trees/index.ts'

export interface AgentLoopOptions extends CheckingOptions, GuardingOptions, HookingOptions, GatingOptions {
  /** Agent, `provider/model`, or an AI SDK model with the defaults of `modelAgent`. */
  readonly agent: Agent | LanguageModel | string
  /** Work folder; null or absent if there is none, so that only answers can be checked. */
  readonly workFolder?: string | null
  /** Checks that must pass: verifiers, functions in any shape of `UserVerifier`, or command lines. */
  readonly hardVerifiers?: HardVerifiers
  /** Creates checks for commands added during the run. Default: `command`. */
  readonly addedCheck?: (check: CommandCheck) => Verifier
  /** Limits and patterns that may end the run as not verified, such as loops and stagnation. */
  readonly softVerifiers?: SoftVerifierOptions
  readonly hardCap?: HardCap
  /** Lets a judge check the reply before delivery, and send it back. */
  readonly verifyReplies?: ReplyVerification
  /** Default: `checks`; with `verifyReplies`, `checks-and-claim`. */
  readonly completeWhen?: CompleteWhen
  readonly verifyWhen?: VerifyWhen
  /** Runs the checks once more before a cap ends the run. Default: true. */
  readonly verifyAtCap?: boolean
  /**
   * Whether a run that ends early reports what is done, what remains and how to continue: the agent's last
   * reply, one more call without tools (reserved under all caps; not for external agents), or the record.
   * Default: true for models and external agents, false for scripted and custom agents.
   */
  readonly finalSummary?: boolean
  /** Tools that the agent may call. External agents bring their own. */
  readonly tools?: readonly Tool[]
  /** Decides what the gate asks. Default: nobody, so such calls are refused. */
  readonly approver?: Approver
  /** Stores the events. Default: in memory. */
  readonly store?: Store
  /** Lessons of earlier runs, sent to the agent as data. Default: none. */
  readonly memory?: Memory
  /** Values by name, masked before anything is written. */
  readonly secrets?: SecretValues
  readonly prompts?: Prompts
  /** Aborting ends the run as `user_interrupt`; the reason names who asked. */
  readonly signal?: AbortSignal
  /** Allows several runs in the folder at a time. Default: false. */
  readonly allowConcurrent?: boolean
  /**
   * Milliseconds since the first refusal in a row: `providerMs` for rate limits, overload and network errors
   * (default: 15 min), `limitMs` for a usage limit (default: 6 h; 0: never). Waits count against no cap.
   */
  readonly providerWaits?: Partial<ProviderWaits>
  readonly onText?: (piece: string) => void
  /** Receives live output of a check (by name) or a tool call (by id); unmasked, without held-out checks. */
  readonly onOutput?: (from: string, piece: string) => void
  /** Recorded with the run, for a later resume. */
  readonly recipe?: JsonValue
  /** Recorded with the run, such as `memory=on`: at most 20 tags of 80 characters. */
  readonly tags?: readonly string[]
  readonly workspace?: Workspace
  readonly clock?: Clock
  readonly ids?: Ids
}

export const loopOptions = z.strictObject<OptionShape<AgentLoopOptions>>({
  ...driverlessLoopOptions.shape,
  agent: z.custom<unknown>((agent) => agent !== undefined),
})

export interface AgentLoop {
  /**
   * Starts a run: await its result, or iterate over its events. Rejects with a `UsageError` if a required
   * check can never be decided.
   */
  run(task: string, more?: RunOptions): AgentRun
  /** Resumes a run with its recorded settings; only the agent's prices and limits are current. */
  resume(runId: string, more?: ResumeOptions): AgentRun
  /** Starts or resumes a run that the caller drives step by step. Rejects as `run` and `resume` do. */
  open(beginning: Beginning, more?: OpenOptions): Promise<SteppedRun>
  /** Reads and changes goals of runs in the store, including those of other processes. */
  readonly goal: GoalControl
}

/**
 * Creates a loop that runs the checks after every turn and ignores the agent's own claim.
 * @throws {UsageError} for contradicting options or ones that can never work
 */
export function createAgentLoop(options: AgentLoopOptions): AgentLoop {
  assertOptions(loopOptions, options, 'createAgentLoop')
  const parts = partsOf({ ...options, agent: toAgent(options.agent) })
  return {
    run: (task, more = {}) => new AgentRun(parts, beginning(task, more)),
    resume: (runId, more = {}) => new AgentRun(parts, resumption(runId, more)),
    open: (begun, more = {}) => openSteppedRun(parts, begun, more),
    goal: goalControl(parts.doors.store),
  }
}

type DrivenOptions = AgentLoopOptions & { readonly agent: Agent }

export function partsOf(
  options: DrivenOptions,
  caps = capsOf(options.hardCap ?? {}, options.agent.description),
): LoopParts {
  const workFolder = resolveWorkFolder(options.workFolder ?? null)
  const { secrets = {}, tools = [], approver, hooks: callbacks = {} } = options
  const verifiers = checksOf(options, secrets, workFolder)
  const clock = options.clock ?? systemClock
  const store = options.store ?? memoryStore()
  assertStoreOutside(store.folder, workFolder)
  const prompts = options.prompts ?? englishPrompts
  const guarded = { workFolder, verifiers, store, clock, approver }
  const guard = guardOf(options, guarded)
  const replies = repliesOf(options.verifyReplies).doors
  const ids = options.ids ?? sortableIds(clock)
  const hooks = hookPipeline(callbacks)
  const descriptions = verifiers.map(({ description }) => description)
  assertPolicyDecides(options, descriptions)
  assertChangesCanBeAllowed(options, tools, approver)
  const sandbox = sandboxOf(tools)
  const judge = replies?.judge === undefined ? [] : [replies.judge.description]
  const names = [...descriptions, ...judge].map(({ name }) => name)
  const checking = checkingOf(options, store, names, faultTrialOf(options, guarded))
  return {
    secrets,
    judgement: judgementOf(options, prompts),
    settings: settingsOf(options, [...descriptions, ...hookChecksOf(hooks, descriptions)], guard, caps),
    sandbox,
    hooks,
    workFolder,
    ...{ recipe: options.recipe ?? null, tags: [...new Set(options.tags)] },
    allowConcurrent: options.allowConcurrent ?? false,
    signal: options.signal ?? new AbortController().signal,
    doors: {
      agent: options.agent,
      tools,
      gate: gateOf(options, {
        ...{ workFolder, tools, ownChecks: ownCheckLines(verifiers) },
        guarded: guardedFilesOf(options, verifiers),
      }),
      hooks,
      approver: approver ?? refuseAll('this loop has no approver'),
      verifiers,
      guard,
      moreChecks: moreChecksOf(options, { ...guarded, secrets }),
      replies,
      checking,
      workspace: options.workspace ?? (workFolder === null ? null : gitOrWalkWorkspace(workFolder)),
      memory: options.memory ?? null,
      clock,
      ids,
      store,
      prompts,
      onText: options.onText ?? (() => undefined),
      onOutput: options.onOutput ?? (() => undefined),
    },
  }
}

function judgementOf(options: DrivenOptions, prompts: Prompts): Judgement {
  return {
    rules: [...hardCaps, sameFamilyJudge, refusedCalls(), ...softRulesOf(options.softVerifiers ?? {})],
    aggregate: toAggregator(options),
    prompts,
  }
}

function settingsOf(
  options: DrivenOptions,
  verifiers: readonly VerifierDescription[],
  guard: Guard | null,
  caps: Caps,
): RunSettings {
  const descriptions = [...(guard === null ? [] : [guard.description]), ...verifiers]
  const names = descriptions.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`two verifiers are named "${twice}"; give each its own name`)
  const agent = options.agent.description
  assertCostIsKnown(caps, agent)
  const { kind, sideEffects } = agent
  return {
    caps,
    completeWhen:
      options.completeWhen ?? (options.verifyReplies === undefined ? 'checks' : 'checks-and-claim'),
    verifyWhen: options.verifyWhen ?? 'on-change-or-claim',
    verifyAtCap: options.verifyAtCap ?? true,
    providerWaits: { ...usualProviderWaits, ...options.providerWaits },
    reservesLastCheck: true,
    finalSummary: options.finalSummary ?? (kind === 'model' || sideEffects),
    finalSummaryTokens: 1024,
    aggregate: (options.aggregate ?? deterministicVeto).name || 'custom',
    soft: softSettingsOf(options.softVerifiers ?? {}, caps, agent),
    replyCheck: repliesOf(options.verifyReplies).settings,
    verifiers: descriptions,
  }
}
