import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { HostEvent } from '../agents/index.ts'
import { memoryStore, verifier } from '../testing/index.ts'
import { fileExists } from '../verify/index.ts'
import { bash, prompted, removeFolders, riding, stopping } from './fixtures/riding.ts'
import { createRide } from './index.ts'

afterEach(removeFolders)

const other: HostEvent = { kind: 'prompted', prompt: 'now another thing' }

/** A check that begins, and answers when it is told to. */
function gated() {
  const begun = Promise.withResolvers<null>()
  const may = Promise.withResolvers<null>()
  const done = fileExists('done.txt')
  const gate: typeof done = {
    ...done,
    async verify(context, signal) {
      const verdict = await done.verify(context, signal)
      begun.resolve(null)
      await may.promise
      return verdict
    },
  }
  return { gate, begun: begun.promise, goOn: () => may.resolve(null) }
}

describe('given a run that ended as verified', () => {
  it('checks again, and sends back, where the tree has gone red since', async () => {
    const { ride, workFolder, put, claim } = await riding()
    await ride.observe(prompted)
    put('done.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'pass' })
    rmSync(join(workFolder, 'done.txt'))
    expect(await claim()).toMatchObject({ kind: 'send-back' })
    expect(ride.state?.task).toBe('make done.txt')
  })

  it('checks again after further work, also where the tree is the same', async () => {
    const outside = { status: 'passed' as 'passed' | 'failed' }
    const { ride, put, claim } = await riding({
      hardVerifiers: [verifier('database', () => ({ status: outside.status }))],
    })
    await ride.observe(prompted)
    put('a.txt', 'x')
    expect(JSON.stringify(await claim())).toContain('verified')
    outside.status = 'failed'
    expect(await claim()).toMatchObject({ kind: 'pass' })
    await ride.observe({ kind: 'tool-proposed', call: bash('c-1', 'drop table') })
    expect(await claim()).toMatchObject({ kind: 'send-back' })
  })

  it('checks again after further work where there is no tree to look at', async () => {
    let status: 'passed' | 'failed' = 'passed'
    const hardVerifiers = [verifier('outside', () => ({ status }))]
    const ride = await createRide({ agent: 'a test', store: memoryStore(), workFolder: null, hardVerifiers })
    await ride.observe(prompted)
    await ride.observe(stopping())
    expect(ride.end).toMatchObject({ outcome: 'verified' })
    status = 'failed'
    await ride.observe({ kind: 'tool-proposed', call: bash('c-1', 'drop table') })
    expect(await ride.observe(stopping())).toMatchObject({ kind: 'send-back' })
  })
})

describe('given two processes that hear of the same session', () => {
  it('looks again where the tree went red while one waited for the other to have verified it', async () => {
    const { gate, begun, goOn } = gated()
    const { ride, workFolder, put, claim, options } = await riding({
      hardVerifiers: [gate],
      baseline: 'tree',
    })
    await ride.observe(prompted)
    put('done.txt', 'x')
    const first = claim()
    await begun
    const second = (await createRide(options)).observe(stopping())
    rmSync(join(workFolder, 'done.txt'))
    goOn()
    await first
    expect(await second).toMatchObject({ kind: 'send-back' })
  })

  it('keeps a prompt that comes during a verification', async () => {
    const { gate, begun, goOn } = gated()
    const { ride, put, claim, options } = await riding({ hardVerifiers: [gate], baseline: 'tree' })
    await ride.observe(prompted)
    put('done.txt', 'x')
    const first = claim()
    await begun
    const next = await createRide(options)
    const told = next.observe(other)
    goOn()
    expect(await first).toMatchObject({ kind: 'pass' })
    await told
    expect(next.state).toMatchObject({ task: 'now another thing' })
  })

  it('counts one claim that three of them hear as one', async () => {
    const { gate, begun, goOn } = gated()
    const { ride, put, claim, options } = await riding({ hardVerifiers: [gate], baseline: 'tree' })
    await ride.observe(prompted)
    put('half.txt', 'x')
    const first = claim()
    await begun
    const others = [await createRide(options), await createRide(options)]
    const answers = others.map((one) => one.observe(stopping()))
    goOn()
    const said = await Promise.all([first, ...answers])
    expect(said.map(({ kind }) => kind)).toEqual(['send-back', 'send-back', 'send-back'])
    expect(others.map(({ state }) => state?.sendBacks)).toEqual([1, 1])
  })
})
