/** `donecheck run --verify-replies` over real HTTP: one server drives, another one judges. */
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Ended } from './donecheck.ts'
import { fails, says, withModelServer } from './model-server.ts'

type Step = ReturnType<typeof says>

const passes = says('It says all of it.\n\nPASS')
const falls = says('The second half is not there.\n\nFAIL [incomplete]: the second half is missing')

async function answer(
  drive: readonly Step[],
  judge: readonly Step[],
  words: readonly string[] = [],
): Promise<Ended> {
  return inPlace({}, (place) =>
    withModelServer(drive, says('All of it is done.'), ({ baseUrl }) =>
      withModelServer(judge, passes, async ({ baseUrl: judgeUrl }) => {
        await place.write(
          'donecheck.config.json',
          JSON.stringify({ judge: { models: ['fake-judge'], baseUrl: judgeUrl, timeoutSeconds: 20 } }),
        )
        const model = ['--base-url', baseUrl, '--model', 'fake-model', '--output-format', 'json']
        return place.run(['run', '--verify-replies', ...model, ...words, 'Say all of it.'])
      }),
    ),
  )
}

describe('given a reply that a judge looks at', () => {
  it('falls short, is mended, and the second one is the result; a trusted judge verifies it', async () => {
    const result = lastJson(await answer([says('One half is done.')], [falls], ['--trust-check', 'judge']))
    expect(result).toMatchObject({
      outcome: 'verified',
      exitCode: 0,
      reply: { ending: 'passed', attempt: 2, text: 'All of it is done.' },
    })
  })

  it('a judge that nobody has measured advises alone', async () => {
    const result = lastJson(await answer([], []))
    expect(result).toMatchObject({ outcome: 'unverified', exitCode: 4, reply: { ending: 'passed' } })
  })

  it('a judge that cannot be asked: the reply is there all the same, unverified', async () => {
    const broken = Array.from({ length: 9 }, () => fails(400, 'no such model'))
    const result = lastJson(await answer([], broken, ['--trust-check', 'judge']))
    expect(result).toMatchObject({
      outcome: 'unverified',
      exitCode: 4,
      reply: { ending: 'undecided', text: 'All of it is done.' },
    })
  })

  it('without a judge it is misuse', async () => {
    const ended = await inPlace({}, (place) =>
      place.run(['run', '--verify-replies', '--agent', 'true', 'Say all of it.']),
    )
    expect(ended).toMatchObject({ exitCode: 2 })
    expect(ended.stderr).toContain('--judge')
  })
})
