import { moreChecksOf, checksOf, type HardVerifiers } from './verification/hard-verifiers.ts'
import { goalControl, type GoalControl } from './runs/goal-control.ts'
import type { CommandCheck } from '@donecheck/core/internal/goal'
import { deterministicVeto } from '@donecheck/core/internal/decide/policies'
import { englishPrompts, type Prompts } from '@donecheck/core/internal/decide/prompts'
import { hardCaps } from '@donecheck/core/internal/rules/caps'
import { sameFamilyJudge, type Judgement } from '@donecheck/core/internal/decide'
import { refusedCalls } from '@donecheck/core/internal/rules/detectors'
import {
  assertPolicyDecides,
  checkingOf,
  policyOf,
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
import { UsageError, assertKnownKeys, type OptionKeys, optionKeys } from '../../base/index.ts'
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
import { driveFrom, type LanguageModel } from '../drives/index.ts'
import { refuseAll } from '../../policy/approvals/index.ts'
import { assertCostIsKnown, capsOf, type HardCap } from './options/hard-cap.ts'
import type { Approver } from '../../ports/gate.ts'
import type { Clock, Drive, Ids, Tool, Workspace } from '../../ports/loop.ts'
import type { Guard, Verifier } from '../../ports/checks.ts'
import type { Memory } from '../../ports/memory.ts'
import type { Store } from '../../ports/store.ts'
import { repliesOf, type ReplyVerification } from './options/replies.ts'
import { softRulesOf, softSettingsOf, type SoftVerifierOptions } from './options/soft-tier.ts'
import { sortableIds, systemClock } from '../run/index.ts'
import { memoryStore } from '../../system/store/index.ts'
import { assertLoopOptions, assertStoreOutside, resolveWorkFolder } from './options/option-shapes.ts'
import { gitOrWalkWorkspace } from '../../system/trees/index.ts'

export interface AgentLoopOptions extends CheckingOptions, GuardingOptions, HookingOptions, GatingOptions {
  /** What proposes the next step: a drive, `provider/model`, or a model object of the AI SDK, with the defaults of `modelDrive`. */
  readonly drive: Drive | LanguageModel | string
  /** Where the work is done. Null or absent: there is no folder, and only answers can be checked. */
  readonly workFolder?: string | null
  /** What decides that the run is done: checks, functions in every shape of `UserVerifier`, command lines such as `npm test`. */
  readonly hardVerifiers?: HardVerifiers
  /** Makes a check of a command that comes while the run goes on. Default: `command`, with its defaults. */
  readonly addedCheck?: (check: CommandCheck) => Verifier
  /** Budgets and patterns that may end the run as not verified: loop detection, stagnation, a token budget, own rules. */
  readonly softVerifiers?: SoftVerifierOptions
  readonly hardCap?: HardCap
  /** A judge looks at the reply before it is delivered, and sends it back where it falls short. */
  readonly verifyReplies?: ReplyVerification
  /** Default `checks`; where replies are verified, `checks-and-claim`. */
  readonly completeWhen?: CompleteWhen
  readonly verifyWhen?: VerifyWhen
  /** One last check before a cap ends the run. Default true. */
  readonly verifyAtCap?: boolean
  /**
   * A run that ends early (at a cap, in a loop, stagnating, diminishing) ends with a summary of what is done, what is left and
   * how to go on: the drive's last answer where the checks did not confirm it, otherwise one call without tools, reserved under
   * all caps. An external agent brings its own tools and gets no such call. What neither gives is made of the record. Default: true
   * for models and external agents, false for scripted and custom drives.
   */
  readonly finalSummary?: boolean
  /** Tools that the drive may call. External agents bring their own. */
  readonly tools?: readonly Tool[]
  /** Who is asked. Default: nobody, so what must be asked for is refused. */
  readonly approver?: Approver
  /** Where events are kept. Default: in memory, gone with the process. */
  readonly store?: Store
  /** What earlier runs left behind, told to the drive as data. Default: nothing. */
  readonly memory?: Memory
  /** Values that are masked before anything is written, by name. */
  readonly secrets?: SecretValues
  readonly prompts?: Prompts
  /** Aborting it ends the run as `user_interrupt`; the reason names who asked. */
  readonly signal?: AbortSignal
  /** More than one run in the same folder at a time. Default false. */
  readonly allowConcurrent?: boolean
  /**
   * How long a run waits for its provider, in milliseconds, counted from the first refusal in a row. `providerMs` (default 15
   * minutes): a rate limit, an overload, a network that is gone. `limitMs` (default 6 hours, 0: never): a usage limit whose reset
   * the provider names. A wait and the calls that the provider refused count against no cap.
   */
  readonly providerWaits?: Partial<ProviderWaits>
  readonly onText?: (piece: string) => void
  /**
   * What a check (by its name) or a call of a tool (by its id) prints while it runs, for whoever looks on: not masked, and
   * nothing of checks that are held out.
   */
  readonly onOutput?: (from: string, piece: string) => void
  /** Recorded with the run, for whoever resumes it. */
  readonly recipe?: JsonValue
  /** Recorded with the run, to tell it from others later, such as `memory=on`: at most 20 of at most 80 characters. */
  readonly labels?: readonly string[]
  readonly workspace?: Workspace
  readonly clock?: Clock
  readonly ids?: Ids
}

export const hostedLoopKeys = optionKeys<
  Omit<AgentLoopOptions, 'drive' | 'tools' | 'finalSummary' | 'allowConcurrent'>
>()(`
  workFolder hardVerifiers addedCheck softVerifiers hardCap verifyReplies completeWhen verifyWhen
  verifyAtCap approver store memory secrets prompts signal providerWaits onText onOutput recipe
  labels workspace clock ids policy maxParallelChecks failFast recallVerdicts waive
  trustChecks quarantine guard hooks gate
`)

export const driverlessKeys: OptionKeys<Omit<AgentLoopOptions, 'drive'>> = {
  ...{ ...hostedLoopKeys, tools: true, finalSummary: true, allowConcurrent: true },
}

export interface AgentLoop {
  /**
   * Starts a run: await it for its result, or iterate over it for its events. It rejects with a `UsageError` where a required
   * check turns out, before the first turn, to be one that can never be answered.
   */
  run(task: string, more?: RunOptions): AgentRun
  /**
   * Goes on with a run of the same store that was interrupted, blocked, or whose process died. Caps, checks and all other
   * settings are those that it was started with; the drive's prices and limits are those of the drive that is here now.
   */
  resume(runId: string, more?: ResumeOptions): AgentRun
  /** Begins or goes on with a run that is driven from outside, one decision after another. Rejects as `run` and `resume` do. */
  open(beginning: Beginning, more?: OpenOptions): Promise<SteppedRun>
  /** What is wanted of runs of the same store, also of those that another process conducts. */
  readonly goal: GoalControl
}

/**
 * A loop that asks after every turn whether the goal is reached, and does not take the drive's word for it.
 * @throws {UsageError} for options that contradict each other or can never work
 */
export function createAgentLoop(options: AgentLoopOptions): AgentLoop {
  assertKnownKeys(options, { ...driverlessKeys, drive: 'needed' }, 'createAgentLoop')
  const parts = partsOf({ ...options, drive: driveFrom(options.drive) })
  return {
    run: (task, more = {}) => new AgentRun(parts, beginning(task, more)),
    resume: (runId, more = {}) => new AgentRun(parts, resumption(runId, more)),
    open: (begun, more = {}) => openSteppedRun(parts, begun, more),
    goal: goalControl(parts.doors.store),
  }
}

type DrivenOptions = AgentLoopOptions & { readonly drive: Drive }

export function partsOf(
  options: DrivenOptions,
  caps = capsOf(options.hardCap ?? {}, options.drive.description),
): LoopParts {
  assertLoopOptions(options, 'loop')
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
    ...{ recipe: options.recipe ?? null, labels: [...new Set(options.labels)] },
    allowConcurrent: options.allowConcurrent ?? false,
    signal: options.signal ?? new AbortController().signal,
    doors: {
      drive: options.drive,
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
    policy: policyOf(options),
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
  const drive = options.drive.description
  assertCostIsKnown(caps, drive)
  const { kind, sideEffects } = drive
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
    policy: (options.policy ?? deterministicVeto).name || 'custom',
    soft: softSettingsOf(options.softVerifiers ?? {}, caps, drive),
    replyCheck: repliesOf(options.verifyReplies).settings,
    verifiers: descriptions,
  }
}
