/** Searches in a copy of your own project. Only an edit that makes the check pass is applied to the project. */
import { command, exitCodeOf } from 'donecheck'
import { readFile, realpath, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { applyCandidate, type Candidate } from './mutations/index.ts'
import { repair } from './repair.ts'
import { heading, print, showDiff, showEvent } from './show.ts'
import { workingCopy } from './working-copy.ts'

export interface OwnProject {
  readonly folder: string
  readonly until: string
  readonly inPlace: boolean
  readonly maxTries: number
  readonly timeoutMs: number
}

/** @returns the exit code */
export async function repairOwnProject(options: OwnProject, signal: AbortSignal): Promise<number> {
  const folder = await realpath(options.folder)
  const copy = await workingCopy(folder)
  try {
    heading(`A search for a one-place repair of ${folder}`, `It works in a copy: ${copy.folder}`)
    const repaired = await repair({ ...options, folder: copy.folder, signal, onEvent: showEvent })
    if (repaired.isGreenAlready) {
      print('\nThe check already passes: there is nothing to repair.')
      return exitCodeOf.unverified
    }
    const { result, edit } = repaired
    if (edit === undefined) {
      print('\nNo edit made the check pass. Your folder is as it was.')
      return exitCodeOf[result.transition.outcome]
    }
    if (!options.inPlace) return await showOnly(edit, folder)
    const mended = await readFile(path.join(copy.folder, edit.file), 'utf8')
    return await applyThere({ file: edit.file, mended, edit }, folder, options, signal)
  } finally {
    await copy.remove()
  }
}

async function showOnly(edit: Candidate, folder: string): Promise<number> {
  const before = await readFile(path.join(folder, edit.file), 'utf8')
  print('\nThis edit makes the check pass (your folder is as it was; --in-place applies it):')
  showDiff(edit.file, before, applyCandidate(before, edit))
  return exitCodeOf.verified
}

interface Mended {
  readonly file: string
  readonly edit: Candidate
  /** The whole source that passed in the copy. */
  readonly mended: string
}

/** Applies the edit to the project, runs the check there, and undoes the edit if the check fails. */
async function applyThere(
  { file, edit, mended }: Mended,
  folder: string,
  { until, timeoutMs }: OwnProject,
  signal: AbortSignal,
): Promise<number> {
  const place = path.join(folder, file)
  const before = await readFile(place)
  const text = before.toString('utf8')
  if (!text.startsWith(edit.before, edit.offset) || applyCandidate(text, edit) !== mended) {
    print(`\n${file} changed during the search, so nothing was applied.`)
    return exitCodeOf.blocked
  }
  await writeFile(place, mended)
  const context = {
    runId: '',
    workFolder: folder,
    task: '',
    finalText: '',
    turn: 0,
    fingerprint: undefined,
    baseline: undefined,
  }
  const verdict = await command(until, { timeoutMs }).verify({ ...context, trigger: 'change' }, signal)
  if (verdict.status !== 'passed') {
    await writeFile(place, before)
    print(`\nThe edit passed in the copy, but not in your folder, so it was taken back: ${verdict.reason}`)
    return exitCodeOf.failed
  }
  print(`\nApplied to your folder, and checked there again: ${verdict.reason}`)
  showDiff(file, text, mended)
  return exitCodeOf.verified
}
