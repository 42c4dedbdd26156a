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

describe('given an agent that waits', () => {
  it('then status says for what, and that nothing is verified', async () => {
    await inPlace({}, async (place) => {
      await place.run(['install', 'claude-code', '--until', 'test -f done.txt', '--yes'])
      await hook(place, 'UserPromptSubmit', { prompt: 'make it done' })
      const background_tasks = [{ id: '1', type: 'shell', status: 'running', command: 'npm run dev' }]
      const { stdout } = await hook(place, 'Stop', { last_assistant_message: 'It runs.', background_tasks })
      expect(stdout).toContain('waits for npm run dev')
      expect((await place.run(['list', '--sessions'])).stdout).toContain('open (waits for npm run dev)')
    })
  })
})

describe('given a session that was allowed to stop because its checks could not be asked', () => {
  it('then status says so', async () => {
    await inPlace({}, async (place) => {
      await place.run(['install', 'claude-code', '--until', 'test -f done.txt', '--yes'])
      for (let time = 0; time < 4; time += 1)
        await place.run(['hook', 'claude-code', 'Stop'], { stdin: 'no JSON' })
      expect((await place.run(['list', '--sessions'])).stdout).toContain('allowed to stop, not verified')
      expect((await place.run(['list', '--sessions', '--json'])).stdout).toContain('"allowedStop"')
      await mkdir(join(place.home, 'other'), { recursive: true })
      const elsewhere = await place.run(['list', '--sessions', '--workdir', join(place.home, 'other')])
      expect(elsewhere.stdout).not.toContain('allowed to stop')
    })
  })
})
