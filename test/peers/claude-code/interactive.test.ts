/**
 * The real Claude Code as a person has it: its own screen in a terminal, prompts that are typed. The terminal is that of
 * `script` of util-linux, fed over a pipe.
 */
import { spawn, spawnSync } from 'node:child_process'
import { stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'
import { claude } from '../hooks/agents.ts'
import { statusOf, testTimeoutMs, withHooks, type Status } from '../hooks/hooked-agent.ts'
import { describeWith, mends, realAgent, type Place } from '../kit/index.ts'

const hasTerminal = String(spawnSync('script', ['--version']).stdout).includes('util-linux')

/** What it would ask at its first start. */
const answeredBefore = (project: string) =>
  JSON.stringify({
    hasCompletedOnboarding: true,
    theme: 'dark',
    customApiKeyResponses: { approved: ['sk-ant-dummy'], rejected: [] },
    bypassPermissionsModeAccepted: true,
    projects: { [project]: { hasTrustDialogAccepted: true, hasCompletedProjectOnboarding: true } },
  })

interface Screen {
  /** One word, entered when the screen shows it: what comes in one piece with its end is taken for pasted. */
  readonly type: (word: string) => Promise<void>
}

async function onScreen(place: Place, work: (screen: Screen) => Promise<void>): Promise<void> {
  await place.write(`${place.home}/.claude.json`, answeredBefore(place.project))
  await place.write('.claude/settings.json', JSON.stringify({ skipDangerousModePermissionPrompt: true }))
  const line = 'stty rows 40 cols 140; exec claude --permission-mode bypassPermissions'
  const child = spawn('script', ['-qfec', line, '/dev/null'], {
    cwd: place.project,
    env: { ...place.environment, TERM: 'xterm-256color', SHELL: '/bin/sh' },
    detached: true,
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece: string) => (text += piece))
  child.stdin.on('error', () => undefined)
  const drawn = (from: number) => stripVTControlCharacters(text.slice(from)).replaceAll(/\s/g, '')
  const shows = (expected: string, from = 0) => expect.poll(() => drawn(from)).toContain(expected)
  try {
    await shows('bypasspermissionson')
    await work({
      async type(word) {
        const before = text.length
        child.stdin.write(word)
        await shows(word, before)
        const { length } = place.server.turns
        const entered = () => {
          child.stdin.write('\r')
          return place.server.turns.length
        }
        await expect.poll(entered, { interval: 1_000 }).toBeGreaterThan(length)
      },
    })
  } finally {
    if (child.pid !== undefined) process.kill(-child.pid, 'SIGKILL')
  }
}

function untilStatus(place: Place, expected: Partial<Status> & { readonly waitsFor?: unknown }) {
  return expect.poll(() => statusOf(place), { interval: 500 }).toMatchObject(expected)
}

const server = {
  tool: 'Bash',
  args: { command: 'touch started.txt; tail -f /dev/null', description: 'server', run_in_background: true },
}

describeWith('claude', 'given a person before Claude Code', () => {
  it.skipIf(!hasTerminal)(
    'is not nagged after an answer, left alone while a server starts, and blocked at a red claim (needs util-linux)',
    async () => {
      expect(realAgent('claude').kind).toBe('installed')
      const steps = [
        { text: 'It is a thing.' },
        server,
        { text: 'Started.' },
        { text: 'All done.' },
        mends('claude'),
        { text: 'Done, really.' },
      ]
      await withHooks(claude, { steps }, async (place) => {
        await onScreen(place, async ({ type }) => {
          await type('explain')
          await untilStatus(place, { task: 'explain', outcome: 'unverified' })
          expect(place.server.turns).toHaveLength(1)
          await type('serve')
          await untilStatus(place, { task: 'serve', outcome: null, waitsFor: [expect.any(String)] })
          expect(place.server.turns).toHaveLength(3)
          await type('finish')
          await untilStatus(place, { outcome: 'verified' })
          expect(place.server.turns[4]?.told).toContain('exit code 1')
          expect(place.server.turns).toHaveLength(6)
        })
      })
    },
    testTimeoutMs,
  )
})
