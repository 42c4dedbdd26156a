import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { isAlive, parseProcessStat, thisHolder } from './processes.ts'

/** A line of the system with the name of a program in it. */
function statOf(name: string, state = 'S'): string {
  const beforeStart = Array.from({ length: 18 }, (_, index) => index + 4)
  return `4711 (${name}) ${state} ${beforeStart.join(' ')} 123456789 30 31 32\n`
}

describe('given what the system says of a process', () => {
  test.prop([fc.oneof(fc.string(), fc.constantFrom(') Z 1 2 (', 'a b', '((', '\n) S', ' 22 '))])(
    'finds its start, whatever the program calls itself',
    (name) => {
      expect(parseProcessStat(statOf(name))).toEqual({
        id: 4711,
        name,
        startTicks: 123456789,
        ended: false,
        parentId: 4,
        groupId: 5,
        sessionId: 6,
      })
    },
  )

  it('knows a process that has ended and waits for its parent', () => {
    for (const state of ['Z', 'X']) expect(parseProcessStat(statOf('node', state))?.ended).toBe(true)
  })

  test.prop([fc.string()])('finds nothing in a text of another shape', (text) => {
    expect(parseProcessStat(text)).toBeUndefined()
    expect(parseProcessStat(`1 (${text}) S 1 2 3`)).toBeUndefined()
  })
})

const me = thisHolder('a test')
const hasProc = existsSync('/proc/self/stat')

describe('given this process', () => {
  it.skipIf(!hasProc)('is not the process that had its id before (needs /proc)', () => {
    expect(isAlive({ ...me, processStart: '1' })).toBe('dead')
  })
})

describe('given another process', () => {
  it('is alive until it is killed', async () => {
    const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => {}, 1000)'])
    const { pid = 0 } = child
    await once(child.stdout, 'data')
    expect(isAlive({ ...me, processId: pid, processStart: null })).toBe('alive')
    child.kill('SIGKILL')
    await once(child, 'exit')
    expect(isAlive({ ...me, processId: pid, processStart: null })).toBe('dead')
  })

  it.skipIf(!hasProc)(
    'is dead when it has ended and its parent has not asked how (needs /proc)',
    async () => {
      // The shell starts a child that ends, then becomes a program that never waits for it.
      const line = 'sh -c "exit 0" & echo $!; exec sleep 60'
      const parent = spawn('sh', ['-c', line], { stdio: ['ignore', 'pipe', 'ignore'] })
      const [printed] = (await once(parent.stdout, 'data')) as [Buffer]
      const zombie = { ...me, processId: Number(printed.toString()), processStart: null }
      await expect.poll(() => isAlive(zombie)).toBe('dead')
      const exit = once(parent, 'exit')
      parent.kill('SIGKILL')
      await exit
    },
  )

  it('is unknown on another host, and where its id is nonsense', () => {
    expect(isAlive({ ...me, host: 'elsewhere' })).toBe('unknown')
    for (const processId of [0, -1, 1.5, Number.NaN]) expect(isAlive({ ...me, processId })).toBe('unknown')
  })
})
