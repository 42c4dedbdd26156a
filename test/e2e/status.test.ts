/** What our own record says of the sessions of an agent, whatever the agent said. */
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, type Place } from './donecheck.ts'

/** As Claude Code calls the hook. */
function hook(place: Place, event: string, payload: object) {
  const common = { session_id: 'session-1', cwd: place.folder, hook_event_name: event }
  return place.run(['hook', 'claude-code', event], {
    stdin: JSON.stringify({ ...common, ...payload }),
    environment: { CLAUDE_CODE_SESSION_ATTENDED: '0' },
  })
}

interface Status {
  readonly outcome: string | null
  readonly blockedStops: { readonly times: number; readonly atMost: number | null }
  readonly checks: readonly { readonly name: string; readonly status?: string }[]
}

async function statusOf(place: Place): Promise<Status | undefined> {
  const { stdout } = await place.run(['status', '--json'])
  return (JSON.parse(stdout) as readonly Status[])[0]
}

describe('given a session that claims to be done', () => {
  it(
    'then status tells how often its stop was blocked, and that it is verified only when it is',
    { timeout: 120_000 },
    async () => {
      await inPlace({}, async (place) => {
        await place.run(['install', 'claude-code', '--until', 'test -f done.txt', '--yes'])
        expect(await statusOf(place)).toBeUndefined()
        await hook(place, 'UserPromptSubmit', { prompt: 'make it done' })
        const red = await hook(place, 'Stop', {
          last_assistant_message: 'All done.',
          stop_hook_active: false,
        })
        expect(JSON.parse(red.stdout)).toMatchObject({ decision: 'block' })
        expect(await statusOf(place)).toMatchObject({
          agent: 'claude-code',
          session: 'session-1',
          task: 'make it done',
          outcome: null,
          blockedStops: { times: 1 },
          checks: expect.arrayContaining([
            expect.objectContaining({ name: 'test -f done.txt', status: 'failed' }),
          ]) as unknown,
        })
        const { stdout } = await place.run(['status'])
        expect(stdout).toContain('nothing is verified')

        await place.write('done.txt', 'done\n')
        await hook(place, 'Stop', { last_assistant_message: 'Now it is.', stop_hook_active: true })
        expect(await statusOf(place)).toMatchObject({ outcome: 'verified' })
        expect((await place.run(['list'])).stdout).toContain('verified')
        expect((await place.run(['show', 'last'])).stdout).toContain('make it done')
      })
    },
  )
})

describe('given an agent that waits', () => {
  it('then status says for what, and that nothing is verified', { timeout: 60_000 }, async () => {
    await inPlace({}, async (place) => {
      await place.run(['install', 'claude-code', '--until', 'test -f done.txt', '--yes'])
      await hook(place, 'UserPromptSubmit', { prompt: 'make it done' })
      const background_tasks = [{ id: '1', type: 'shell', status: 'running', command: 'npm run dev' }]
      const { stdout } = await hook(place, 'Stop', { last_assistant_message: 'It runs.', background_tasks })
      expect(stdout).toContain('waits for npm run dev')
      expect((await place.run(['status'])).stdout).toContain('open (waits for npm run dev)')
    })
  })
})

describe('given a session that was allowed to stop because its checks could not be asked', () => {
  it('then status says so', { timeout: 60_000 }, async () => {
    await inPlace({}, async (place) => {
      await place.run(['install', 'claude-code', '--until', 'test -f done.txt', '--yes'])
      for (let time = 0; time < 4; time += 1)
        await place.run(['hook', 'claude-code', 'Stop'], { stdin: 'no JSON' })
      expect((await place.run(['status'])).stdout).toContain('allowed to stop, not verified')
      expect((await place.run(['status', '--json'])).stdout).toContain('"allowedStop"')
      await mkdir(join(place.home, 'other'), { recursive: true })
      const elsewhere = await place.run(['status', '--workdir', join(place.home, 'other')])
      expect(elsewhere.stdout).not.toContain('allowed to stop')
    })
  })
})
