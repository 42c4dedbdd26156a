/** Ends of turns that are no claim. */
import { afterEach, describe, expect, it } from 'vitest'
import { prompted, removeFolders, riding, stopping } from './fixtures/riding.ts'
import { createRide } from './index.ts'

afterEach(removeFolders)

describe('given an end of a turn that is no claim', () => {
  it.each([
    ['it asks its user', { asksUser: true as const }],
    ['a part of it ends', { subagent: { id: '1', type: 'helper' } }],
  ])('lets the agent be where %s', async (_, more) => {
    const { ride, claim, events } = await riding()
    await ride.observe(prompted)
    const before = events.length
    expect(await claim(more)).toEqual({ kind: 'pass' })
    expect(events).toHaveLength(before)
    expect(ride.end).toBeUndefined()
  })

  it('lets it wait for something once, and says what that is', async () => {
    const { ride, claim, events } = await riding()
    await ride.observe(prompted)
    const before = events.length
    const waiting = { waitingFor: ['npm run dev'] }
    expect(await claim(waiting)).toEqual({
      kind: 'pass',
      notice: expect.stringContaining('npm run dev') as unknown,
    })
    expect(events).toHaveLength(before)
    expect(ride.end).toBeUndefined()
    expect(await claim({ waitingFor: ['npm run dev', 'npm test'] })).toMatchObject({ kind: 'pass' })
    expect(await claim(waiting)).toMatchObject({ kind: 'send-back' })
    await ride.observe({ kind: 'prompted', prompt: 'and now?' })
    expect(await claim(waiting)).toMatchObject({ kind: 'send-back' })
  })

  it('does not wait for ever for something else each time', async () => {
    const { ride, claim } = await riding()
    await ride.observe(prompted)
    const kinds: string[] = []
    for (const name of ['a', 'b', 'c', 'd']) kinds.push((await claim({ waitingFor: [name] })).kind)
    expect(kinds).toEqual(['pass', 'pass', 'pass', 'send-back'])
  })

  it('tells at the end of the session what it waited for, and that nothing is verified', async () => {
    const { ride, claim } = await riding()
    await ride.observe(prompted)
    await claim({ text: 'Shall I go on?', asksUser: true })
    await ride.observe({ kind: 'session-ended' })
    expect(ride.end).toMatchObject({ outcome: 'blocked', reason: 'blocked' })
    expect(ride.end?.message).toContain('the answer of its user')
  })

  it('takes a question for a claim where nobody ever answers', async () => {
    const { ride, claim, options } = await riding()
    await ride.observe(prompted)
    const asking = { text: 'Shall I go on?', asksUser: true } as const
    const kinds: string[] = []
    for (let count = 0; count < 4; count += 1) kinds.push((await claim(asking)).kind)
    expect(kinds).toEqual(['pass', 'pass', 'pass', 'send-back'])
    await ride.observe({ kind: 'prompted', prompt: 'yes, do' })
    expect(await claim(asking)).toEqual({ kind: 'pass' })
    const other = await createRide(options)
    for (let count = 0; count < 2; count += 1) await other.observe(stopping(asking))
    expect(await other.observe(stopping(asking))).toMatchObject({ kind: 'send-back' })
  })
})
