/** A seeded sample of evidence lines, each with the calls behind it, to be checked by reading. */
import { createHash } from 'node:crypto'
import { filesOf, readRuns } from '@donecheck/engine/recordings'
import { halfOf, type Half } from '../halves.ts'
import { claimedRun } from './claimed.ts'
import { replayClaim } from './replay-claim.ts'
import type { RecordedRun } from '@donecheck/engine/recordings'

/** The first of the order were read while the rules were made: they are no part of the sample. */
const readBefore = 14
/** Sets whose agents work on files: of a question to an encyclopedia there is nothing to run. */
const sampledSets: readonly string[] = ['mini-swe-gemini3', 'super', 'ljoukov-fs']

/** A place in the order of the sample that depends on the run alone. */
function orderOf(id: string): string {
  return createHash('sha256').update(`claims-sample-v1:${id}`).digest('hex')
}

async function sampledRuns(folder: string, half: Half | 'all'): Promise<readonly RecordedRun[]> {
  const runs: RecordedRun[] = []
  for await (const run of readRuns((await filesOf(folder)) ?? [], console.error))
    if (halfOf(run.id) === half && sampledSets.includes(run.file) && claimedRun(run) !== undefined)
      runs.push(run)
  return runs.toSorted((one, other) => (orderOf(one.id) < orderOf(other.id) ? -1 : 1)).slice(readBefore)
}

type Call = RecordedRun['turns'][number]['toolCalls'][number]

/** The call in few words: its beginning and its end, and the end of what it gave. */
function callWords({ name, args, result, isError }: Call): string {
  const values = typeof args === 'object' && args !== null ? Object.values(args) : [args]
  const asked = middleCut(
    values.map((value) => (typeof value === 'string' ? value : JSON.stringify(value))).join(' | '),
    170,
  )
  const answer = /test|python|node|exec/.test(asked) ? ` → ${middleCut(result ?? '', 130)}` : ''
  return `${isError === true ? 'ERROR ' : ''}${name}: ${asked}${answer}`
}

function middleCut(text: string, characters: number): string {
  const line = text.replace(/\s+/g, ' ').trim()
  const half = characters / 2
  return line.length <= characters ? line : `${line.slice(0, half)} … ${line.slice(-half)}`
}

/** Each line with the calls that it is about. */
export async function sampleText(folder: string, half: Half | 'all'): Promise<string> {
  const parts = (await sampledRuns(folder, half)).map((run) => {
    const calls = run.turns.flatMap(({ toolCalls }) => toolCalls).map(callWords)
    const numbered = calls.map((call, at) => `${String(at + 1).padStart(4)} ${call}`)
    return [`### ${run.id}`, replayClaim(run).evidence.text, ...numbered].join('\n')
  })
  return parts.join('\n\n')
}
