/** A separate file, because comparing trees loads most of the program. */
import { oneLine } from '@donecheck/core/internal/base'
import type { RunEvent } from '@donecheck/core/internal/events'
import { UsageError } from '@donecheck/engine/internal/base'
import { snapshotFolderOf } from '@donecheck/engine/internal/loop/compose'
import { listSidedFiles, type SidedFile } from '@donecheck/engine/internal/checks/workspace'
import type { Store } from '@donecheck/engine/internal/ports/store'
import type { CliIo } from '../../process/io.ts'
import { configFromRecipe } from '../../settings/recipe.ts'
import { print } from '../../output/wrap.ts'
import { withRun } from '../../settings/settings.ts'
import { guardChoices } from '../../wiring/judging/judging-options.ts'
import type { StoreFlags } from '../../options/flags.ts'

export async function changesCommand(wanted: string, flags: StoreFlags, io: CliIo): Promise<number> {
  const files = await withRun(wanted, flags, io, ({ runId }, store) => readSidedFiles(runId, store, io))
  return print(io, flags.json, files, () => formatSides(files))
}

async function readSidedFiles(runId: string, store: Store, io: CliIo): Promise<readonly SidedFile[]> {
  const past = await store.read(runId)
  const [first] = past
  if (first?.type !== 'run-started' || first.workFolder === null)
    throw new UsageError(`Run ${runId} has no work folder, so it changed no files`)
  const config = configFromRecipe(first.recipe, runId)
  const choices = guardChoices(config, io.homeFolder, { kind: 'none' })
  if (choices === false)
    throw new UsageError(`Run ${runId} has no baseline tree because it ran with tamperGuard: false`)
  const place = { workFolder: first.workFolder, snapshotFolder: snapshotFolderOf({}, store) }
  const trees = { ...choices, ...place, checkCommands: listCheckCommands(past) }
  return listSidedFiles(trees, runId, new AbortController().signal)
}

function listCheckCommands(past: readonly RunEvent[]): readonly string[] {
  const lines = past.flatMap((event) =>
    event.type === 'verdict-given'
      ? event.verdict.evidence.flatMap((piece) => (piece.kind === 'command' ? [piece.command] : []))
      : [],
  )
  return [...new Set(lines)]
}

const headings: Readonly<Record<SidedFile['side'], string>> = {
  product: 'Product side',
  check: 'Check side',
  both: 'Both sides',
}

const maxPathWidth = 60

function formatSides(files: readonly SidedFile[]): string {
  if (files.length === 0) return 'Nothing differs from the baseline tree.'
  const width = Math.min(Math.max(...files.map(({ path }) => path.length)), maxPathWidth)
  const groups = (['product', 'check', 'both'] as const).flatMap((side) => {
    const lines = files.filter((file) => file.side === side).map((file) => formatFile(file, width))
    return lines.length === 0 ? [] : [[headings[side], ...lines].join('\n')]
  })
  return groups.join('\n\n')
}

function formatFile({ path, change, because, allowedBy }: SidedFile, width: number): string {
  const permission = allowedBy === undefined ? '' : ` (allowed by ${allowedBy})`
  const reason = because.startsWith(`${path}: `) ? because.slice(path.length + 2) : because
  const cells = [change.padEnd(7), oneLine(path, maxPathWidth).padEnd(width)]
  return `  ${cells.join('  ')}  ${oneLine(`${reason}${permission}`, 400)}`
}
