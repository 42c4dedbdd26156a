/** The only place that chooses parts: options in, a loop out. */
import { realpathSync, statSync } from 'node:fs'
import {
  deterministicVeto,
  englishPrompts,
  hardCaps,
  refusedCalls,
  type Judgement,
  type Prompts,
} from './core/index.ts'
import { checkingOf, policyOf, type CheckingOptions } from './checking-options.ts'
import {
  faultTrialOf,
  guardedOf,
  guardOf,
  powerProbeOf,
  type GuardingOptions,
  type ProbingOptions,
} from './guarding.ts'
import { AgentRun, type Beginning, type LoopParts } from './agent-run.ts'
import { UsageError } from './errors.ts'
import {
  type Caps,
  type CompleteWhen,
  type DriveDescription,
  type JsonValue,
  type RunSettings,
  type SecretValues,
  type VerifierDescription,
  type VerifyWhen,
} from './events/index.ts'
import { assertChangesCanBeAllowed, gateOf, sandboxOf, type GatingOptions } from './gating.ts'
import type { HookCounters } from './hooks/index.ts'
import { hookChecksOf, hooksOf, type HookingOptions } from './hooking.ts'
import { refuseAll } from './approve/index.ts'
import { assertCostIsKnown, assertTopUp, capsOf, refundsOf, type HardCap, type TopUp } from './hard-cap.ts'
import type { Approver, Clock, Drive, Guard, Ids, Store, Tool, Verifier, Workspace } from './ports.ts'
import { assertKnownKeys, type OptionKeys } from './option-keys.ts'
import { checksOf } from './hard-verifiers.ts'
import { softRulesOf, softSettingsOf, type SoftVerifierOptions } from './soft-tier.ts'
import { sortableIds, systemClock } from './run/index.ts'
import { memoryStore } from './store/index.ts'
import type { UserVerifier } from './verify/index.ts'
import { gitOrWalkWorkspace } from './workspace/index.ts'

export interface AgentLoopOptions
  extends CheckingOptions, GuardingOptions, ProbingOptions, HookingOptions, GatingOptions {
  /** What proposes the next step. */
  readonly drive: Drive
  /** Where the work is done. Null or absent: there is no folder, and only answers can be checked. */
  readonly workFolder?: string | null
  /** What decides that the run is done. Functions are taken in every shape of `UserVerifier`. */
  readonly hardVerifiers?: readonly (Verifier | UserVerifier)[]
  /** Budgets and patterns that may end the run as not verified: loop detection, stagnation, a token budget, own rules. */
  readonly softVerifiers?: SoftVerifierOptions
  readonly hardCap?: HardCap
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
  readonly wrapUp?: boolean
  /** Tools that the drive may call. External agents bring their own. */
  readonly tools?: readonly Tool[]
  /** Who is asked. Default: nobody, so what must be asked for is refused. */
  readonly approver?: Approver
  /** Where events are kept. Default: in memory, gone with the process. */
  readonly store?: Store
  /** Values that are masked before anything is written, by name. */
  readonly secrets?: SecretValues
  readonly prompts?: Prompts
  /** Aborting it ends the run as `user_interrupt`; the reason names who asked. */
  readonly signal?: AbortSignal
  /** More than one run in the same folder at a time. Default false. */
  readonly allowConcurrent?: boolean
  /** Tries of one model call, the first included. Default 4. */
  readonly maxModelAttempts?: number
  /**
   * Model calls that never reached the provider and are given back, at most so many in a run. Default 3: enough for a network
   * that comes and goes, too few to hold a run for ever.
   */
  readonly maxRefunds?: number
  readonly onText?: (piece: string) => void
  /** Recorded with the run, for whoever resumes it. */
  readonly recipe?: JsonValue
  readonly workspace?: Workspace
  readonly clock?: Clock
  readonly ids?: Ids
}

/** Of a loop, or of a verification, which nobody drives. */
export const driverlessKeys: OptionKeys<Omit<AgentLoopOptions, 'drive'>> = {
  workFolder: true,
  hardVerifiers: true,
  softVerifiers: true,
  hardCap: true,
  completeWhen: true,
  verifyWhen: true,
  verifyAtCap: true,
  wrapUp: true,
  tools: true,
  approver: true,
  store: true,
  secrets: true,
  prompts: true,
  signal: true,
  allowConcurrent: true,
  maxModelAttempts: true,
  maxRefunds: true,
  onText: true,
  recipe: true,
  workspace: true,
  clock: true,
  ids: true,
  policy: true,
  maxParallelChecks: true,
  failFast: true,
  flakyChecks: true,
  flakeBound: true,
  verdictCache: true,
  waive: true,
  trustChecks: true,
  quarantine: true,
  guard: true,
  power: true,
  hooks: true,
  gate: true,
}

const loopKeys: OptionKeys<AgentLoopOptions> = { ...driverlessKeys, drive: 'needed' }

export interface AgentLoop {
  /**
   * Starts a run: await it for its result, or iterate over it for its events. It rejects with a `UsageError` where a required
   * check turns out, before the first turn, to be one that can never be answered.
   */
  run(task: string): AgentRun
  /**
   * Goes on with a run of the same store that was interrupted, blocked, or whose process died. Caps, checks and all other
   * settings are those that it was started with; the drive's prices and limits are those of the drive that is here now.
   */
  resume(runId: string, more?: ResumeOptions): AgentRun
  /** Of every hook, over all runs of this loop: how often it was fired, failed, timed out, refused, and how long it took. */
  hookCounters(): readonly HookCounters[]
}

