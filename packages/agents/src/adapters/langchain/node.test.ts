import { describe, expect, it } from 'vitest'
import { verifierOf } from '@donecheck/engine/verify'
import { verifiedNode, type MessageLike } from './session.ts'

const polite = verifierOf('polite', ({ finalText }) => finalText.includes('please'), { reads: 'answer' })

describe('given a graph with the checks as a node', () => {
  const asked = { type: 'human', content: 'be polite', id: 'message-1' }
  const said = (content: string) => ({ type: 'ai', content })

  it('then a red check leads back with the evidence, and a green one on', async () => {
    const checks = verifiedNode({ workFolder: null, hardVerifiers: [polite] })
    const leads = checks.verifiedEdge({ open: 'model', over: 'end' })
    const red: MessageLike[] = [asked, said('Done.')]
    const { messages } = await checks.node({ messages: red })
    expect(messages).toMatchObject([{ role: 'user', content: expect.stringContaining('polite') as string }])
    const back = [...red, ...messages]
    expect(leads({ messages: back })).toBe('model')
    const green = [...back, said('Done, please.')]
    expect(await checks.node({ messages: green })).toEqual({ messages: [] })
    expect(leads({ messages: green })).toBe('end')
    expect(await checks.verification({ messages: green })).toMatchObject({
      isVerified: true,
      blockedStops: 1,
    })
  })

  it('then each question is a run of its own', async () => {
    const checks = verifiedNode({ workFolder: null, hardVerifiers: [polite] })
    const first = { messages: [asked, said('please')] }
    const second = { messages: [...first.messages, { ...asked, id: 'message-2' }, said('No.')] }
    await checks.node(first)
    await checks.node(second)
    expect(await checks.verification(first)).toMatchObject({ isVerified: true })
    expect(await checks.verification(second)).toMatchObject({ isVerified: false, blockedStops: 1 })
  })
})
