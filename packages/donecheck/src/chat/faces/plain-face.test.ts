import { PassThrough } from 'node:stream'
import { describe, expect, it, vi } from 'vitest'
import { hostThatAsks } from '../fixtures/host-that-asks.ts'
import { openChat } from '../open-chat.ts'

function plainSession(script: string) {
  const { host, given, isAsked } = hostThatAsks(script)
  const [input, output] = [new PassThrough(), new PassThrough()]
  const asIs = (words: string) => words
  const theme = { paint: (line: { readonly text: string }) => line.text, accent: asIs, quiet: asIs }
  let written = ''
  output.on('data', (piece: Buffer) => (written += piece.toString()))
  const left = openChat({ host, theme, isPlain: true, input, output, greeting: [] })
  const shows = (words: string) => vi.waitFor(() => expect(written).toContain(words), 5000)
  return {
    given,
    isAsked,
    left,
    shows,
    say: (words: string) => input.write(`${words}\n`),
    end: () => input.end(),
  }
}

describe('given a session in lines alone, and a command that a person is asked about', () => {
  it('when it is to be edited and has several lines, then none of them answers or is performed', async () => {
    const { given, left, shows, say, end } = plainSession('x\n/until "true"\n/approve session\ny\n')
    say('Work.')
    await shows('[e] edit')
    say('e')
    await shows('These are several lines')
    expect(given).toEqual({ answers: [], checks: [] })
    say('echo one')
    await vi.waitFor(() => expect(given.answers).toHaveLength(1))
    expect(given.answers).toMatchObject([
      { approved: false, reason: 'not as proposed; run this instead: echo one' },
    ])
    end()
    await left
  })

  it('when a letter comes before the question stands there, then it answers nothing and is told to nobody', async () => {
    const { given, isAsked, left, shows, say, end } = plainSession('npm publish')
    say('Work.')
    await isAsked
    say('y')
    await shows('! not yet: "y"')
    await shows('[y] yes, once')
    say('x')
    await shows('! "x" is no answer to the question; there are: y, ')
    expect(given.answers).toEqual([])
    say('y')
    await vi.waitFor(() => expect(given.answers).toMatchObject([{ approved: true }]))
    end()
    await left
  })
})
