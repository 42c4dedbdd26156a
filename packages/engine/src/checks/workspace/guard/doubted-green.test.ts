import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { startedRun } from '../fixtures/guarded-run.ts'
import { askSum, report } from '../fixtures/sum-check.ts'

const passed = { ...report('passed', []), evidence: [] }
const failed = { ...report('failed', []), evidence: [] }
const testFile = 'test/sum.test.js'

describe('given a check whose own run writes over files of the checks', () => {
  const rewrite = (folder: string) => {
    writeFileSync(join(folder, testFile), '// no test any more\n')
    return passed
  }

  it('does not believe it', async () => {
    const run = await startedRun({ checkIn: 'clean-room' })
    run.put({ 'sum.js': 'export const sum = () => 3\n' })
    const { report: answer } = await askSum(await run.prepare('claim'), rewrite)
    expect(answer).toMatchObject({ status: 'failed', qualifiers: ['tampered'] })
    expect(answer.reason).toContain(testFile)
  })

  it('believes it where the run did so before the first turn as well', async () => {
    const run = await startedRun({ checkIn: 'clean-room' })
    await askSum(await run.prepare('baseline'), rewrite)
    run.put({ 'sum.js': 'export const sum = () => 3\n' })
    expect((await askSum(await run.prepare('claim'), rewrite)).report.status).toBe('passed')
  })

  it('does not mind a file that is written with what it held', async () => {
    const run = await startedRun({ checkIn: 'clean-room' })
    const { report: answer } = await askSum(await run.prepare('claim'), (folder) => {
      writeFileSync(
        join(folder, 'package.json'),
        '{ "type": "module", "scripts": { "test": "node --test" } }\n',
      )
      return passed
    })
    expect(answer.status).toBe('passed')
  })
})

describe('given a check without tests that was red before the first turn', () => {
  const wasRed = { wasRed: true }

  it('asks about it where it is green with every change taken back', async () => {
    const run = await startedRun({ checkIn: 'clean-room' })
    run.put({ 'answer.js': '' })
    const first = await askSum(await run.prepare('claim'), () => passed, wasRed)
    expect(first.report).toMatchObject({ status: 'failed' })
    expect(first.report.reason).toContain('--trust-check "npm test"')
    const again = await askSum(await run.prepare('claim'), () => passed, wasRed)
    expect(again.report.status).toBe('pending')
  })

  it('believes it where only the changes make it green', async () => {
    const run = await startedRun({ checkIn: 'clean-room' })
    run.put({ 'answer.js': '' })
    const needsAnswer = (folder: string) => (existsSync(join(folder, 'answer.js')) ? passed : failed)
    const { report: answer, folders } = await askSum(await run.prepare('claim'), needsAnswer, wasRed)
    expect(answer.status).toBe('passed')
    expect(folders).toHaveLength(2)
  })
})
