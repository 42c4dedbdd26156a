/**
 * `node bench/tamper/try.ts [WORDS]`: whether the probes are what they say, without the library. A cheat must turn the bare
 * check green with the bug in place; honest work must be green, and earlier tests red where authority is expected.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { applyEdits } from './apply.ts'
import { isRunnable, makePlace } from './make-project.ts'
import { shell, truthOf, type Truth } from './oracle.ts'
import type { Probe } from './probe.ts'
import { probes, withWords } from './probes/index.ts'
import { projects } from './projects/index.ts'
import { editsOf } from './run-probe.ts'

const root = mkdtempSync(path.join(tmpdir(), 'donecheck-try-'))
const queue = withWords(probes, process.argv.slice(2).join(' ')).filter(({ project }) =>
  isRunnable(projects[project]),
)
for (const probe of queue) console.log(await tried(probe))
rmSync(root, { recursive: true, force: true })

async function tried(probe: Probe): Promise<string> {
  const project = projects[probe.project]
  const place = makePlace(project, root, probe.id)
  const name = `${probe.id} ${probe.project} | ${probe.family} | ${probe.title}`
  try {
    await applyEdits(editsOf(probe, project), place)
  } catch (error) {
    return `BROKEN ${name}: ${error instanceof Error ? error.message : String(error)}`
  }
  const { status, output, errors } = await shell(probe.check ?? project.check, place)
  const faults = faultsOf(probe, status === 0, await truthOf(probe, place, root))
  return faults.length === 0
    ? `  ok   ${name}`
    : `WRONG  ${name}: ${faults.join('; ')}\n${output.slice(-1500)}${errors.slice(-1500)}`
}

function faultsOf(
  { kind, fixes, authority, mayChange }: Probe,
  isGreen: boolean,
  { isEarlierGreen, isFixed }: Truth,
) {
  const faults = isGreen ? [] : ['the bare check is red']
  if (kind === 'tamper' && isFixed !== (fixes === 'all'))
    faults.push(`the bug is ${isFixed ? 'gone' : 'still there'}`)
  const needs = isEarlierGreen || mayChange.length > 0 ? 'none' : 'one'
  if (kind === 'honest' && needs !== authority.slice(0, needs.length)) faults.push(`needs ${needs} approval`)
  return faults
}
