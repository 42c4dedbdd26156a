import { describe, expect, it } from 'vitest'
import { verifyClaim } from '../../session/index.ts'
import { edgeVerifier, type ConditionalEdge, type EdgeVerifierOptions } from './edge-verifier.ts'

interface State {
  readonly messages: readonly { readonly content: string; readonly tool_calls?: readonly unknown[] }[]
}

const isPolite = ({ messages }: State) => (messages.at(-1)?.content.includes('please') ? '__end__' : 'model')

function ask(edge: ConditionalEdge, text: string, options?: EdgeVerifierOptions) {
  const hardVerifiers = [edgeVerifier(edge, options)]
  return verifyClaim({ agent: 'langchain', workFolder: null, hardVerifiers }, { task: 'be polite', text })
}

describe('given a conditional edge', () => {
  it('passes where it leads to the end, and says where it leads', async () => {
    expect(await ask(isPolite, 'Done, please.')).toMatchObject({ isVerified: true })
    expect(await ask(isPolite, 'Done.')).toMatchObject({
      isVerified: false,
      verdicts: [
        { verifier: 'isPolite', status: 'failed', reason: expect.stringContaining('model') as string },
      ],
    })
  })

  it('is shown the task too, and may answer later', async () => {
    const edge = async ({ messages }: State) => (messages[0]?.content === 'be polite' ? 'over' : 'model')
    expect(await ask(edge, 'x', { over: 'over', name: 'asked for' })).toMatchObject({
      verdicts: [{ verifier: 'asked for', status: 'passed' }],
    })
  })

  it.each<readonly [string, ConditionalEdge]>([
    ['that throws', () => Promise.reject(new Error('no such channel'))],
    ['that leads to several nodes', () => ['__end__', 'model']],
    ['that leads nowhere', () => []],
    ['that sends', () => ({ node: '__end__' })],
  ])('does not take one for done %s', async (_, edge) => {
    expect(await ask(edge, 'Done, please.')).toMatchObject({ isVerified: false })
  })
})
