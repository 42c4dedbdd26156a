/** The entry of hooks as an agent runs it: one process for each event, its story kept in the store alone. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openSqliteStore } from 'donecheck'
import { writeSessionFile, type SessionConfiguration } from '@donecheck/agents/internal/session'
import { defaultStoreFolder } from '@donecheck/engine/store'
import { describe, expect, it } from 'vitest'
import { inPlace, program, type Ended, type Place } from './donecheck.ts'

const session = 'a-session'

interface Hooks {
  readonly place: Place
  readonly environment: Readonly<Record<string, string>>
  readonly hook: (event: string, payload?: object, words?: readonly string[]) => Promise<Ended>
  readonly raw: (event: string, input: string) => Promise<Ended>
  readonly stop: (words?: readonly string[]) => Promise<Ended>
  readonly runs: () => Promise<readonly { readonly outcome: string | undefined; readonly events: number }[]>
}

async function hooked<Value>(
  configuration: SessionConfiguration | null,
  work: (hooks: Hooks) => Promise<Value>,
): Promise<Value> {
  return inPlace({}, async (place) => {
    const environment = { XDG_STATE_HOME: join(place.home, 'state'), HOME: place.home }
    const sessionFile = { environment, homeFolder: place.home, workFolder: place.folder }
    if (configuration !== null) writeSessionFile(sessionFile, { workFolder: place.folder, ...configuration })
    const raw = (event: string, input: string, words: readonly string[] = []) =>
      place.run(['hook', 'claude-code', event, ...words], { environment, stdin: input })
    const hook = (event: string, payload: object = {}, words: readonly string[] = []) =>
      raw(event, payloadText(place, event, payload), words)
    return work({
      ...{ place, environment, hook, raw },
      stop: (words = ['--timeout', '60']) => hook('Stop', stopped, words),
      runs: async () => {
        const store = openSqliteStore({ folder: defaultStoreFolder(sessionFile) })
        const runs = await store.list()
        await store.close()
        return runs
      },
    })
  })
}

const stopped = {
  stop_hook_active: false,
  last_assistant_message: 'Done.',
  background_tasks: [],
  session_crons: [],
}

function payloadText(place: Place, event: string, payload: object): string {
  return JSON.stringify({ session_id: session, cwd: place.folder, hook_event_name: event, ...payload })
}

const doneFile: SessionConfiguration = { config: { until: [{ command: 'test -f done.txt' }] } }

function answerOf({ stdout, stderr, exitCode }: Ended): Record<string, unknown> {
  expect({ exitCode, stderr }).toEqual({ exitCode: 0, stderr: '' })
  return stdout === '' ? {} : (JSON.parse(stdout) as Record<string, unknown>)
}

describe('given a project whose hooks are configured', () => {
  it('ends the checks before the agent loses patience, and does not take that for a pass', () =>
    hooked({ config: { until: [{ command: 'sleep 600' }] } }, async ({ hook, stop, runs }) => {
      await hook('UserPromptSubmit', { prompt: 'wait' })
      const held = answerOf(await stop(['--timeout', '4']))
      expect(held['decision']).toBe('block')
      expect((await runs())[0]?.outcome).toBeUndefined()
    }))

  it('finds the session again by its events where what is remembered is damaged', () =>
    hooked(doneFile, async ({ place, environment, hook, stop, runs }) => {
      await hook('UserPromptSubmit', { prompt: 'make done.txt' })
      await stop()
      const folder = defaultStoreFolder({ environment, homeFolder: place.home, workFolder: place.folder })
      const store = openSqliteStore({ folder })
      const [latest] = await store.hostSessions()
      const kept = await store.hostSession(latest?.key ?? '')
      if (kept === undefined) throw new TypeError('no session was kept')
      const damaged = kept.snapshot.replace('make done.txt', 'make none.txt')
      expect(damaged).not.toBe(kept.snapshot)
      await store.keepHostSession({ ...kept, snapshot: damaged })
      await store.close()
      await place.write('done.txt', 'x')
      await stop()
      expect(await runs()).toMatchObject([{ outcome: 'verified', task: 'make done.txt' }])
    }))
})

describe('given a project without', () => {
  it('when nothing at all is on record of an installation, then a claim is held: the record must be gone', () =>
    hooked(null, async ({ stop }) => {
      expect(answerOf(await stop())).toMatchObject({ decision: 'block' })
    }))

  it('does nothing, and leaves nothing behind', () =>
    hooked(null, async ({ hook, stop, environment }) => {
      const installed = join(environment['XDG_STATE_HOME'] ?? '', 'donecheck/installed')
      await mkdir(installed, { recursive: true })
      await writeFile(join(installed, 'of-another-project.json'), '{}')
      expect(
        answerOf(await hook('PreToolUse', { tool_name: 'Bash', tool_input: {}, tool_use_id: 't' })),
      ).toEqual({})
      expect(answerOf(await stop())).toEqual({})
      const left = await readdir(join(installed, '..'))
      expect(left.filter((name) => name !== 'compiled')).toEqual(['installed'])
    }))
})

describe('given what no agent should send', () => {
  it.each(['', 'no json', '[]', '{"session_id":7}', '\u{feff}{}'])(
    'holds the claim, loudly, for %j',
    (input) =>
      hooked(doneFile, async ({ raw }) => {
        const answer = answerOf(await raw('Stop', input))
        expect(answer['decision']).toBe('block')
      }),
  )

  it('holds it a few times only', () =>
    hooked(doneFile, async ({ raw }) => {
      const answers: unknown[] = []
      for (let count = 0; count < 5; count += 1)
        answers.push(answerOf(await raw('Stop', 'no json'))['decision'])
      expect(answers).toEqual(['block', 'block', 'block', undefined, undefined])
    }))

  it('says so for an agent that it does not know, without an exit code that blocks', () =>
    hooked(doneFile, async ({ place, environment }) => {
      const ended = await place.run(['hook', 'nobody', 'Stop'], { environment, stdin: '{}' })
      expect(ended.exitCode).toBe(1)
      expect(ended.stderr).toContain('claude-code')
    }))
})

describe('given a process that is killed in the middle of a verification', () => {
  it('takes the check along, and goes on with the same run at the next claim', () =>
    hooked(
      {
        config: {
          checkIn: 'work-folder',
          until: [
            {
              command:
                'if [ -f quick ]; then test -f done.txt; else echo $$ > checker; sleep 1; touch slow; sleep 600; fi',
            },
          ],
        },
      },
      async ({ place, environment, hook, stop, runs }) => {
        await hook('UserPromptSubmit', { prompt: 'make done.txt' })
        const child = spawn(process.execPath, [program, 'hook', 'claude-code', 'Stop', '--timeout', '300'], {
          cwd: place.folder,
          env: { ...process.env, ...environment },
          stdio: ['pipe', 'ignore', 'ignore'],
        })
        child.stdin.end(payloadText(place, 'Stop', stopped))
        await appears(join(place.folder, 'slow'))
        child.kill('SIGKILL')
        await new Promise((resolve) => child.once('exit', resolve))
        const checker = Number(await readFile(join(place.folder, 'checker'), 'utf8'))
        while (livesOn(checker)) await new Promise((resolve) => setImmediate(resolve))
        await rm(join(place.folder, 'slow'))
        await rm(join(place.folder, 'checker'))
        await writeFile(join(place.folder, 'quick'), '')
        expect(answerOf(await stop())['decision']).toBe('block')
        await place.write('done.txt', 'x')
        expect(answerOf(await stop())['decision']).toBeUndefined()
        expect(await runs()).toMatchObject([{ outcome: 'verified' }])
      },
    ))
})

describe('given two hooks at the same claim', () => {
  it('verifies once, and answers both alike', () =>
    hooked(
      { config: { until: [{ command: 'echo x >> "$HOME/asked"; sleep 1; test -f done.txt' }] } },
      async ({ place, hook, stop }) => {
        await hook('UserPromptSubmit', { prompt: 'make done.txt' })
        await mkdir(place.home, { recursive: true })
        const answers = await Promise.all([stop(), stop()])
        expect(answers.map((ended) => answerOf(ended)['decision'])).toEqual(['block', 'block'])
        expect((await readFile(join(place.home, 'asked'), 'utf8')).trim().split('\n')).toHaveLength(1)
      },
    ))
})

/** One that has ended, and that nobody has waited for, does not. */
function livesOn(processId: number): boolean {
  try {
    process.kill(processId, 0)
    return !readFileSync(`/proc/${processId}/stat`, 'utf8').includes(') Z')
  } catch {
    return false
  }
}

async function appears(file: string): Promise<void> {
  while (!existsSync(file)) await new Promise((resolve) => setImmediate(resolve))
}
