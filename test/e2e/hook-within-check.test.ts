/** A check that runs an agent, such as a judge, whose hooks ask donecheck again; and another agent at the same time. */
import { existsSync, mkdtempSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { openSqliteStore } from 'donecheck'
import { writeSessionFile } from '@donecheck/agents/internal/session'
import { defaultStoreFolder } from '@donecheck/engine/store'
import { describe, expect, it } from 'vitest'
import { inPlace, program, type Ended, type Place } from './donecheck.ts'

const ours = `"${process.execPath}" "${program}"`

/** Installed for Claude Code, with one check. */
async function hooked<Value>(
  check: string,
  work: (hooks: {
    readonly place: Place
    readonly hook: (session: string, event: string, payload?: object) => Promise<Ended>
    readonly write: (file: string, session: string, event: string, payload?: object) => Promise<void>
    readonly runs: () => Promise<readonly { readonly task: string }[]>
  }) => Promise<Value>,
): Promise<Value> {
  return inPlace({}, async (place) => {
    const environment = { XDG_STATE_HOME: join(place.home, 'state'), HOME: place.home }
    const sessionFile = { environment, homeFolder: place.home, workFolder: place.folder }
    writeSessionFile(sessionFile, { workFolder: place.folder, config: { until: [{ command: check }] } })
    const payloadOf = (session: string, event: string, payload: object) =>
      JSON.stringify({ session_id: session, cwd: place.folder, hook_event_name: event, ...payload })
    return work({
      place,
      hook: (session, event, payload = {}) =>
        place.run(['hook', 'claude-code', event, '--timeout', '60'], {
          environment,
          stdin: payloadOf(session, event, payload),
        }),
      write: (file, session, event, payload = {}) => place.write(file, payloadOf(session, event, payload)),
      runs: async () => {
        const store = openSqliteStore({ folder: defaultStoreFolder(sessionFile) })
        const runs = await store.list()
        await store.close()
        return runs
      },
    })
  })
}

const claim = {
  stop_hook_active: false,
  last_assistant_message: 'Done.',
  background_tasks: [],
  session_crons: [],
}
/** What no agent may do that is held. */
const attack = {
  tool_name: 'Write',
  tool_input: { file_path: '.claude/settings.json', content: '{}' },
  tool_use_id: 't-1',
}

describe('given a check that runs the same agent', () => {
  it('lets that agent end its turn, asks no check for it, records nothing of it, and judges its calls all the same', () => {
    const asked = (event: string) => `${ours} hook claude-code ${event} < ${event}.json > ${event}.out`
    const check = `echo asked >> ../asked && ${asked('UserPromptSubmit')} && ${asked('PreToolUse')} && ${asked('Stop')} && test -f done.txt`
    return hooked(check, async ({ place, hook, write, runs }) => {
      await write('UserPromptSubmit.json', 'judge', 'UserPromptSubmit', { prompt: 'Is it fine?' })
      await write('PreToolUse.json', 'judge', 'PreToolUse', attack)
      await write('Stop.json', 'judge', 'Stop', claim)
      await hook('worker', 'UserPromptSubmit', { prompt: 'make done.txt' })
      const { stdout } = await hook('worker', 'Stop', claim)
      expect(JSON.parse(stdout)).toMatchObject({ decision: 'block' })
      const answerTo = (event: string) => readFile(join(place.folder, `${event}.out`), 'utf8')
      expect(await answerTo('UserPromptSubmit')).toBe('')
      expect(await answerTo('PreToolUse')).toContain('"permissionDecision":"deny"')
      expect(await answerTo('Stop')).toBe('')
      expect(await readFile(join(place.folder, '../asked'), 'utf8')).toBe('asked\n')
      expect((await runs()).map(({ task }) => task)).toEqual(['make done.txt'])
    })
  })

  it('lets donecheck itself be a check', () =>
    hooked(`${ours} verify --until "test -f done.txt" > verify.out 2>&1`, async ({ place, hook }) => {
      await hook('worker', 'UserPromptSubmit', { prompt: 'make done.txt' })
      await hook('worker', 'Stop', claim)
      expect(await readFile(join(place.folder, 'verify.out'), 'utf8')).toContain('test -f done.txt')
    }))
})

describe('given an agent at work while a check runs', () => {
  it('is held as ever, for that check has not started it', () => {
    const meeting = mkdtempSync(join(tmpdir(), 'meeting-'))
    const check = `cd ${meeting} && mkfifo go && touch started && read -r _ < go; test -f ${meeting}/done.txt`
    return hooked(check, async ({ hook }) => {
      await hook('worker', 'UserPromptSubmit', { prompt: 'make done.txt' })
      const running = hook('worker', 'Stop', claim)
      await expect.poll(() => existsSync(join(meeting, 'started'))).toBe(true)
      expect((await hook('other', 'PreToolUse', attack)).stdout).toContain('"deny"')
      await writeFile(join(meeting, 'go'), 'on\n')
      expect(JSON.parse((await running).stdout)).toMatchObject({ decision: 'block' })
    })
  })
})
