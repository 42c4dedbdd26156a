import { describe, expect, it } from 'vitest'
import { fieldOf, isPart } from './detectors.ts'
import { ours } from './ours/index.ts'
import { rivals } from './rivals/index.ts'

describe('the detectors that are compared', () => {
  it('are ours, the rivals and the measuring stick, each under a name of its own', async () => {
    const { detectors } = await fieldOf([])
    const names = detectors.map(({ name }) => name)
    expect(new Set(names).size).toBe(names.length)
    for (const { name } of [...ours, ...rivals]) expect(names).toContain(name)
    expect(names).toContain('same call and result 5 times')
  })

  it('are those whose name holds one of the words', async () => {
    const { detectors } = await fieldOf(['HERMES', 'openhands'])
    expect(detectors.map(({ name }) => name)).toEqual(['OpenHands', 'hermes'])
  })

  it('are named where no name holds a word', async () => {
    await expect(fieldOf(['nobody'])).rejects.toThrow("no detector is called 'nobody'; there are: ")
  })

  it('set the limit for the cost only by rivals that compare results', async () => {
    const { resultRivals } = await fieldOf([])
    expect(resultRivals).toContain('hermes')
    expect(resultRivals).not.toContain('cline (mistakes too)')
    expect(resultRivals).not.toContain('gemini-cli (first hit)')
  })
})

describe('a single rule of a detector', () => {
  const named = (name: string) => ({ name, readsResults: true, begin: () => ({ observe: () => undefined }) })

  it('is told by its name', () => {
    expect(isPart(named('donecheck: ping_pong'))).toBe(true)
    expect(isPart(named('donecheck (by default: told, refused, ended)'))).toBe(false)
    expect(isPart(named('gemini-cli (first hit)'))).toBe(false)
  })
})
