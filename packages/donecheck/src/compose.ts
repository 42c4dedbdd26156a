/** The only place that chooses parts: options in, a loop out. */
import { realpathSync, statSync } from 'node:fs'
import {
  deterministicVeto,
  englishPrompts,
  hardCaps,
  refusedCalls,
  type Judgement,
  type Prompts,
  type Rule,
} from './core/index.ts'
import { checkingOf, policyOf, type CheckingOptions } from './checking-options.ts'
import { guardOf, powerProbeOf, type GuardingOptions, type ProbingOptions } from './guarding.ts'
import { AgentRun, type LoopParts } from './agent-run.ts'
import { UsageError } from './errors.ts'
import {
  maskText,
  type CompleteWhen,
  type JsonValue,
  type RunSettings,
  type SecretValues,
  type VerifyWhen,
} from './events/index.ts'
import { gateByApproval } from './gate/index.ts'
import { refuseAll } from './approve/index.ts'
import { capsOf, type HardCap } from './hard-cap.ts'
import type { Approver, Clock, Drive, Gate, Guard, Ids, Store, Tool, Verifier, Workspace } from './ports.ts'
import { sortableIds, systemClock } from './run/index.ts'
import { memoryStore } from './store/index.ts'
import { verifierOf, type UserVerifier } from './verify/index.ts'
import { gitOrWalkWorkspace } from './workspace/index.ts'

export interface AgentLoopOptions extends CheckingOptions, GuardingOptions, ProbingOptions {
  /** What proposes the next step. */
  readonly drive: Drive
  /** Where the work is done. Null or absent: there is no folder, and only answers can be checked. */
  readonly workFolder?: string | null
  /** What decides that the run is done. Functions are taken in every shape of `UserVerifier`. */
  readonly hardVerifiers?: readonly (Verifier | UserVerifier)[]
  /** Rules that may end the run as not verified. */
  readonly softVerifiers?: readonly Rule[]
  readonly hardCap?: HardCap
  readonly completeWhen?: CompleteWhen
  readonly verifyWhen?: VerifyWhen
  /** One last check before a cap ends the run. Default true. */
  readonly verifyAtCap?: boolean
  /** Tools that the drive may call. External agents bring their own. */
  readonly tools?: readonly Tool[]
  /** Default: reads are allowed, everything else is asked for. */
  readonly gate?: Gate
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
  readonly onText?: (piece: string) => void
  /** Recorded with the run, for whoever resumes it. */
  readonly recipe?: JsonValue
  readonly workspace?: Workspace
  readonly clock?: Clock
  readonly ids?: Ids
}

export interface AgentLoop {
  /** Starts a run: await it for its result, or iterate over it for its events. */
  run(task: string): AgentRun
  /**
   * Goes on with a run of the same store that was interrupted, blocked, or whose process died. Caps, checks and all other
   * settings are those that it was started with; the drive's prices and limits are those of the drive that is here now.
   */
  resume(runId: string): AgentRun
}

/**
 * A loop that asks after every turn whether the goal is reached, and does not take the drive's word for it.
 * @throws {UsageError} for options that contradict each other or can never work
 */
export function createAgentLoop(options: AgentLoopOptions): AgentLoop {
  const parts = partsOf(options)
  return {
    run: (task) => new AgentRun(parts, { kind: 'new', task }),
    resume: (runId) => new AgentRun(parts, { kind: 'resume', runId }),
  }
}

/** Options as parts, for the loop and for a verification without one. */
export function partsOf(options: AgentLoopOptions): LoopParts {
  const workFolder = folderOf(options.workFolder ?? null)
  const secrets = options.secrets ?? {}
  const shadows = options.policy?.shadows ?? []
  const checks = (options.hardVerifiers ?? [])
    .map(asVerifier)
    .map((verifier) => named(verifier, secrets, shadows))
  const clock = options.clock ?? systemClock
  const store = options.store ?? memoryStore()
  const prompts = options.prompts ?? englishPrompts
  const { approver } = options
  const guarded = { workFolder, verifiers: checks, store, clock, approver }
  const guard = guardOf(options, guarded)
  const probe = powerProbeOf(options, guarded)
  const verifiers = probe === null ? checks : [...checks, probe]
  return {
    store,
    clock,
    ids: options.ids ?? sortableIds(clock),
    secrets,
    judgement: judgementOf(options, prompts),
    settings: settingsOf(options, verifiers, guard),
    workFolder,
    recipe: options.recipe ?? null,
    allowConcurrent: options.allowConcurrent ?? false,
    signal: options.signal ?? new AbortController().signal,
    doors: {
      drive: options.drive,
      tools: options.tools ?? [],
      gate: options.gate ?? gateByApproval('writes'),
      approver: options.approver ?? refuseAll('this loop has no approver'),
      verifiers,
      guard,
      checking: checkingOf(
        options,
        store,
        verifiers.map(({ description }) => description.name),
      ),
      workspace: options.workspace ?? (workFolder === null ? null : gitOrWalkWorkspace(workFolder)),
      clock,
      prompts,
      onText: options.onText ?? (() => undefined),
    },
  }
}

function judgementOf(options: AgentLoopOptions, prompts: Prompts): Judgement {
  return {
    rules: [...hardCaps, refusedCalls(), ...(options.softVerifiers ?? [])],
    policy: policyOf(options),
    prompts,
  }
}

function settingsOf(
  options: AgentLoopOptions,
  verifiers: readonly Verifier[],
  guard: Guard | null,
): RunSettings {
  const descriptions = [...(guard === null ? [] : [guard]), ...verifiers].map(
    ({ description }) => description,
  )
  const names = descriptions.map(({ name }) => name)
  const twice = names.find((name, index) => names.indexOf(name) !== index)
  if (twice !== undefined) throw new UsageError(`two verifiers are named "${twice}"; give each its own name`)
  const caps = capsOf(options.hardCap ?? {})
  if (caps.maxCostUsd !== null && options.drive.description.prices === null) {
    throw new UsageError(
      `a cost cap of $${caps.maxCostUsd} cannot be kept: the price of ${options.drive.description.name} is unknown; add it to the prices, or leave the cost cap out`,
    )
  }
  return {
    caps,
    completeWhen: options.completeWhen ?? 'checks',
    verifyWhen: options.verifyWhen ?? 'on-change-or-claim',
    verifyAtCap: options.verifyAtCap ?? true,
    maxModelAttempts: options.maxModelAttempts ?? 4,
    policy: (options.policy ?? deterministicVeto).name || 'custom',
    verifiers: descriptions,
  }
}

function asVerifier(given: Verifier | UserVerifier, index: number): Verifier {
  if (typeof given !== 'function') return given
  return verifierOf(given.name === '' ? `verifier-${index + 1}` : given.name, given)
}

/** The name is recorded, and the record must find the verifier again: it is masked before anything knows it. */
function named(verifier: Verifier, secrets: SecretValues, shadows: readonly string[]): Verifier {
  const { description, retry, exclusive, looksAt } = verifier
  const name = maskText(description.name, secrets)
  const required = description.required && !shadows.includes(description.name)
  return {
    description: { ...description, name, required },
    ...(verifier.ready === undefined
      ? {}
      : { ready: (context) => verifier.ready?.(context) ?? Promise.resolve() }),
    ...(retry === undefined ? {} : { retry }),
    ...(exclusive === undefined ? {} : { exclusive }),
    ...(looksAt === undefined ? {} : { looksAt }),
    // What it depends on may become known only when it has looked.
    get inputs() {
      return verifier.inputs
    },
    verify: (context, signal) => verifier.verify(context, signal),
  }
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
