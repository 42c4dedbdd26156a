import { afterEach, describe, expect, it } from 'vitest'
import { prompted, removeFolders, startSession } from '../fixtures/start-session.ts'

afterEach(removeFolders)

describe('given a turn that changed nothing', () => {
  it('does not nag a turn that changed nothing, where its user wants it so', async () => {
    const { hostedSession, claim } = await startSession({ whenUnchanged: 'allow-stop' })
    await hostedSession.observe(prompted)
    expect(await claim()).toEqual({ kind: 'pass' })
    expect(hostedSession.end).toMatchObject({ outcome: 'unverified', reason: 'model_ended' })
  })

  it('checks a turn that changed something all the same', async () => {
    const { hostedSession, put, claim } = await startSession({ whenUnchanged: 'allow-stop' })
    await hostedSession.observe(prompted)
    put('other.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'block' })
  })

  it.each(['README.md', 'start.rst', 'LICENSE', 'CHANGELOG.txt'])(
    'does not nag one that changed nothing but %s',
    async (file) => {
      const { hostedSession, put, claim } = await startSession({ whenUnchanged: 'allow-stop' })
      put(file, 'before')
      await hostedSession.observe(prompted)
      put(file, 'after')
      expect(await claim()).toEqual({ kind: 'pass' })
      expect(hostedSession.end).toMatchObject({ outcome: 'unverified', reason: 'model_ended' })
      expect(hostedSession.end?.message).toContain('changed only prose')
    },
  )

  it.each(['requirements.txt', 'readme.ts', 'README.md.sh', 'md'])(
    'checks one that changed %s as well as prose',
    async (file) => {
      const { hostedSession, put, claim } = await startSession({ whenUnchanged: 'allow-stop' })
      await hostedSession.observe(prompted)
      put('README.md', 'x')
      put(file, 'x')
      expect(await claim()).toMatchObject({ kind: 'block' })
    },
  )
})
