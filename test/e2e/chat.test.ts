/** A session at a real terminal: what a person types, and what stands on the screen. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, type Place } from './donecheck.ts'
import { withAgent } from './fake-claude.ts'
import * as claude from './fake-claude.ts'
import { calls, says, withModelServer } from './model-server.ts'
import { atTerminal, keys, type AtTerminal, type TerminalOptions } from './terminal.ts'

const colour = new RegExp(`${keys.escape}\\[[0-9;]*3[0-7]m`)
/** A frame, or a cursor that goes up. */
const drawing = new RegExp(`${keys.escape}\\[(?:\\?2026h|[0-9]*A)`)

const countOf = (word: string, text: string) => text.match(new RegExp(`\\b${word}\\b`, 'g'))?.length ?? 0

type Steps = Parameters<typeof withModelServer>[0]

/** A session with a model that says these things; the requests that it was sent so far. */
async function session(
  steps: Steps,
  words: readonly string[],
  work: (terminal: AtTerminal, place: Place, requests: () => readonly unknown[]) => Promise<void>,
  options: TerminalOptions = {},
): Promise<void> {
  await inPlace({ 'a.txt': 'a\n' }, (place) =>
    withModelServer(steps, says('Nothing more to do.'), ({ baseUrl, requests }) =>
      atTerminal(
        place,
        ['--base-url', baseUrl, '--model', 'm', '--memory', 'off', ...words],
        options,
        (terminal) => work(terminal, place, requests),
      ),
    ),
  )
}

const writes = (path: string) => calls('write_file', { path, content: `${path}\n` })

describe('given a session with a model', () => {
  it('knows its slash commands', async () => {
    await session([writes('b.txt'), says('Done.')], ['--yes'], async (terminal, place) => {
      await terminal.shows('no check yet')
      terminal.press('/un')
      await terminal.shows('take back what the latest message has changed')
      terminal.press('til "test -e b.txt"')
      terminal.press(keys.enter)
      await terminal.shows('until: test -e b.txt')
      terminal.say('/budget turns=7')
      await terminal.shows('turns=7')
      terminal.say('Make b.txt.')
      await terminal.shows('→ verified after 1 turn')
      await terminal.shows('verified · turn 1/7')
      const answers: readonly (readonly [command: string, answer: string])[] = [
        ['/checks', '✓ test -e b.txt passed'],
        ['/budget', '1 of 7 turns'],
        ['/goal', 'complete: test -e b.txt passed'],
        ['/diff', '+b.txt'],
        ['/why', 'What it cost'],
        ['/undo', 'taken back: b.txt'],
        ['/undo back', 'put back: b.txt'],
        ['/undo', 'taken back: b.txt'],
        ['/approve', 'nothing waits for an answer'],
        ['/model other', 'driven by other'],
        ['/resume', 'verified     Make b.txt.'],
        ['/nothing', 'there is no /nothing'],
        ['/chekcs', 'did you mean /checks?'],
        ['/help', 'stop'],
      ]
      for (const [command, answer] of answers) {
        terminal.press('\u000C')
        terminal.say(command)
        await terminal.until((screen) => {
          const at = screen.lastIndexOf(`> ${command}\n`)
          return at !== -1 && screen.slice(at).includes(answer)
        })
      }
      expect(existsSync(join(place.folder, 'b.txt'))).toBe(false)
      terminal.say('/quit')
      expect(await terminal.exitCode).toBe(0)
    })
  })

  it('takes 10,000 pasted characters and 1 MB of output, at any width, and clears no scrollback', async () => {
    const prints = calls('run_shell', { command: 'seq 1 160000; echo the end' })
    const options = { environment: { NO_COLOR: '1' } }
    const work = async (terminal: AtTerminal, place: Place): Promise<void> => {
      await terminal.shows('ready')
      const pasted = 'paste '.repeat(1700).trim()
      terminal.press(`\u001B[200~${pasted}\u001B[201~`)
      await terminal.shows('[paste')
      terminal.press(keys.enter)
      await terminal.shows('→ unverified')
      const record = (await place.run(['show', 'last', '--json'])).stdout
      expect(record).toContain(pasted)
      expect(countOf('word', terminal.everything())).toBe(countOf('word', record))
      terminal.resize(60, 20)
      terminal.say('/help')
      await terminal.shows('Ctrl-C stops the turn')
      for (const line of terminal.screen().split('\n')) expect(line.length).toBeLessThanOrEqual(60)
      expect(countOf('word', terminal.everything())).toBeGreaterThanOrEqual(countOf('word', record))
      expect(terminal.written()).not.toContain('\u001B[3J')
      expect(terminal.written()).not.toMatch(colour)
    }
    await session([prints, says('word '.repeat(200_000))], ['--yes'], work, options)
  })
})

describe('given a session with an agent', () => {
  it('is steered between its turns, and stopped', async () => {
    const script = [claude.init, claude.calls('call-1'), claude.returned('call-1')].map(claude.says).join('')
    // The first turn ends once `go` is there, the second one never.
    const waiting = 'test -e go && exec sleep 1000; until test -e go; do sleep 0.05; done\n'
    await withAgent(`${script}${waiting}${claude.says(claude.result)}`, async (place) => {
      const environment = { PATH: `${join(place.home, 'bin')}:/usr/bin:/bin` }
      const words = ['--agent', 'claude', '--until', 'test -e done.txt']
      await atTerminal(place, words, { environment }, async (terminal) => {
        await terminal.shows('ready')
        terminal.say('Work.')
        await terminal.shows('Bash look')
        terminal.say('Mind the docs.')
        await terminal.shows('told before the next step')
        await place.write('go', '')
        await terminal.until((screen) => screen.split('> Mind the docs.')[1]?.includes('Bash look') === true)
        terminal.press(keys.controlC)
        await terminal.shows('→ interrupted')
        expect(claude.noted(place, 'prompts')).toContain('Mind the docs.')
      })
    })
  })
})

describe('given somebody who hears the screen, or whose terminal cannot move its cursor', () => {
  it('then lines come one after the other, and nothing is drawn twice', async () => {
    await session(
      [writes('b.txt'), says('Done.')],
      ['--until', 'test -e b.txt', '--approval', 'untrusted'],
      async (terminal) => {
        await terminal.shows('Say what is to be done.')
        terminal.say('Make b.txt.')
        await terminal.shows('[y] yes, once')
        terminal.say('y')
        await terminal.shows('→ verified after 1 turn')
        terminal.say('/checks')
        await terminal.shows('✓ test -e b.txt passed')
        expect(terminal.written()).not.toMatch(drawing)
        terminal.press(keys.controlD)
        expect(await terminal.exitCode).toBe(0)
      },
      { environment: { TERM: 'dumb' } },
    )
  })
})
