import { afterEach, describe, expect, it } from 'vitest'
import { prompted, removeFolders, riding } from './fixtures/riding.ts'

afterEach(removeFolders)

describe('given a turn that changed nothing', () => {
  it('does not nag a turn that changed nothing, where its user wants it so', async () => {
    const { ride, claim } = await riding({ whenUnchanged: 'let-go' })
    await ride.observe(prompted)
    expect(await claim()).toEqual({ kind: 'pass' })
    expect(ride.end).toMatchObject({ outcome: 'unverified', reason: 'model_ended' })
  })

  it('checks a turn that changed something all the same', async () => {
    const { ride, put, claim } = await riding({ whenUnchanged: 'let-go' })
    await ride.observe(prompted)
    put('other.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'send-back' })
  })

  it('checks where nobody has seen a prompt', async () => {
    const { claim } = await riding({ whenUnchanged: 'let-go' })
    expect(await claim()).toMatchObject({ kind: 'send-back' })
  })

  it.each(['README.md', 'start.rst', 'LICENSE', 'CHANGELOG.txt'])(
    'does not nag one that changed nothing but %s',
    async (file) => {
      const { ride, put, claim } = await riding({ whenUnchanged: 'let-go' })
      put(file, 'before')
      await ride.observe(prompted)
      put(file, 'after')
      expect(await claim()).toEqual({ kind: 'pass' })
      expect(ride.end).toMatchObject({ outcome: 'unverified', reason: 'model_ended' })
      expect(ride.end?.message).toContain('changed only prose')
    },
  )

  it.each(['requirements.txt', 'readme.ts', 'README.md.sh', 'md'])(
    'checks one that changed %s as well as prose',
    async (file) => {
      const { ride, put, claim } = await riding({ whenUnchanged: 'let-go' })
      await ride.observe(prompted)
      put('README.md', 'x')
      put(file, 'x')
      expect(await claim()).toMatchObject({ kind: 'send-back' })
    },
  )

  it('checks one that changed prose where its user wants all checked', async () => {
    const { ride, put, claim } = await riding()
    await ride.observe(prompted)
    put('README.md', 'x')
    expect(await claim()).toMatchObject({ kind: 'send-back' })
  })
})
