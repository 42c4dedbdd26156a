/** `donecheck explain-trees RUN`: which changed file is product, which belongs to the checks, and why. */
import { UsageError } from '@donecheck/engine/base'
import type { RunEvent } from '@donecheck/core/events'
import { snapshotFolderOf } from '@donecheck/engine/compose'
import { explainTrees, type ExplainedFile } from '@donecheck/engine/workspace'
import { oneLine } from '@donecheck/core/base'
import { reportFailure } from '../../process/failure.ts'
import { findRun } from '../../settings/find-run.ts'
import { guardChoices } from '../../wiring/loop/guard-choices.ts'
import type { CliIo } from '../../process/io.ts'
import { withNamedStore } from '../../settings/named-store.ts'
import type { StoreFlags } from '../../options/flags.ts'
import { configFromRecipe } from '../../settings/recipe.ts'
import { settingsWithoutFile } from '../../settings/settings.ts'

export async function explainTreesCommand(wanted: string, flags: StoreFlags, io: CliIo): Promise<number> {
  const { json, ...place } = flags
  try {
    const files = await explainFiles(wanted, place, io)
    io.stdout.write(json === true ? `${JSON.stringify(files)}\n` : textOf(files))
    return 0
  } catch (error) {
    return reportFailure(error, json === true, io)
  }
}

async function explainFiles(wanted: string, flags: StoreFlags, io: CliIo): Promise<readonly ExplainedFile[]> {
  const here = settingsWithoutFile(flags, io)
  return withNamedStore(here.config.store, here.workFolder, io, async (store) => {
    const runId = await findRun(store, wanted)
    const past = await store.read(runId)
    const [first] = past
    if (first?.type !== 'run-started' || first.workFolder === null)
      throw new UsageError(`run ${runId} has no work folder, so there are no trees to explain`)
    const config = configFromRecipe(first.recipe, runId)
    const choices = guardChoices({ config, homeFolder: io.homeFolder, baseline: { kind: 'none' } })
    if (choices === false)
      throw new UsageError(`run ${runId} has no baseline tree: its guard was switched off`)
    const place = { workFolder: first.workFolder, snapshotFolder: snapshotFolderOf({}, store) }
    const trees = { ...choices, ...place, checkCommands: linesOf(past) }
    return explainTrees(trees, runId, new AbortController().signal)
  })
}

/** What the checks of the run have really run. */
function linesOf(past: readonly RunEvent[]): readonly string[] {
  const lines = past.flatMap((event) =>
    event.type === 'verdict-given'
      ? event.verdict.evidence.flatMap((piece) => (piece.kind === 'command' ? [piece.command] : []))
      : [],
  )
  return [...new Set(lines)]
}

function textOf(files: readonly ExplainedFile[]): string {
  if (files.length === 0) return 'nothing differs from the baseline tree\n'
  const width = Math.max(...files.map(({ path }) => path.length))
  const lines = files.map(({ path, side, change, because, allowedBy }) => {
    const leave = allowedBy === undefined ? '' : ` (allowed by ${allowedBy})`
    return `${side.padEnd(7)} ${change.padEnd(7)} ${path.padEnd(Math.min(width, 60))} ${because}${leave}`
  })
  return `${lines.map((line) => oneLine(line.trimEnd(), 400)).join('\n')}\n`
}
