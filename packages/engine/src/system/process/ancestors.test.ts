import { existsSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { elsewhere, thisMachine, isTerminal, parseOpenFiles, parseProcessTable } from './ancestors.ts'
import { fc, test } from '@fast-check/vitest'

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

describe('given what ps prints', () => {
  const table = `
    1     0 ??       /sbin/launchd
  501     1 ttys001  -zsh
  640   501 ttys001  node /opt/homebrew/bin/codex  resume --last
  700     2 ?
no process
`
  it('reads each process with its parent, its terminal and its words', () => {
    expect([...parseProcessTable(table).values()]).toEqual([
      { processId: 1, parentId: 0, hasTerminal: false, words: ['/sbin/launchd'] },
      { processId: 501, parentId: 1, hasTerminal: true, words: ['-zsh'] },
      {
        processId: 640,
        parentId: 501,
        hasTerminal: true,
        words: ['node', '/opt/homebrew/bin/codex', 'resume', '--last'],
      },
      { processId: 700, parentId: 2, hasTerminal: false, words: [] },
    ])
  })

  test.prop([fc.string()])('does not fall over any text', (text) => {
    for (const [id, row] of parseProcessTable(text)) expect(row.processId).toBe(id)
  })
})

describe('given what lsof prints', () => {
  it('reads both descriptors, and nothing where one is missing', () => {
    expect(parseOpenFiles('p640\nf0\nn/dev/ttys001\nf1\nn/tmp/log\n')).toEqual(['/dev/ttys001', '/tmp/log'])
    expect(parseOpenFiles('p640\nf0\nn/dev/ttys001\n')).toBeUndefined()
    expect(parseOpenFiles('')).toBeUndefined()
  })
})

describe('given what lies behind a descriptor', () => {
  it.each(['/dev/pts/0', '/dev/ttys001', '/dev/tty1', '/dev/tty', '/dev/console'])(
    '%s is a terminal',
    (path) => {
      expect(isTerminal(path)).toBe(true)
    },
  )

  it.each([
    '/dev/null',
    'pipe:[1]',
    'socket:[2]',
    '/dev/pts/3 (deleted)',
    '/dev/pts/ptmx',
    '/tmp/dev/pts/1',
    '',
  ])('%s is none', (path) => {
    expect(isTerminal(path)).toBe(false)
  })
})
