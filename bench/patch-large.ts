import { parsePatch, planPatch, type PatchFiles } from '@donecheck/engine/internal/analysis/patch'
import type { BenchOptions } from './gate-figures.ts'
import { source, textOf, update } from './patch-cases.ts'
import { median, rounded, timed, type Table } from './table.ts'

/** Each patch is a little longer. */
const characters = 1024 * 1024

interface LargePatch {
  readonly patch: string
  readonly files: Readonly<Record<string, string>>
}

/** A patch of a megabyte: read, and planned over files in memory. */
export async function patchLargeTable({ full }: BenchOptions): Promise<Table> {
  const shapes: Readonly<Record<string, LargePatch>> = {
    'one long file, a chunk every 20 lines': updates(1, 60_000),
    'many files of 400 lines': updates(150, 400),
    'one file that is created': creation(),
    'unlike lines: one chunk': oneChunk(),
  }
  const rows: Table['rows'][number][] = []
  for (const [name, large] of Object.entries(shapes)) rows.push(await rowOf(name, large, full ? 25 : 7))
  return { title: 'a patch of 1 MB, read, planned without a disk', rows }
}

async function rowOf(name: string, { patch, files }: LargePatch, rounds: number) {
  const ms: { parse: number[]; plan: number[] } = { parse: [], plan: [] }
  for (let round = 0; round < rounds; round += 1) {
    ms.parse.push(await timed(() => parsePatch(patch)))
    ms.plan.push(await timed(() => planned(patch, files)))
  }
  return {
    name,
    MB: rounded(patch.length / characters, 2),
    'parse ms': rounded(median(ms.parse), 1),
    'strict plan ms': rounded(median(ms.plan), 1),
    aim: 'parse < 100',
  }
}

/** @throws {Error} where it does not apply */
async function planned(patch: string, files: LargePatch['files']): Promise<void> {
  const plan = await planPatch(patch, inMemory(files))
  if (plan.kind === 'refused') throw new Error(plan.problems[0]?.message)
}

function inMemory(files: LargePatch['files']): PatchFiles {
  const bytes = new Map(Object.entries(files).map(([path, text]) => [path, new TextEncoder().encode(text)]))
  return {
    look: (path) => {
      const found = bytes.get(path)
      return Promise.resolve(
        found === undefined
          ? { kind: 'missing', path }
          : { kind: 'file', path, image: { bytes: found, mode: 0o644 } },
      )
    },
  }
}

/** As many files as it takes. */
function updates(fileCount: number, lineCount: number): LargePatch {
  const files: Record<string, string> = {}
  const hunks: string[] = []
  let length = 0
  for (let number = 0; number < fileCount && length < characters; number += 1) {
    const lines = source(number, lineCount)
    const path = `src/file-${number}.ts`
    files[path] = textOf(lines)
    const places = Array.from({ length: Math.floor(lineCount / 20) }, (_, index) => index * 20 + 10)
    const hunk = update(path, lines, places)
    length += hunk.reduce((sum, line) => sum + line.length + 1, 0)
    hunks.push(...hunk)
  }
  return { files, patch: framed(hunks) }
}

function creation(): LargePatch {
  const lines = source(1, 32_000).map((line) => `+${line}`)
  return { files: {}, patch: framed(['*** Add File: src/created.ts', ...lines]) }
}

function oneChunk(): LargePatch {
  const lines = source(1, 16_000)
  const changed = lines.flatMap((line) => [`-${line}`, `+${line} // mended`])
  return {
    files: { 'src/file.ts': textOf(lines) },
    patch: framed(['*** Update File: src/file.ts', '@@', ...changed]),
  }
}

function framed(hunks: readonly string[]): string {
  return textOf(['*** Begin Patch', ...hunks, '*** End Patch'])
}
