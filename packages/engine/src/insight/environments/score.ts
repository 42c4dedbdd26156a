/** What a final state is worth: read from checks and from the folder, and never from a text. What is missing is 0, with a reason. */
import { statSync } from 'node:fs'
import { assertKnownKeys, assertText, messageOf, type OptionKeys } from '../../base/index.ts'
import { verifyWork } from '../../loop/compose/index.ts'
import { isWorth, type Environment, type FinalState } from './environment.ts'
import type { ItemResult } from './results.ts'

/** `score` from 0 to 1; `reason` is one sentence; `outcome` is null where there was no run to end. */
export type Score = Pick<ItemResult, 'score' | 'passed' | 'reason' | 'outcome' | 'verdicts'>

export interface ScoreOptions {
  /** As somebody left it. */
  readonly folder: string
  /** Default 1. */
  readonly seed?: number
}

const keys: OptionKeys<ScoreOptions> = { folder: 'needed', seed: true }

/**
 * Scores a folder as it is, without any drive: the checks are asked once. Work on the checks themselves shows only in `evaluate`,
 * which knows the folder before.
 * @throws {UsageError} for options that can never work
 */
export async function score(environment: Environment, options: ScoreOptions): Promise<Score> {
  assertKnownKeys(options, keys, 'score')
  const { folder, seed = 1 } = options
  assertText(folder, 'folder', 'the folder that is to be scored')
  const { checks } = environment
  if (!isFolder(folder)) return nothing(`there is no folder ${folder}`)
  if (checks.length === 0)
    return scoreOf(environment, { folder, seed, outcome: 'unverified', verdicts: [] }, 'no checks')
  const { transition, verdicts } = await verifyWork({ workFolder: folder, hardVerifiers: checks })
  return scoreOf(environment, { folder, seed, outcome: transition.outcome, verdicts }, transition.message)
}

/** @param message how the run ended, for people */
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
