import { describe, expect, it } from 'vitest'
import { faultTrial } from './fault-trial.ts'
import { change, checkThat, context, memoryTrees, report } from './fixtures/memory-trees.ts'

const files = [
  change('src/sum.ts', null, 'export const sum = 1'),
  change('README.md', null, 'A sum.'),
  change('test/sum.test.ts', null, 'check(sum)'),
]
const { signal } = new AbortController()

describe('given a check that was never seen to fail', () => {
  const tryToFail = (check: Parameters<typeof checkThat>[1], given = files) => {
    const { trees, folders } = memoryTrees(given)
    const trial = faultTrial({ trees, maxMs: 60_000 })
    return { folders, result: trial.tryToFail(checkThat('check', check), 'npm test', context, signal) }
  }

  it.each([
    ['reads a source', 'src/sum.ts', 'every source file made unreadable'],
    ['reads only prose', 'README.md', 'every product file deleted'],
  ])('sees it red if it %s', async (_, path, fault) => {
    const { trees, read, disposed, folders } = memoryTrees(files)
    const whole = new Map(files.map((file) => [file.path, file.after]))
    const check = checkThat('check', ({ workFolder }) =>
      report(read(workFolder ?? '', path) === whole.get(path) ? 'passed' : 'failed'),
    )
    const trial = faultTrial({ trees, maxMs: 60_000 })
    expect(await trial.tryToFail(check, 'npm test', context, signal)).toEqual({ kind: 'red', fault })
    expect(disposed).toEqual(folders())
  })

  it('leaves the tests as they are, so that one that only they can turn red stays green', async () => {
    const { result, folders } = tryToFail(() => report('passed'))
    expect(await result).toEqual({ kind: 'green' })
    expect(folders()).toHaveLength(2)
  })

  it('knows nothing if the check cannot run in the copy', async () => {
    const { result } = tryToFail(() => report('error', 'no database'))
    expect(await result).toEqual({ kind: 'undecided', reason: 'no database' })
  })

  it('has nothing to break without a source', async () => {
    const { result, folders } = tryToFail(() => report('failed'), [change('README.md', null, 'A sum.')])
    expect(await result).toEqual({ kind: 'nothing-to-break' })
    expect(folders()).toEqual([])
  })
})
