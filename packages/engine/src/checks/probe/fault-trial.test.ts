import { describe, expect, it } from 'vitest'
import type { ProbeTrees } from '../../ports/checks.ts'
import { faultTrial } from './fault-trial.ts'
import { change, checkThat, context, memoryTrees, report } from './fixtures/memory-trees.ts'

const files = [
  change('src/sum.ts', null, 'export const sum = 1'),
  change('data.csv', null, '1,2'),
  change('test/sum.test.ts', null, 'check(sum)'),
]
const { signal } = new AbortController()

function trialIn(trees: ProbeTrees) {
  return faultTrial({ trees, maxMs: 60_000 })
}

describe('given a check that is asked to fail', () => {
  it.each([
    ['src/sum.ts', 'every file of the product broken'],
    ['data.csv', 'every file of the product broken'],
    ['test/sum.test.ts', 'every test broken'],
  ])('sees it red where it reads %s', async (path, fault) => {
    const { trees, read, disposed, folders } = memoryTrees(files)
    const whole = new Map(files.map((file) => [file.path, file.after]))
    const check = checkThat('check', ({ workFolder }) =>
      report(read(workFolder ?? '', path) === whole.get(path) ? 'passed' : 'failed'),
    )
    expect(await trialIn(trees).tryToFail(check, context, signal)).toEqual({ kind: 'red', fault })
    expect(disposed).toEqual(folders())
  })

  it('says what was tried where it notices nothing, or cannot be asked', async () => {
    const { trees } = memoryTrees(files)
    const deaf = checkThat('deaf', () => report('passed'))
    expect(await trialIn(trees).tryToFail(deaf, context, signal)).toEqual({
      kind: 'not-red',
      tried: ['every file of the product broken: passed', 'every test broken: passed'],
    })
    const lost = checkThat('lost', () => report('error'))
    expect(await trialIn(trees).tryToFail(lost, context, signal)).toMatchObject({ kind: 'not-red' })
  })

  it('has nothing to break in an empty folder', async () => {
    const { trees, folders } = memoryTrees([])
    const check = checkThat('check', () => report('failed'))
    expect(await trialIn(trees).tryToFail(check, context, signal)).toEqual({ kind: 'not-red', tried: [] })
    expect(folders()).toEqual([])
  })
})
