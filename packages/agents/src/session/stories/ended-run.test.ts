import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { HostEvent } from '../../protocol/host/index.ts'
import { memoryStore, verifier } from '@donecheck/engine/testing'
import { fileExists } from '@donecheck/engine/verify'
import { bash, prompted, removeFolders, startSession, stopping } from '../fixtures/start-session.ts'
import { createAgentSession } from '../index.ts'

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
    const { agentSession, workFolder, put, claim } = await startSession()
    await agentSession.observe(prompted)
    put('done.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'pass' })
    rmSync(join(workFolder, 'done.txt'))
    expect(await claim()).toMatchObject({ kind: 'block' })
    expect(agentSession.state?.task).toBe('make done.txt')
  })

  it('checks again after further work, also where the tree is the same', async () => {
    const outside = { status: 'passed' as 'passed' | 'failed' }
    const { agentSession, put, claim } = await startSession({
      hardVerifiers: [verifier('database', () => ({ status: outside.status }))],
    })
    await agentSession.observe(prompted)
    put('a.txt', 'x')
    expect(JSON.stringify(await claim())).toContain('verified')
    outside.status = 'failed'
    expect(await claim()).toMatchObject({ kind: 'pass' })
    await agentSession.observe({ kind: 'tool-proposed', call: bash('c-1', 'drop table') })
    expect(await claim()).toMatchObject({ kind: 'block' })
  })

  it('checks again after further work where there is no tree to look at', async () => {
    let status: 'passed' | 'failed' = 'passed'
    const hardVerifiers = [verifier('outside', () => ({ status }))]
    const agentSession = await createAgentSession({
      agent: 'a test',
      store: memoryStore(),
      workFolder: null,
      hardVerifiers,
    })
    await agentSession.observe(prompted)
    await agentSession.observe(stopping())
    expect(agentSession.end).toMatchObject({ outcome: 'verified' })
    status = 'failed'
    await agentSession.observe({ kind: 'tool-proposed', call: bash('c-1', 'drop table') })
    expect(await agentSession.observe(stopping())).toMatchObject({ kind: 'block' })
  })
})

describe('given two processes that hear of the same session', () => {
  it('looks again where the tree went red while one waited for the other to have verified it', async () => {
    const { gate, begun, goOn } = gated()
    const { agentSession, workFolder, put, claim, options } = await startSession({
      hardVerifiers: [gate],
      baseline: 'tree',
    })
    await agentSession.observe(prompted)
    put('done.txt', 'x')
    const first = claim()
    await begun
    const second = (await createAgentSession(options)).observe(stopping())
    rmSync(join(workFolder, 'done.txt'))
    goOn()
    await first
    expect(await second).toMatchObject({ kind: 'block' })
  })

  it('keeps a prompt that comes during a verification', async () => {
    const { gate, begun, goOn } = gated()
    const { agentSession, put, claim, options } = await startSession({
      hardVerifiers: [gate],
      baseline: 'tree',
    })
    await agentSession.observe(prompted)
    put('done.txt', 'x')
    const first = claim()
    await begun
    const next = await createAgentSession(options)
    const reported = next.observe(other)
    goOn()
    expect(await first).toMatchObject({ kind: 'pass' })
    await reported
    expect(next.state).toMatchObject({ task: 'now another thing' })
  })

  it('counts one claim that three of them hear as one', async () => {
    const { gate, begun, goOn } = gated()
    const { agentSession, put, claim, options } = await startSession({
      hardVerifiers: [gate],
      baseline: 'tree',
    })
    await agentSession.observe(prompted)
    put('half.txt', 'x')
    const first = claim()
    await begun
    const others = [await createAgentSession(options), await createAgentSession(options)]
    const answers = others.map((one) => one.observe(stopping()))
    goOn()
    const said = await Promise.all([first, ...answers])
    expect(said.map(({ kind }) => kind)).toEqual(['block', 'block', 'block'])
    expect(others.map(({ state }) => state?.blockedStops)).toEqual([1, 1])
  })
})
