import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import { verifier } from '@donecheck/engine/testing'
import { fileExists } from '@donecheck/engine/verify'
import { prompted, removeFolders, startSession } from '../fixtures/start-session.ts'

afterEach(removeFolders)

const isAsked = (event: RunEvent) => event.type === 'verification-started' && event.trigger === 'claim'

describe('given a tree that changes while checks are asked', () => {
  it('is not verified by a check that has seen another one', async () => {
    const during = { act: () => undefined as unknown }
    const slow = verifier('slow', () => {
      during.act()
      return { status: 'passed' }
    })
    const { agentSession, workFolder, put, claim } = await startSession({
      ...{ hardVerifiers: [fileExists('done.txt'), slow], maxParallelChecks: 1, baseline: 'tree' },
    })
    await agentSession.observe(prompted)
    put('done.txt', 'x')
    during.act = () => rmSync(join(workFolder, 'done.txt'), { force: true })
    expect(await claim()).toMatchObject({ kind: 'block' })
  })

  it('is verified where a check writes to it each time', async () => {
    const written: { put?: (file: string, content: string) => void } = {}
    const reports = verifier('reports', (times) => {
      written.put?.('report.txt', String(times))
      return { status: 'passed' }
    })
    const { agentSession, put, claim, events } = await startSession({
      hardVerifiers: [reports],
      baseline: 'tree',
    })
    written.put = put
    await agentSession.observe(prompted)
    expect(await claim()).toMatchObject({ kind: 'pass' })
    expect(agentSession.end).toMatchObject({ outcome: 'verified' })
    expect(events.filter(isAsked)).toHaveLength(2)
  })

  it('is asked once where it stays as it is', async () => {
    const { agentSession, put, claim, events } = await startSession({ baseline: 'tree' })
    await agentSession.observe(prompted)
    put('done.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'pass' })
    expect(events.filter(isAsked)).toHaveLength(1)
  })
})
