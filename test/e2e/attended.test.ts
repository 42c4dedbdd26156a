/** Whether an agent is attended, that does not say so: the real hook below a program that is called as the agent is. */
import { spawn } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { delimiter, dirname, join } from 'node:path'
import { openSqliteStore } from 'donecheck'
import { writeSessionFile } from '@donecheck/agents/session'
import { defaultStoreFolder } from '@donecheck/engine/store'
import { describe, expect, it } from 'vitest'
import { inPlace, program } from './donecheck.ts'

/** Calls its hooks by a shell, as Codex does; `edit` among its words: it changes the tree in between. */
const agent = `
const { spawnSync } = require('node:child_process')
const { writeFileSync } = require('node:fs')
const common = { session_id: 's', turn_id: 't', cwd: process.cwd() }
const hook = (event, payload) => {
  const input = JSON.stringify({ ...common, hook_event_name: event, ...payload })
  const line = [process.execPath, process.env.PROGRAM, 'hook codex', event].join(' ')
  return spawnSync('/bin/sh', ['-c', '[ -x /bin/sh ] && exec ' + line + '; echo gone'], { input }).stdout.toString()
}
hook('UserPromptSubmit', { prompt: 'what does it do?' })
if (process.argv.includes('edit')) writeFileSync('edited.txt', 'x')
writeFileSync(process.env.ANSWER, hook('Stop', { stop_hook_active: false, last_assistant_message: 'Nothing.' }))
`

interface Asked {
  readonly answer: string
  readonly outcomes: readonly (string | undefined)[]
}

/** The check is red from beginning to end. */
async function asked(words: readonly string[], inTerminal: boolean): Promise<Asked> {
  return inPlace({ '../codex.cjs': agent }, async ({ folder, home }) => {
    const answerFile = join(home, 'answer')
    const environment = { XDG_STATE_HOME: join(home, 'state'), HOME: home }
    const sessionFile = { environment, homeFolder: home, workFolder: folder }
    writeSessionFile(sessionFile, {
      workFolder: folder,
      config: { until: [{ command: 'test -f done.txt' }] },
    })
    const line = [process.execPath, join(dirname(folder), 'codex.cjs'), ...words]
    const command = inTerminal ? ['script', '-qec', line.join(' '), '/dev/null'] : line
    const env = { ...environment, PATH: process.env['PATH'] ?? '', PROGRAM: program, ANSWER: answerFile }
    const child = spawn(command[0] ?? '', command.slice(1), { cwd: folder, env, stdio: 'ignore' })
    expect(await new Promise((resolve) => child.once('close', resolve))).toBe(0)
    const store = openSqliteStore({ folder: defaultStoreFolder(sessionFile) })
    const outcomes = (await store.list()).map(({ outcome }) => outcome)
    await store.close()
    return { answer: await readFile(answerFile, 'utf8'), outcomes }
  })
}

const hasTerminals =
  process.platform === 'linux' &&
  (process.env['PATH'] ?? '').split(delimiter).some((folder) => existsSync(join(folder, 'script')))

const held = { answer: expect.stringContaining('"decision":"block"') as unknown, outcomes: [undefined] }

describe.skipIf(!hasTerminals)('given an agent in a terminal (where Linux has the program `script`)', () => {
  it.skipIf(isWorkOfAgent())('is not held for an answer (not where an agent runs the tests)', async () => {
    expect(await asked([], true)).toEqual({ answer: '', outcomes: ['unverified'] })
  })

  it('is held where it has changed something', async () => {
    expect(await asked(['edit'], true)).toEqual(held)
  })

  it('is held where it has a task of its own', async () => {
    expect(await asked(['exec'], true)).toEqual(held)
  })
})

describe('given an agent without a terminal', () => {
  it('is held', async () => {
    expect(await asked([], false)).toEqual(held)
  })
})

/** A terminal below another agent is nobody's, and these tests may run below one. */
function isWorkOfAgent(): boolean {
  const names = /^(?:claude|codex|gemini|opencode|qwen|copilot|cursor-agent|donecheck)(?:\.[cm]?js)?$/
  for (let id = process.pid; id > 0 && existsSync(`/proc/${id}/stat`);) {
    const words = readFileSync(`/proc/${id}/cmdline`, 'utf8').split('\0')
    if (words.slice(0, 3).some((word) => names.test(word.split('/').at(-1) ?? ''))) return true
    id = Number(/\) \S (\d+) /.exec(readFileSync(`/proc/${id}/stat`, 'utf8'))?.[1] ?? 0)
  }
  return false
}
