import { describe, expect, it } from 'vitest'
import { startedRun, read } from '../fixtures/guarded-run.ts'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { askSum, report } from '../fixtures/sum-check.ts'

const matchers =
  "import { expect } from 'vitest'\nexport const install = () => expect.extend({ toBePrice })\n"
const red = report('failed', [{ name: 'adds', file: 'test/sum.test.js' }])
const green = report('passed', [])

describe('given a source that may reach into the checks', () => {
  it('nobody is asked where the check is green without it', async () => {
    const run = await startedRun()
    run.put({ 'matchers.js': matchers, 'sum.js': 'export const sum = (a, b) => a + b\n' })
    const { report: said, room } = await askSum(await run.prepare())
    expect(said.status).toBe('passed')
    expect(existsSync(join(room, 'matchers.js'))).toBe(false)
    expect(read(room, 'sum.js')).toContain('a + b')
  })

  it('the finding is told where it is not, and a person is waited for', async () => {
    const run = await startedRun()
    run.put({ 'matchers.js': matchers })
    const judge = (folder: string) => (existsSync(join(folder, 'matchers.js')) ? green : red)
    const { report: said } = await askSum(await run.prepare('claim'), judge)
    expect(said).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
    expect(said.evidence).toContainEqual(
      expect.objectContaining({ kind: 'finding', rule: 'source.test-library', path: 'matchers.js' }),
    )
    const { report: again } = await askSum(await run.prepare('claim'), judge)
    expect(again).toMatchObject({ status: 'pending' })
  })
})
