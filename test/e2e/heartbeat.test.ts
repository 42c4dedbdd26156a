/** `donecheck heartbeat` over real HTTP: a model says that all is well, and the record decides. */
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Ended } from './donecheck.ts'
import { calls, says, withModelServer } from './model-server.ts'

const files = { 'HEARTBEAT.md': '# Heartbeat\n- errors in app.log\n', 'app.log': 'all quiet\n' }
const looks = calls('read_file', { path: 'app.log' })

interface Told {
  readonly ended: Ended
  readonly requests: number
}

async function beat(
  steps: Parameters<typeof withModelServer>[0],
  last: Parameters<typeof withModelServer>[1],
  given: Readonly<Record<string, string>> = files,
  words: readonly string[] = [],
): Promise<Told> {
  return inPlace(given, (place) =>
    withModelServer(steps, last, async ({ baseUrl, requests }) => {
      const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes', ...words]
      const ended = await place.run(['heartbeat', ...model])
      return { ended, requests: requests().length }
    }),
  )
}

describe('given a heartbeat', () => {
  it('whose model has looked: it is quiet, and exits with 0', async () => {
    const { ended } = await beat([looks], says('HEARTBEAT_OK'))
    expect(ended).toMatchObject({ exitCode: 0, stdout: '' })
    expect(ended.stderr).toContain('all clear: 1 of 1 due items were looked at')
  })

  it('whose model has not looked: it is told, and the heartbeat is not believed', async () => {
    const { ended, requests } = await beat([], says('HEARTBEAT_OK'), files, ['--output-format', 'json'])
    expect(lastJson(ended)).toMatchObject({ heartbeat: 'unverified', finalText: '', exitCode: 3 })
    expect(requests).toBe(3)
  })

  it('what is said beside the token is printed', async () => {
    const { ended } = await beat([looks], says('The log is full! HEARTBEAT_OK'))
    expect(ended).toMatchObject({ exitCode: 0, stdout: 'The log is full!\n' })
  })

  it('of an empty list asks nobody; of a list that is not there it says so', async () => {
    const empty = await beat([], says('HEARTBEAT_OK'), { 'HEARTBEAT.md': '# Heartbeat\n' })
    expect(empty).toMatchObject({ ended: { exitCode: 0, stdout: '' }, requests: 0 })
    const missing = await beat([], says('HEARTBEAT_OK'), {})
    expect(missing).toMatchObject({ ended: { exitCode: 2 }, requests: 0 })
    expect(missing.ended.stderr).toContain('--file')
  })
})
