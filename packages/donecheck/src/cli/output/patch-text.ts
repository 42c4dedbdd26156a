import { given } from '@donecheck/engine/base'
import { describeProblems, unifiedDiffOf, type ChangedFile } from '@donecheck/engine/patch'
import { harmless } from '@donecheck/core/base'
import type { Line } from '@donecheck/engine/report'
import type { CliIo } from '../process/io.ts'
import type { PatchEnd } from '../patch/patch-commit.ts'
import { painter } from './wrap.ts'

export function writePatchText(end: PatchEnd, hasReceiptFile: boolean, io: CliIo): void {
  const paint = painter(io.stderr, io)
  for (const line of linesOf(end)) io.stderr.write(`${paint({ ...line, text: harmless(line.text) })}\n`)
  const hasDiff = end.kind === 'would-change' || (end.kind === 'changed' && !hasReceiptFile)
  if (hasDiff) io.stdout.write(unifiedDiffOf(end.changes))
}

export function patchJson(end: PatchEnd): string {
  return JSON.stringify({ type: 'patch', ...('changes' in end ? jsonOfChanges(end) : end) })
}

function jsonOfChanges({ kind, changes, notes }: Extract<PatchEnd, { changes: unknown }>): object {
  const files = changes.map((change) => ({
    path: change.path,
    change: wordOf(change),
    ...given({ movedFrom: change.movedFrom }),
  }))
  return { kind, files, notes, diff: unifiedDiffOf(changes) }
}

function linesOf(end: PatchEnd): readonly Line[] {
  switch (end.kind) {
    case 'wrong-usage':
      return [{ tone: 'bad', text: `donecheck: ${end.problem}` }]
    case 'refused': {
      const isPatch = end.problems.some(({ kind }) => kind !== 'malformed')
      const problems = describeProblems(end.problems)
      return [{ tone: 'bad', text: isPatch ? `does not apply: ${problems}` : problems }]
    }
    case 'conflict':
      return [{ tone: 'bad', text: `${end.reason}; nothing was written` }]
    case 'failed': {
      const left = end.rolledBack ? 'nothing was written' : 'some files may be changed and others not'
      return [{ tone: 'bad', text: `${end.problem}; ${left}` }]
    }
    case 'would-change':
    case 'changed':
      return [...end.notes.map((text): Line => ({ tone: 'warning', text })), ...changeLines(end)]
  }
}

function changeLines({ kind, changes }: Extract<PatchEnd, { changes: unknown }>): readonly Line[] {
  if (changes.length === 0) return [{ tone: 'plain', text: 'nothing changes' }]
  if (kind === 'would-change') return []
  return changes.map((change) => ({ tone: 'good', text: `${wordOf(change)} ${change.path}` }))
}

function wordOf({ before, after }: ChangedFile): 'added' | 'deleted' | 'updated' {
  if (before === null) return 'added'
  return after === null ? 'deleted' : 'updated'
}
