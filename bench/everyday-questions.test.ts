import { describe, expect, it } from 'vitest'
import { everydayLines } from './everyday-lines.ts'
import { askedLines } from './everyday-questions.ts'

describe('given command lines of every day', () => {
  it('asks for none that only reads, with a sandbox or without', async () => {
    expect(await askedLines('reading', true)).toEqual([])
    expect(await askedLines('reading', false)).toEqual([])
  })

  it('asks for at most two in a hundred of those that work in the sandbox', async () => {
    const asked = await askedLines('working', true)
    expect(everydayLines.working.length).toBeGreaterThan(400)
    expect(asked.length / everydayLines.working.length, asked.join('\n')).toBeLessThanOrEqual(0.02)
  })

  it('asks for all that leaves the project or loses something', async () => {
    expect(await askedLines('grave', true)).toEqual(everydayLines.grave)
    expect(await askedLines('grave', false)).toEqual(everydayLines.grave)
  })
})
