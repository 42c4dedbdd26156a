import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { HostEvent } from '../../protocol/host/index.ts'
import { memoryStore, verifier } from '@donecheck/engine/testing'
import { fileExists } from '@donecheck/engine/verify'
import { bash, prompted, removeFolders, startSession, stopping } from '../fixtures/start-session.ts'
import { createHostedSession } from '../index.ts'

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
  it('checks again, and blocks the stop, where the tree has gone red since', async () => {
    const { hostedSession, workFolder, put, claim } = await startSession()
    await hostedSession.observe(prompted)
    put('done.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'pass' })
    rmSync(join(workFolder, 'done.txt'))
    expect(await claim()).toMatchObject({ kind: 'block' })
    expect(hostedSession.state?.task).toBe('make done.txt')
  })

  it('checks again after further work, also where the tree is the same', async () => {
    const outside = { status: 'passed' as 'passed' | 'failed' }
    const { hostedSession, put, claim } = await startSession({
      hardVerifiers: [verifier('database', () => ({ status: outside.status }))],
    })
    await hostedSession.observe(prompted)
    put('a.txt', 'x')
    expect(JSON.stringify(await claim())).toContain('verified')
    outside.status = 'failed'
    expect(await claim()).toMatchObject({ kind: 'pass' })
    await hostedSession.observe({ kind: 'tool-proposed', call: bash('c-1', 'drop table') })
    expect(await claim()).toMatchObject({ kind: 'block' })
  })

  it('checks again after further work where there is no tree to look at', async () => {
    let status: 'passed' | 'failed' = 'passed'
    const hardVerifiers = [verifier('outside', () => ({ status }))]
    const hostedSession = await createHostedSession({
      agent: 'a test',
      store: memoryStore(),
      workFolder: null,
      hardVerifiers,
    })
    await hostedSession.observe(prompted)
    await hostedSession.observe(stopping())
    expect(hostedSession.end).toMatchObject({ outcome: 'verified' })
    status = 'failed'
    await hostedSession.observe({ kind: 'tool-proposed', call: bash('c-1', 'drop table') })
    expect(await hostedSession.observe(stopping())).toMatchObject({ kind: 'block' })
  })
})

describe('given two processes that hear of the same session', () => {
  it('looks again where the tree went red while one waited for the other to have verified it', async () => {
    const { gate, begun, goOn } = gated()
    const { hostedSession, workFolder, put, claim, options } = await startSession({
      hardVerifiers: [gate],
      baseline: 'tree',
    })
    await hostedSession.observe(prompted)
    put('done.txt', 'x')
    const first = claim()
    await begun
    const second = (await createHostedSession(options)).observe(stopping())
    rmSync(join(workFolder, 'done.txt'))
    goOn()
    await first
    expect(await second).toMatchObject({ kind: 'block' })
  })

  it('keeps a prompt that comes during a verification', async () => {
    const { gate, begun, goOn } = gated()
    const { hostedSession, put, claim, options } = await startSession({
      hardVerifiers: [gate],
      baseline: 'tree',
    })
    await hostedSession.observe(prompted)
    put('done.txt', 'x')
    const first = claim()
    await begun
    const next = await createHostedSession(options)
    const reported = next.observe(other)
    goOn()
    expect(await first).toMatchObject({ kind: 'pass' })
    await reported
    expect(next.state).toMatchObject({ task: 'now another thing' })
  })

  it('counts one claim that three of them hear as one', async () => {
    const { gate, begun, goOn } = gated()
    const { hostedSession, put, claim, options } = await startSession({
      hardVerifiers: [gate],
      baseline: 'tree',
    })
    await hostedSession.observe(prompted)
    put('half.txt', 'x')
    const first = claim()
    await begun
    const others = [await createHostedSession(options), await createHostedSession(options)]
    const answers = others.map((one) => one.observe(stopping()))
    goOn()
    const said = await Promise.all([first, ...answers])
    expect(said.map(({ kind }) => kind)).toEqual(['block', 'block', 'block'])
    expect(others.map(({ state }) => state?.blockedStops)).toEqual([1, 1])
  })
})
