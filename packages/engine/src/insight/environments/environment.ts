import { statSync } from 'node:fs'
import type { Outcome } from '@donecheck/core/internal/events/transitions'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import {
  assertKnownKeys,
  assertText,
  messageOf,
  optionKeys,
  type OptionKeys,
  UsageError,
} from '../../base/index.ts'
import type { UserVerifier } from '../../checks/verify/index.ts'
import type { ItemResult } from './results.ts'
import { type AgentLoopOptions, verifyWork } from '../../loop/compose/index.ts'
import type { Verifier } from '../../ports/checks.ts'

export interface FinalState {
  /** Absolute in `evaluate`; `score` passes the given folder on. */
  readonly folder: string
  readonly seed: number
  readonly outcome: Outcome
  readonly verdicts: readonly Verdict[]
}

/** 0 to 1; any other value counts as 0, with a reason in the result. */
export type Worth = number | { readonly score: number; readonly reason?: string }

export interface Attempt {
  /** Absolute; created by `setup`. */
  readonly folder: string
  readonly seed: number
}

export type EnvironmentLoop = Omit<
  AgentLoopOptions,
  'agent' | 'workFolder' | 'hardVerifiers' | 'store' | 'signal' | 'allowConcurrent'
>

export interface EnvironmentOptions {
  /** Unique among the evaluated environments. */
  readonly name: string
  /** Change it to discard earlier results, such as after a change of `setup`. Default: empty. */
  readonly version?: string
  /** Fills the new, empty folder. The same seed must give the same folder. */
  readonly setup: (folder: string, seed: number) => void | Promise<void>
  readonly task: string | ((seed: number) => string)
  /** Checks, or functions in any shape of `UserVerifier`. */
  readonly checks?: readonly (Verifier | UserVerifier)[]
  /** Scores the final state. Default: 1 if the checks verified it, else 0. */
  readonly score?: (state: FinalState) => Worth | Promise<Worth>
  /** Score that passes if there are no checks. Default: 1. */
  readonly passScore?: number
  /** Caps, tools and gate of one attempt. */
  readonly loop?: (attempt: Attempt) => EnvironmentLoop
}

export type Environment = EnvironmentOptions & { readonly checks: readonly (Verifier | UserVerifier)[] }

const keys = optionKeys<EnvironmentOptions>()('name! version setup! task! checks score passScore loop')

/** @throws {UsageError} if nothing could be measured in it */
export function defineEnvironment(options: EnvironmentOptions): Environment {
  assertKnownKeys(options, keys, 'defineEnvironment')
  const { name, task, setup, score, checks = [], passScore = 1 } = options
  assertText(name, 'name', 'a name such as "fix-the-cart"')
  const place = `environment "${name}"`
  if (typeof setup !== 'function') throw new UsageError(`${place}: setup is no function`)
  if (typeof task !== 'function') assertText(task, `${place}: task`, 'what is to be done')
  if (checks.length === 0 && score === undefined)
    throw new UsageError(`${place} has neither checks nor a score: give what its end is measured by`)
  if (!isWorth(passScore))
    throw new UsageError(`${place}: passScore must be from 0 to 1, not ${String(passScore)}`)
  return { ...options, checks }
}

export function taskOf({ task }: Environment, seed: number): string {
  return typeof task === 'function' ? task(seed) : task
}

function isWorth(score: unknown): score is number {
  return typeof score === 'number' && score >= 0 && score <= 1
}

/** `score` from 0 to 1; `reason` is one sentence; `outcome` is null if there was no run. */
export type Score = Pick<ItemResult, 'score' | 'passed' | 'reason' | 'outcome' | 'verdicts'>

export interface ScoreOptions {
  readonly folder: string
  /** Default 1. */
  readonly seed?: number
}

const scoreKeys: OptionKeys<ScoreOptions> = { folder: 'needed', seed: true }

/** Scores a folder without an agent: runs the checks once, without a baseline. @throws {UsageError} */
export async function score(environment: Environment, options: ScoreOptions): Promise<Score> {
  assertKnownKeys(options, scoreKeys, 'score')
  const { folder, seed = 1 } = options
  assertText(folder, 'folder', 'the folder that is to be scored')
  const { checks } = environment
  if (!isFolder(folder)) return nothing(`there is no folder ${folder}`)
  if (checks.length === 0)
    return scoreOf(environment, { folder, seed, outcome: 'unverified', verdicts: [] }, 'no checks')
  const { transition, verdicts } = await verifyWork({ workFolder: folder, hardVerifiers: checks })
  return scoreOf(environment, { folder, seed, outcome: transition.outcome, verdicts }, transition.message)
}

/** @param message tells people how the run ended */
export async function scoreOf(environment: Environment, state: FinalState, message: string): Promise<Score> {
  const { folder, outcome } = state
  const verdicts = state.verdicts.map(({ verifier, status }) => ({ verifier, status }))
  if (!isFolder(folder)) return { ...nothing('the work folder is gone'), outcome, verdicts }
  const isVerified = outcome === 'verified'
  const worth = await worthOf(environment, state, message)
  const { checks, passScore = 1 } = environment
  const passed = !worth.isMissing && (checks.length > 0 ? isVerified : worth.score >= passScore)
  return { score: worth.score, passed, reason: worth.reason, outcome, verdicts }
}

export function nothing(reason: string): Score {
  return { score: 0, passed: false, reason, outcome: null, verdicts: [] }
}

async function worthOf({ score: ask }: Environment, state: FinalState, message: string) {
  if (ask === undefined)
    return { score: state.outcome === 'verified' ? 1 : 0, reason: message, isMissing: false }
  try {
    const given: unknown = await ask(state)
    const { score: found, reason = message } =
      typeof given === 'object' && given !== null ? partsOf(given) : { score: given }
    if (isWorth(found)) return { score: found, reason, isMissing: false }
    return missing(`the score is ${String(found)}, which is no number from 0 to 1`)
  } catch (error) {
    return missing(`the score could not be found out: ${messageOf(error)}`)
  }
}

function partsOf(given: object): { readonly score: unknown; readonly reason?: string } {
  const parts = new Map(Object.entries(given))
  const reason: unknown = parts.get('reason')
  return { score: parts.get('score'), ...(typeof reason === 'string' ? { reason } : {}) }
}

function missing(reason: string) {
  return { score: 0, reason, isMissing: true }
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
