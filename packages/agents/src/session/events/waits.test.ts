/** Ends of turns that are no claim. */
import { afterEach, describe, expect, it } from 'vitest'
import { prompted, removeFolders, startSession, stopping } from '../fixtures/start-session.ts'
import { createAgentSession } from '../index.ts'

afterEach(removeFolders)

describe('given an end of a turn that is no claim', () => {
  it.each([['it asks its user', { asksUser: true as const }]])(
    'lets the agent be where %s',
    async (_, more) => {
      const { agentSession, claim, events } = await startSession()
      await agentSession.observe(prompted)
      const before = events.length
      expect(await claim(more)).toEqual({ kind: 'pass' })
      expect(events).toHaveLength(before)
      expect(agentSession.end).toBeUndefined()
    },
  )

  it('lets it wait for something once, and says what that is', async () => {
    const { agentSession, claim, events } = await startSession()
    await agentSession.observe(prompted)
    const before = events.length
    const waiting = { waitingFor: ['npm run dev'] }
    expect(await claim(waiting)).toEqual({
      kind: 'pass',
      notice: expect.stringContaining('npm run dev') as unknown,
    })
    expect(events).toHaveLength(before)
    expect(agentSession.end).toBeUndefined()
    expect(await claim({ waitingFor: ['npm run dev', 'npm test'] })).toMatchObject({ kind: 'pass' })
    expect(await claim(waiting)).toMatchObject({ kind: 'block' })
    await agentSession.observe({ kind: 'prompted', prompt: 'and now?' })
    expect(await claim(waiting)).toMatchObject({ kind: 'block' })
  })

  it('takes a question for a claim where nobody ever answers', async () => {
    const { agentSession, claim, options } = await startSession()
    await agentSession.observe(prompted)
    const asking = { text: 'Shall I go on?', asksUser: true } as const
    const kinds: string[] = []
    for (let count = 0; count < 4; count += 1) kinds.push((await claim(asking)).kind)
    expect(kinds).toEqual(['pass', 'pass', 'pass', 'block'])
    await agentSession.observe({ kind: 'prompted', prompt: 'yes, do' })
    expect(await claim(asking)).toEqual({ kind: 'pass' })
    const other = await createAgentSession(options)
    for (let count = 0; count < 2; count += 1) await other.observe(stopping(asking))
    expect(await other.observe(stopping(asking))).toMatchObject({ kind: 'block' })
  })
})
