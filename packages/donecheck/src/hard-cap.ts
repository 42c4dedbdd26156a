import { UsageError } from './errors.ts'
import type { Amount, Budget, Caps, DriveDescription } from './events/index.ts'
import { assertKnownKeys, type OptionKeys } from './option-keys.ts'

/** Upper bounds of a run; each is never exceeded. Null switches one off; absent means the default. */
export interface HardCap {
  /**
   * Turns. Default 90, a sub-run 50, as agents that run unattended are known to have them: fewer cut honest work short, and what
   * goes round in circles is ended long before by loop detection.
   */
  readonly iterations?: number | null
  /** Default: none. */
  readonly modelCalls?: number | null
  /** Default: none. */
  readonly toolCalls?: number | null
  /** By name of a tool, such as `{ web_search: 50 }`: one call more is refused, and the run goes on. Default: none. */
  readonly callsPerTool?: Readonly<Record<string, number>>
  /**
   * Input and output together. Default: ten context windows of the model, 100,000 at least. Every turn sends the whole conversation
   * again, so a fixed number would end work on a real repository after a handful of turns; the run says at its start what its
   * budget means in turns. An agent that brings its own tools has none by default: it sends all that it knows with every step.
   */
  readonly tokens?: number | null
  /** Input that does not come from the provider's cache. Default: none. */
  readonly uncachedInputTokens?: number | null
  /** Input that comes from the provider's cache. Default: none. */
  readonly cachedInputTokens?: number | null
  /** Output of all calls together, thoughts included. Default: none. */
  readonly outputTokens?: number | null
  /** Thoughts. Default: none. */
  readonly reasoningTokens?: number | null
  /** Default: none. The price of the model must be known. */
  readonly costUsd?: number | null
  /**
   * Active time. Default 600,000 (ten minutes): as long as people wait before they look; unattended work says more. An agent that
   * brings its own tools has an hour by default: a turn of it is a whole loop.
   */
  readonly wallClockMs?: number | null
  /** Time in model calls, tools and checks; waiting for people and back-off does not count. Default: none. */
  readonly workingMs?: number | null
  /** Times in a row that the drive is sent back without a better score than ever. Default: none. */
  readonly sendBacks?: number | null
}

/** What a resumed run gets on top of the caps that it was started with, such as `{ iterations: 10, tokens: 50_000 }`. */
export type TopUp = Partial<Budget>

const capKeys: OptionKeys<HardCap> = {
  iterations: true,
  modelCalls: true,
  toolCalls: true,
  callsPerTool: true,
  tokens: true,
  uncachedInputTokens: true,
  cachedInputTokens: true,
  outputTokens: true,
  reasoningTokens: true,
  costUsd: true,
  wallClockMs: true,
  workingMs: true,
  sendBacks: true,
}

/** So that a state stays small, and what was said of each tool is remembered. */
const mostTools = 50

const inParts: readonly string[] = ['costUsd', 'wallClockMs', 'workingMs'] satisfies readonly Amount[]

/** What the defaults depend on. */
type DefaultsDrive = Pick<DriveDescription, 'ownsTools' | 'contextWindowTokens'>

const defaultWindows = 10
const fewestDefaultTokens = 100_000

function defaultTokens(contextWindowTokens: number): number {
  return Math.max(fewestDefaultTokens, defaultWindows * contextWindowTokens)
}

/** @throws {UsageError} naming the bound that is not a positive number, or that there is not */
export function capsOf(hardCap: HardCap, drive?: DefaultsDrive): Caps {
  assertKnownKeys(hardCap, capKeys, 'hardCap')
  // An agent sends all that it knows with every step: no number of tokens would fit most tasks.
  const tokens = drive?.ownsTools === true ? null : defaultTokens(drive?.contextWindowTokens ?? 0)
  const wallClockMs = drive?.ownsTools === true ? 3_600_000 : 600_000
  for (const [name, value] of Object.entries(hardCap))
    if (name === 'callsPerTool') assertCounts('hardCap', value)
    else if (value !== null) assertBound(`hardCap.${name}`, value, ' or null', !inParts.includes(name))
  return {
    maxIterations: hardCap.iterations === undefined ? 90 : hardCap.iterations,
    maxModelCalls: hardCap.modelCalls ?? null,
    maxToolCalls: hardCap.toolCalls ?? null,
    maxCallsPerTool: hardCap.callsPerTool ?? {},
    maxTokens: hardCap.tokens === undefined ? tokens : hardCap.tokens,
    maxUncachedInputTokens: hardCap.uncachedInputTokens ?? null,
    maxCachedInputTokens: hardCap.cachedInputTokens ?? null,
    maxTotalOutputTokens: hardCap.outputTokens ?? null,
    maxReasoningTokens: hardCap.reasoningTokens ?? null,
    maxCostUsd: hardCap.costUsd ?? null,
    maxWallClockMs: hardCap.wallClockMs === undefined ? wallClockMs : hardCap.wallClockMs,
    maxWorkingMs: hardCap.workingMs ?? null,
    maxSendBacks: hardCap.sendBacks ?? null,
  }
}

/** @throws {UsageError} naming the amount that is not a positive number */
export function assertTopUp(topUp: TopUp): void {
  assertKnownKeys(topUp, capKeys, 'topUp')
  for (const [name, value] of Object.entries(topUp))
    if (name === 'callsPerTool') assertCounts('topUp', value)
    else assertBound(`topUp.${name}`, value, '', !inParts.includes(name))
}

/** @throws {UsageError} for what is not a whole number of 0 or more */
export function refundsOf(maxRefunds: number): number {
  if (Number.isInteger(maxRefunds) && maxRefunds >= 0) return maxRefunds
  throw new UsageError(`maxRefunds must be a whole number of 0 or more, not ${maxRefunds}`)
}

/** @throws {UsageError} where a cap on cost could not be kept */
export function assertCostIsKnown(caps: Caps, drive: DriveDescription): void {
  if (caps.maxCostUsd !== null && drive.prices === null && drive.reportsCost !== true)
    throw new UsageError(
      `a cost cap of $${caps.maxCostUsd} cannot be kept: the price of ${drive.name} is unknown; add it to the prices, or leave the cost cap out`,
    )
}

function assertCounts(place: string, counts: unknown): void {
  if (counts === undefined) return
  if (typeof counts !== 'object' || counts === null || Array.isArray(counts))
    throw new UsageError(
      `${place}.callsPerTool must be an object such as { web_search: 50 }, not ${JSON.stringify(counts)}`,
    )
  const tools = Object.entries(counts)
  if (tools.length > mostTools)
    throw new UsageError(`${place}.callsPerTool names ${tools.length} tools; it can hold ${mostTools}`)
  for (const [tool, count] of tools) assertBound(`${place}.callsPerTool.${tool}`, count, '', true)
}

function assertBound(name: string, value: unknown, or: string, mustBeWhole: boolean): void {
  if (value === undefined) return
  const isPositive = typeof value === 'number' && value > 0 && Number.isFinite(value)
  if (isPositive && (!mustBeWhole || Number.isInteger(value))) return
  const shown = typeof value === 'number' ? value : JSON.stringify(value)
  throw new UsageError(
    `${name} must be a positive ${mustBeWhole ? 'whole number' : 'number'}${or}, not ${shown}`,
  )
}
