/** A claim of a host's agent that nothing checks, and that the work folder contradicts. */
import { afterEach, describe, expect, it } from 'vitest'
import { prompted, removeFolders, startSession } from '../fixtures/start-session.ts'

afterEach(removeFolders)

describe('given a hosted session without checks', () => {
  it('blocks a claim of a file that is not there once, and lets the next one pass', async () => {
    const { hostedSession, claim, put } = await startSession({ hardVerifiers: [] })
    await hostedSession.observe(prompted)
    put('notes.txt', 'work')
    const text = 'I wrote `report.md`.'
    expect(await claim({ text })).toEqual({
      kind: 'block',
      feedback: expect.stringContaining('there is no such file') as unknown,
    })
    expect(await claim({ text, wasBlocked: true })).toMatchObject({ kind: 'pass' })
  })

  it('lets a claim pass that nothing contradicts', async () => {
    const { hostedSession, claim, put } = await startSession({ hardVerifiers: [] })
    await hostedSession.observe(prompted)
    put('report.md', 'work')
    expect(await claim({ text: 'I wrote `report.md`.' })).toMatchObject({ kind: 'pass' })
  })
})
