import { given, UsageError } from '@donecheck/engine/base'
import type { RunEvent } from '@donecheck/core/events'
import { fold } from '@donecheck/core/state'
import { explainRun, type Explanation } from '@donecheck/engine/report'
import type { Store } from '@donecheck/engine/ports/store'
import type { StoreFlags } from '../../options/flags.ts'
import { paintLines, quoteWord } from '../../output/wrap.ts'
import { knownColumns, type CliIo } from '../../process/io.ts'
import { explanationLines, widestExplanation, labelLines, reasonLines } from '../../reasons/reasons-text.ts'
import { findRun, configFromRecipe } from '../../settings/recipe.ts'
import { withStore } from '../../settings/settings.ts'
import { endLabels, findReason, labelTables } from '../../reasons/own-labels.ts'

export async function explainCommand(
  wanted: string | undefined,
  flags: StoreFlags,
  io: CliIo,
): Promise<number> {
  const isJson = flags.json === true
  if (wanted === undefined) {
    listReasons(isJson, io)
    return 0
  }
  if (explainReason(wanted, isJson, io)) return 0
  return withStore(flags, io, async (store) => {
    const explanation = await explainRecord(wanted, store)
    const lines = () => explanationLines(explanation, knownColumns(io.stdout, widestExplanation))
    io.stdout.write(`${isJson ? JSON.stringify(explanation) : paintLines(lines(), io)}\n`)
    return 0
  })
}

/** @param name what the user typed, repeated in the suggested commands */
export async function explainRecord(name: string, store: Store): Promise<Explanation> {
  const runId = await findRun(store, name)
  const events = await store.read(runId)
  const state = fold(events)
  if (state === undefined) throw new UsageError(`run ${runId} has no beginning`)
  const again = typedAgain(events)
  const isSession = (await store.hostSessions()).some((session) => session.runId === runId)
  return explainRun(state, { name, isSession, ...given({ again }) })
}

/** Suggests a command that runs the same checks. */
function typedAgain([first]: readonly RunEvent[]): string | undefined {
  if (first?.type !== 'run-started') return undefined
  try {
    const { until = [], presets = [] } = configFromRecipe(first.recipe, '')
    const words = [
      ...until.flatMap(({ command }) => ['--until', quoteWord(command)]),
      ...presets.flatMap((preset) => ['--preset', preset]),
    ]
    return ['donecheck verify', ...words].join(' ')
  } catch (error) {
    if (error instanceof UsageError) return undefined
    throw error
  }
}

const widest = 110

/** @returns whether the word is a reason */
function explainReason(word: string, isJson: boolean, io: CliIo): boolean {
  const reason = findReason(word)
  if (reason === undefined) return false
  const lines = () => paintLines(reasonLines(reason, readableWidth(io)), io)
  io.stdout.write(`${isJson ? JSON.stringify({ ...reason, ...reason.end, end: undefined }) : lines()}\n`)
  return true
}

function listReasons(isJson: boolean, io: CliIo): void {
  const lines = () => paintLines(labelLines(readableWidth(io)), io)
  io.stdout.write(`${isJson ? JSON.stringify(allReasonsJson()) : lines()}\n`)
}

function readableWidth(io: CliIo): number {
  return Math.min(knownColumns(io.stdout, 100), widest)
}

function allReasonsJson(): object {
  const [caps, detectors, turns, refusals] = (['cap', 'detector', 'turn', 'refusal'] as const).map((kind) =>
    Object.entries(labelTables[kind]).map(([name, meaning]) => ({ name, meaning })),
  )
  return { ends: endLabels, caps, detectors, turns, refusals }
}
