import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { elsewhere, thisMachine } from './ancestors.ts'

const isWindows = process.platform === 'win32'
const hasPs = ['/bin/ps', '/usr/bin/ps'].some((path) => existsSync(path))

describe.skipIf(isWindows)('given this very process (not on Windows)', () => {
  it('finds who has started it, up to the first of all', () => {
    const chain = thisMachine.ancestors() ?? []
    expect(chain[0]?.processId).toBe(process.ppid)
    expect(chain[0]?.words.join(' ')).toMatch(/node|vitest/)
    expect(new Set(chain.map(({ processId }) => processId)).size).toBe(chain.length)
  })

  it.skipIf(!hasPs)('finds the same by the programs of the system (where there is ps)', () => {
    const ids = (view: typeof thisMachine) => view.ancestors()?.map(({ processId }) => processId)
    expect(ids(elsewhere())).toEqual(ids(thisMachine))
  })
})

describe('given a process that is not there', () => {
  it('knows nothing of its terminal', () => {
    for (const view of [thisMachine, elsewhere()]) expect(view.usesTerminal(2 ** 30)).toBeUndefined()
  })
})
