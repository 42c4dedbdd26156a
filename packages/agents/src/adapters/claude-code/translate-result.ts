/** The line with which Claude Code ends a turn: its own view of it. */
import { addUsage, noUsage } from '../../protocol/stream/index.ts'
import { isTrueIn, listIn, numberIn, payloadOf, textIn, type Payload } from '../../protocol/hooks/index.ts'
import { sumOf, usageOf, type ClaudeTokens, type Spent, type Totals } from './spending.ts'

export interface ClaudeResult {
  readonly subtype: string
  readonly isError: boolean
  /** HTTP status of the provider, where it refused. */
  readonly apiStatus: number | undefined
  readonly terminalReason: string | undefined
  readonly text: string | undefined
  readonly errors: readonly string[]
  readonly deniedTools: readonly string[]
  readonly stopReason: string | undefined
  /** Undefined: it does not say. */
  readonly totals: Totals | undefined
}

/** A later result of the same turn: what was told in the background is answered. */
export function laterResult(before: ClaudeResult | undefined, result: ClaudeResult): ClaudeResult {
  const { totals } = result
  if (before?.totals === undefined || totals === undefined) return result
  const { own, since } = before.totals
  return {
    ...result,
    totals: {
      ...totals,
      own: addUsage(own, totals.own),
      since: since === undefined || totals.since === undefined ? undefined : sumOf(since, totals.since),
    },
  }
}

export function resultOf(line: Payload): ClaudeResult {
  return {
    subtype: textIn(line, 'subtype') ?? '',
    isError: isTrueIn(line, 'is_error'),
    apiStatus: numberIn(line, 'api_error_status'),
    terminalReason: textIn(line, 'terminal_reason'),
    text: textIn(line, 'result'),
    errors: Array.isArray(line['errors']) ? line['errors'].filter((error) => typeof error === 'string') : [],
    deniedTools: listIn(line, 'permission_denials').flatMap((denial) => textIn(denial, 'tool_name') ?? []),
    stopReason: textIn(line, 'stop_reason'),
    totals: totalsOf(line),
  }
}

function totalsOf(line: Payload): Totals | undefined {
  const usage = payloadOf(line['usage'])
  if (usage === undefined) return undefined
  const own = usageOf(tokensIn(usage))
  const all = ofModels(line['modelUsage'])
  return {
    own,
    total: { usage: all?.usage ?? own, costUsd: Math.max(0, numberIn(line, 'total_cost_usd') ?? 0) },
    since: ofModels(line['model_usage_since_last_result']),
  }
}

/** Of all models together. Undefined: nothing is told of any. */
function ofModels(reported: unknown): Spent | undefined {
  const models = payloadOf(reported)
  if (models === undefined) return undefined
  const spent = Object.values(models)
    .map(payloadOf)
    .filter((entry) => entry !== undefined)
    .map((entry) => ({
      usage: usageOf(tokensIn(entry, ofClaudeCode)),
      costUsd: Math.max(0, numberIn(entry, 'costUSD') ?? 0),
    }))
  return spent.reduce(sumOf, { usage: noUsage, costUsd: 0 })
}

/** Where the counts stand, in what comes from the provider and in what Claude Code says itself. */
type Names = Readonly<Record<keyof ClaudeTokens, string>>

const ofProvider: Names = {
  fresh: 'input_tokens',
  cacheWritten: 'cache_creation_input_tokens',
  cacheRead: 'cache_read_input_tokens',
  output: 'output_tokens',
}
const ofClaudeCode: Names = {
  fresh: 'inputTokens',
  cacheWritten: 'cacheCreationInputTokens',
  cacheRead: 'cacheReadInputTokens',
  output: 'outputTokens',
}

export function tokensIn(counts: Payload, names = ofProvider): ClaudeTokens {
  const count = (name: string) => Math.max(0, Math.round(numberIn(counts, name) ?? 0))
  return {
    fresh: count(names.fresh),
    cacheWritten: count(names.cacheWritten),
    cacheRead: count(names.cacheRead),
    output: count(names.output),
  }
}
