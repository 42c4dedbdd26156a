/** Ends of turns that are no claim. */
import { afterEach, describe, expect, it } from 'vitest'
import { prompted, removeFolders, startSession, stopping } from '../fixtures/start-session.ts'
import { createHostedSession } from '../index.ts'

afterEach(removeFolders)

describe('given an end of a turn that is no claim', () => {
  it.each([['it asks its user', { asksUser: true as const }]])(
    'lets the agent be where %s',
    async (_, more) => {
      const { hostedSession, claim, events } = await startSession()
      await hostedSession.observe(prompted)
      const before = events.length
      expect(await claim(more)).toEqual({ kind: 'pass' })
      expect(events).toHaveLength(before)
      expect(hostedSession.end).toBeUndefined()
    },
  )

  it('lets it wait for something once, and says what that is', async () => {
    const { hostedSession, claim, events } = await startSession()
    await hostedSession.observe(prompted)
    const before = events.length
    const waiting = { waitingFor: ['npm run dev'] }
    expect(await claim(waiting)).toEqual({
      kind: 'pass',
      notice: expect.stringContaining('npm run dev') as unknown,
    })
    expect(events).toHaveLength(before)
    expect(hostedSession.end).toBeUndefined()
    expect(await claim({ waitingFor: ['npm run dev', 'npm test'] })).toMatchObject({ kind: 'pass' })
    expect(await claim(waiting)).toMatchObject({ kind: 'block' })
    await hostedSession.observe({ kind: 'prompted', prompt: 'and now?' })
    expect(await claim(waiting)).toMatchObject({ kind: 'block' })
  })

  it('takes a question for a claim where nobody ever answers', async () => {
    const { hostedSession, claim, options } = await startSession()
    await hostedSession.observe(prompted)
    const asking = { text: 'Shall I go on?', asksUser: true } as const
    const kinds: string[] = []
    for (let count = 0; count < 4; count += 1) kinds.push((await claim(asking)).kind)
    expect(kinds).toEqual(['pass', 'pass', 'pass', 'block'])
    await hostedSession.observe({ kind: 'prompted', prompt: 'yes, do' })
    expect(await claim(asking)).toEqual({ kind: 'pass' })
    const other = await createHostedSession(options)
    for (let count = 0; count < 2; count += 1) await other.observe(stopping(asking))
    expect(await other.observe(stopping(asking))).toMatchObject({ kind: 'block' })
  })
})
