import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { madeRun, scriptedWatcher } from '@donecheck/engine/testing'
import type { Alarm } from './generated/generated-run.ts'
import { groupsOf, isNewestModel, measureRuns, outcomeTable, type MeasureOptions } from './measure.ts'

const ids = ['mini/1', 'mini/3', 'mini/4', 'mini/5']
const stop: Alarm = { level: 'stop', rule: 'loop' }
const detectors = [scriptedWatcher('x', { 1: stop })]

describe('given a folder of recorded runs', () => {
  let folder = ''
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'measured-'))
  })
  afterEach(() => rm(folder, { recursive: true }))

  const measure = async (rest: Partial<MeasureOptions> = {}) => {
    const lines = ids.map((id) => JSON.stringify(madeRun(['a 1 x', 'a 1 x'], { id })))
    await writeFile(join(folder, 'made.jsonl.gz'), gzipSync(lines.join('\n')))
    return measureRuns({ folder, half: 'all', detectors, ...rest })
  }

  it('measures every run of the half that was asked for', async () => {
    expect((await measure({ half: 'tune' })).runs.map(({ id }) => id)).toEqual(['mini/3', 'mini/5'])
    expect((await measure({ half: 'report' })).runs.map(({ id }) => id)).toEqual(['mini/1', 'mini/4'])
    expect((await measure()).runs).toHaveLength(4)
  })

  it('shows every run to every detector', async () => {
    const { runs } = await measure()
    const stops = runs.map(({ replays }) => replays.get('x')?.stop?.callsRun)
    expect(stops).toEqual([2, 2, 2, 2])
  })

  it('says so where there are no recorded runs, and goes on', async () => {
    const { runs, problems } = await measureRuns({ folder, half: 'all', detectors })
    expect(runs).toEqual([])
    expect(problems).toEqual([expect.stringContaining('name their folder with --data')])
  })
  it('tells what came of it: calls saved, and what was ended of the newest models', async () => {
    const { runs } = await measure()
    const table = outcomeTable(groupsOf(runs, 'all'), ['x'])
    expect(table.split('\n').slice(3)).toHaveLength(3)
    expect(isNewestModel('google/gemini-3-pro-preview')).toBe(true)
    expect(isNewestModel('gpt-4')).toBe(false)
  })
})
