/** The three parts of the demo. Each returns whether it ended as expected. */
import { command, commandAgent, createAgentLoop } from 'donecheck'
import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { repair } from './repair.ts'
import { follow, heading, print, showDiff, showEvent, showEvidence } from './show.ts'
import { workingCopy } from './working-copy.ts'

const check = 'node --test'
const timeoutMs = 60_000

function project(name: string): string {
  return fileURLToPath(new URL(`projects/${name}`, import.meta.url))
}

/** Runs an agent that says "done" and does nothing. */
export async function refusedClaim(signal: AbortSignal): Promise<boolean> {
  heading(
    '1. An agent that only talks',
    'A test of a small booking program fails. This agent changes nothing and claims to be done in every turn.',
  )
  const copy = await workingCopy(project('booking'))
  try {
    const claim = 'I fixed the price. All tests pass now, the task is done.'
    const loop = createAgentLoop({
      agent: commandAgent({ command: `echo "${claim}"`, folder: copy.folder, timeoutMs, name: 'a talker' }),
      workFolder: copy.folder,
      hardVerifiers: [command(check, { timeoutMs })],
      hardCap: { iterations: 3 },
      signal,
    })
    const result = await follow(loop.run('Make the tests pass.'), showEvent)
    print('\nThe claims did not count. The check decided, and its output is on record:')
    showEvidence(result.verdicts)
    return result.transition.outcome === 'exhausted'
  } finally {
    await copy.remove()
  }
}

/** Fixes the same project with a search; the tests decide when it is done. */
export async function verifiedRepair(signal: AbortSignal): Promise<boolean> {
  heading(
    '2. A search on the same project',
    'This agent uses no language model. It changes one place of the source in each turn and claims nothing.',
  )
  const copy = await workingCopy(project('booking'))
  try {
    const { result, edit } = await repair({
      folder: copy.folder,
      until: check,
      timeoutMs,
      signal,
      onEvent: showEvent,
    })
    if (edit === undefined) return false
    const [before, after] = await Promise.all(
      [project('booking'), copy.folder].map((folder) => readFile(path.join(folder, edit.file), 'utf8')),
    )
    print('\nWhat was changed:')
    showDiff(edit.file, before ?? '', after ?? '')
    return result.transition.outcome === 'verified'
  } finally {
    await copy.remove()
  }
}

/** Runs the search on a bug that it cannot fix, and compares the source afterwards. */
export async function honestEnd(signal: AbortSignal): Promise<boolean> {
  heading(
    '3. A bug that no single edit fixes',
    'The same agent on another project. The run must not end as a success.',
  )
  const copy = await workingCopy(project('unfixable'))
  try {
    const { result } = await repair({
      folder: copy.folder,
      until: check,
      timeoutMs,
      signal,
      onEvent: showEvent,
    })
    const [before, after] = await Promise.all(
      [project('unfixable'), copy.folder].map((folder) => readFile(path.join(folder, 'src/slug.js'))),
    )
    const isRestored = before !== undefined && after !== undefined && before.equals(after)
    print(isRestored ? '\nThe source is as it was, byte for byte.' : '\nThe source was left changed.')
    return result.transition.outcome === 'exhausted' && isRestored
  } finally {
    await copy.remove()
  }
}