export interface ResumeOptions {
  /**
   * More budget, on top of the caps that the run was started with. A run that ended at a cap goes on when this lifts it.
   */
  readonly topUp?: TopUp
  /** Who gives it, for the record. Default: `the program that resumed it`. */
  readonly by?: string
}

/**
 * A loop that asks after every turn whether the goal is reached, and does not take the drive's word for it.
 * @throws {UsageError} for options that contradict each other or can never work
 */
export function createAgentLoop(options: AgentLoopOptions): AgentLoop {
  assertKnownKeys(options, loopKeys, 'createAgentLoop')
  const parts = partsOf(options)
  return {
    run: (task) => new AgentRun(parts, { kind: 'new', task }),
    resume: (runId, more = {}) => new AgentRun(parts, resumption(runId, more)),
    hookCounters: () => parts.hooks.counters(),
  }
}

const resumeKeys: OptionKeys<ResumeOptions> = { topUp: true, by: true }

/** @throws {UsageError} for an amount that is not a positive number */
function resumption(runId: string, more: ResumeOptions): Beginning {
  assertKnownKeys(more, resumeKeys, 'resume')
  const { topUp, by } = more
  if (topUp === undefined) return { kind: 'resume', runId }
  assertTopUp(topUp)
  return { kind: 'resume', runId, topUp: { by: by ?? 'the program that resumed it', added: topUp } }
}

/** Options as parts, for the loop and for a verification without one. */
export function partsOf(
  options: AgentLoopOptions,
  caps = capsOf(options.hardCap ?? {}, options.drive.description),
): LoopParts {
  const workFolder = folderOf(options.workFolder ?? null)
  const secrets = options.secrets ?? {}
  const checks = checksOf(options, secrets, workFolder)
  const clock = options.clock ?? systemClock
  const store = options.store ?? memoryStore()
  const prompts = options.prompts ?? englishPrompts
  const { approver } = options
  const guarded = { workFolder, verifiers: checks, store, clock, approver }
  const guard = guardOf(options, guarded)
  const probe = powerProbeOf(options, guarded)
  const verifiers = probe === null ? checks : [...checks, probe]
  const ids = options.ids ?? sortableIds(clock)
  const hooks = hooksOf(options)
  const descriptions = verifiers.map(({ description }) => description)
  const tools = options.tools ?? []
  assertChangesCanBeAllowed(options, tools, approver)
  const sandbox = sandboxOf(tools)
  return {
    store,
    clock,
    ids,
    secrets,
    judgement: judgementOf(options, prompts),
    settings: settingsOf(options, [...descriptions, ...hookChecksOf(hooks, descriptions)], guard, caps),
    sandbox,
    hooks,
    workFolder,
    recipe: options.recipe ?? null,
    allowConcurrent: options.allowConcurrent ?? false,
    signal: options.signal ?? new AbortController().signal,
    doors: {
      drive: options.drive,
      tools,
      gate: gateOf(options, { workFolder, tools, guarded: guardedOf(options, checks) }),
      hooks,
      approver: options.approver ?? refuseAll('this loop has no approver'),
      verifiers,
      guard,
      checking: checkingOf(
        options,
        store,
        verifiers.map(({ description }) => description.name),
        faultTrialOf(options, guarded),
      ),
      workspace: options.workspace ?? (workFolder === null ? null : gitOrWalkWorkspace(workFolder)),
      clock,
      ids,
      store,
      prompts,
      ...(options.softVerifiers?.normaliseResult === undefined
        ? {}
        : { normaliseResult: options.softVerifiers.normaliseResult }),
      onText: options.onText ?? (() => undefined),
    },
  }
}

function judgementOf(options: AgentLoopOptions, prompts: Prompts): Judgement {
  return {
    rules: [...hardCaps, refusedCalls(), ...softRulesOf(options.softVerifiers ?? {})],
    policy: policyOf(options),
    prompts,
  }
}

function settingsOf(
  options: AgentLoopOptions,
  verifiers: readonly VerifierDescription[],
  guard: Guard | null,
  caps: Caps,
): RunSettings {
  const descriptions = [...(guard === null ? [] : [guard.description]), ...verifiers]
  const names = descriptions.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`two verifiers are named "${twice}"; give each its own name`)
  assertCostIsKnown(caps, options.drive.description)
  return {
    caps,
    completeWhen: options.completeWhen ?? 'checks',
    verifyWhen: options.verifyWhen ?? 'on-change-or-claim',
    verifyAtCap: options.verifyAtCap ?? true,
    maxModelAttempts: options.maxModelAttempts ?? 4,
    maxRefunds: refundsOf(options.maxRefunds ?? 3),
    reservesLastCheck: true,
    wrapUp: options.wrapUp ?? isWrappedUp(options.drive.description),
    wrapUpTokens: 1024,
    policy: (options.policy ?? deterministicVeto).name || 'custom',
    soft: softSettingsOf(options.softVerifiers ?? {}, caps, options.drive.description),
    verifiers: descriptions,
  }
}

function isWrappedUp({ kind, sideEffects }: DriveDescription): boolean {
  return kind === 'model' || sideEffects
}

function folderOf(folder: string | null): string | null {
  if (folder === null) return null
  try {
    const real = realpathSync(folder)
    if (statSync(real).isDirectory()) return real
  } catch {
    throw new UsageError(`the work folder ${folder} does not exist; create it, or name another`)
  }
  throw new UsageError(`the work folder ${folder} is not a folder`)
}
