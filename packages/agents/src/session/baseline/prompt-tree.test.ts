import { afterEach, describe, expect, it } from 'vitest'
import { prompted, removeFolders, startSession } from '../fixtures/start-session.ts'

afterEach(removeFolders)

describe('given a turn that changed nothing', () => {
  it('does not nag a turn that changed nothing, where its user wants it so', async () => {
    const { agentSession, claim } = await startSession({ whenUnchanged: 'allow-stop' })
    await agentSession.observe(prompted)
    expect(await claim()).toEqual({ kind: 'pass' })
    expect(agentSession.end).toMatchObject({ outcome: 'unverified', reason: 'model_ended' })
  })

  it('checks a turn that changed something all the same', async () => {
    const { agentSession, put, claim } = await startSession({ whenUnchanged: 'allow-stop' })
    await agentSession.observe(prompted)
    put('other.txt', 'x')
    expect(await claim()).toMatchObject({ kind: 'block' })
  })

  it.each(['README.md', 'start.rst', 'LICENSE', 'CHANGELOG.txt'])(
    'does not nag one that changed nothing but %s',
    async (file) => {
      const { agentSession, put, claim } = await startSession({ whenUnchanged: 'allow-stop' })
      put(file, 'before')
      await agentSession.observe(prompted)
      put(file, 'after')
      expect(await claim()).toEqual({ kind: 'pass' })
      expect(agentSession.end).toMatchObject({ outcome: 'unverified', reason: 'model_ended' })
      expect(agentSession.end?.message).toContain('changed only prose')
    },
  )

  it.each(['requirements.txt', 'readme.ts', 'README.md.sh', 'md'])(
    'checks one that changed %s as well as prose',
    async (file) => {
      const { agentSession, put, claim } = await startSession({ whenUnchanged: 'allow-stop' })
      await agentSession.observe(prompted)
      put('README.md', 'x')
      put(file, 'x')
      expect(await claim()).toMatchObject({ kind: 'block' })
    },
  )
})
