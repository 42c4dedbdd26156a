import { describe, expect, it } from 'vitest'
import { askAuthor } from './ask-author.ts'
import { answering, author, countsQuantities } from './fixtures/shop.ts'

const tree = { paths: [], omittedPaths: 0, files: [], checks: [] }
const request = { runId: 'run-1', task: 'do it', tree }
const never = new AbortController().signal

describe('given an author', () => {
  it('who answers, the proposal and its cost are taken', async () => {
    const asked = await askAuthor(author('good', [countsQuantities]), request, never)
    expect(asked).toMatchObject({
      author: { name: 'good', costUsd: 0.01 },
      proposal: { checks: [{ title: 'counts quantities' }] },
    })
  })

  it('who answers nonsense, it is told with what it cost', async () => {
    const asked = await askAuthor(answering('odd', { checks: 'none' }), request, never)
    expect(asked.proposal).toBeUndefined()
    expect(asked.author.problem).toBe(
      'its answer is not understood: checks: Invalid input: expected array, received string',
    )
    expect(asked.author.costUsd).toBe(0.01)
  })

  it('who does not listen, nobody waits once the run is interrupted', async () => {
    const interrupt = new AbortController()
    const deaf = { name: 'deaf', propose: () => Promise.withResolvers<never>().promise }
    const asked = askAuthor(deaf, request, interrupt.signal)
    interrupt.abort()
    expect((await asked).author.problem).toBe('gave no answer: interrupted')
  })

  it('who throws something that is no error, its words are told', async () => {
    const rude = {
      name: 'rude',
      propose: () => {
        throw 'no' // eslint-disable-line @typescript-eslint/only-throw-error
      },
    }
    expect((await askAuthor(rude, request, never)).author.problem).toBe('gave no answer: no')
  })
})
