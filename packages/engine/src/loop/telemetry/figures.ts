/** What is measured of a call, and of a run when it ends. */
import { driveAttributes } from './attributes.ts'
import type { SignalBook } from './signal-book.ts'
import type { Attributes, InstrumentName } from './signals.ts'
import { given } from '../../base/index.ts'
import type { DriveDescription } from '@donecheck/core/settings'
import type { RunState } from '@donecheck/core/state'
import type { TokenUsage } from '@donecheck/core/usage'

interface EndedCall {
  readonly drive: DriveDescription
  readonly usage: TokenUsage | null
  readonly ageMs: number
  readonly error: string | undefined
}

export function measureCall({ drive, usage, ageMs, error }: EndedCall, book: SignalBook): void {
  const who = driveAttributes(drive)
  const attributes = { ...who, ...given({ 'error.type': error }) }
  book.measure('gen_ai.client.operation.duration', ageMs / 1000, attributes)
  if (usage !== null) measureTokens('gen_ai.client.token.usage', usage, who, book)
}

interface EndedRun {
  readonly now: RunState
  /** What a run that is resumed had used up already: that was measured when it ended then, or never ended. */
  readonly before: RunState | undefined
  readonly how: Attributes
  /** What it has used counts as its parent's. */
  readonly isPart: boolean
}

/** @returns attributes for the span of the run */
export function measureEnd({ now, before, how, isPart }: EndedRun, book: SignalBook): Attributes {
  const { consumption: all } = now
  const then = before?.consumption
  const turns = all.iterations - (then?.iterations ?? 0)
  const activeMs = all.activeMs - (then?.activeMs ?? 0)
  const costUsd = all.costUsd === null ? undefined : all.costUsd - (then?.costUsd ?? 0)
  const inputTokens = all.inputTokens - (then?.inputTokens ?? 0)
  const outputTokens = all.outputTokens - (then?.outputTokens ?? 0)
  if (!isPart) {
    book.measure('donecheck.runs', 1, how)
    book.measure('donecheck.run.duration', activeMs / 1000, how)
    book.measure('donecheck.run.turns', turns, how)
    measureTokens('donecheck.run.tokens', { inputTokens, outputTokens }, how, book)
    if (costUsd !== undefined) book.measure('donecheck.run.cost', costUsd, how)
  }
  return {
    'gen_ai.usage.input_tokens': inputTokens,
    'gen_ai.usage.output_tokens': outputTokens,
    'donecheck.turns': turns,
    'donecheck.active_ms': activeMs,
    ...given({ 'donecheck.cost_usd': costUsd }),
  }
}

function measureTokens(
  instrument: InstrumentName,
  { inputTokens, outputTokens }: Pick<TokenUsage, 'inputTokens' | 'outputTokens'>,
  attributes: Attributes,
  book: SignalBook,
): void {
  book.measure(instrument, inputTokens, { ...attributes, 'gen_ai.token.type': 'input' })
  book.measure(instrument, outputTokens, { ...attributes, 'gen_ai.token.type': 'output' })
}
