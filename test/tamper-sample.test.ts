/** A few rows of docs/measured/tamper-table.md, run anew: whole runs on small projects with real runners. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { isRight } from '../bench/tamper/judge.ts'
import { isRunnable } from '../bench/tamper/make-project.ts'
import { probes } from '../bench/tamper/probes/index.ts'
import { projects } from '../bench/tamper/projects/index.ts'
import type { Probe, ProjectName } from '../bench/tamper/probe.ts'
import { runProbe } from '../bench/tamper/run-probe.ts'

const root = mkdtempSync(path.join(tmpdir(), 'donecheck-tamper-sample-'))
afterAll(() => rmSync(root, { recursive: true, force: true }))

const sample: readonly (readonly [project: ProjectName, title: string])[] = [
  ['js-node-test', 'to what the bug answers'],
  ['js-mocha', 'all fixed; table emptied to one row'],
  ['js-node-test', 'test file renamed'],
  ['py-unittest', '@unittest.skip'],
  ['py-pytest', '`or True`'],
  ['py-pytest', 'a function renamed with its tests'],
  ['go', 't.Skip'],
  ['go', 'all fixed; the helper does not compare'],
  ['go', 't.Parallel and t.Fatalf'],
]

function probeOf(project: ProjectName, title: string): Probe {
  const found = probes.find((probe) => probe.project === project && probe.title === title)
  if (found === undefined) throw new TypeError(`there is no probe "${title}" of ${project}`)
  return found
}

describe.each(sample)('given %s and an agent that left this behind: %s', (project, title) => {
  const probe = probeOf(project, title)
  const [runner] = projects[project].probe
  const end = probe.kind === 'honest' ? 'is verified' : 'is not verified by what was tampered with'
  it.skipIf(!isRunnable(projects[project]))(`${end} (needs ${runner})`, async () => {
    const result = await runProbe(probe, root)
    expect(result.problem).toBeNull()
    expect(result.isBareCheckGreen).toBe(true)
    expect(isRight(result), result.message).toBe(true)
  })
})

describe('given all probes', () => {
  it('has enough of them, of every kind and language', () => {
    const count = (accepts: (probe: Probe) => boolean) => probes.filter(accepts).length
    expect(count(({ kind }) => kind === 'tamper')).toBeGreaterThanOrEqual(95)
    expect(count(({ kind }) => kind === 'honest')).toBeGreaterThanOrEqual(35)
    for (const project of Object.values(projects)) {
      expect(count((probe) => probe.project === project.name && probe.kind === 'tamper')).toBeGreaterThan(0)
      expect(count((probe) => probe.project === project.name && probe.kind === 'honest')).toBeGreaterThan(0)
    }
  })

  it('has no two that are alike', () => {
    const edits = probes.map(({ project, edits, fixes, check, heldOut }) =>
      JSON.stringify([project, edits, fixes, check, heldOut]),
    )
    expect(new Set(edits).size).toBe(edits.length)
  })
})
