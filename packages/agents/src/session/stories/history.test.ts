import { afterEach, expect, it } from 'vitest'
import type { RunEvent } from '@donecheck/core/internal/events'
import { verifierOf } from '@donecheck/engine/verify'
import { createAgentSession } from '../index.ts'
import { bash, prompted, removeFolders, startSession, stopping } from '../fixtures/start-session.ts'

afterEach(removeFolders)

it('a check at the claim is told all that happened, also what other processes have recorded', async () => {
  const told: (readonly RunEvent[])[] = []
  const listening = verifierOf('listening', ({ events = () => [] }) => {
    told.push(events())
    return told.length > 1
  })
  const { agentSession, options, events } = await startSession({ hardVerifiers: [listening] })
  await agentSession.observe(prompted)
  told.length = 0
  const call = bash('c-1', 'touch done.txt')
  await agentSession.observe({ kind: 'tool-proposed', call })
  await agentSession.observe({ kind: 'tool-finished', call, result: { status: 'ok', output: 'made' } })
  const elsewhere = await createAgentSession(options)
  expect(await elsewhere.observe(stopping())).toMatchObject({ kind: 'block' })
  const third = await createAgentSession(options)
  expect(await third.observe(stopping())).toMatchObject({ kind: 'pass' })
  const [first = [], second = []] = told
  expect(first.map(({ type }) => type)).toEqual(
    expect.arrayContaining(['run-started', 'goal-set', 'tool-returned']),
  )
  expect(second.filter(({ type }) => type === 'verdict-given')).not.toEqual([])
  expect(second).toEqual(events.slice(0, second.length))
})
