/** An agent that is known by name: how it is asked, what it is told, and what is said where it is not there. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { lastJson, type Ended, type Place } from './donecheck.ts'
import { calls, init, noted, result, says, withAgent } from './fake-claude.ts'

describe('given an agent with an adapter of its own', () => {
  it('is told the task, then only the evidence, in one session', async () => {
    const script = `${says(init)}grep -q 'not done' "$HOME/prompts" && touch done.txt\n${says(result)}`
    await withAgent(script, async (place, run) => {
      const ended = await run()
      expect(ended.exitCode, ended.output).toBe(0)
      expect(ended.stdout).toContain('Claude Code 9.9.9 (claude)')
      const [first = '', second = ''] = noted(place, 'words').trim().split('\n')
      const id = /--session-id ([\da-f-]{36})/.exec(first)?.[1] ?? 'none'
      expect(first).toContain('--permission-mode acceptEdits')
      expect(second).toContain('--resume the-session')
      expect(ended.stdout).toContain(`"${id}"`)
      const [task = '', evidence = ''] = noted(place, 'prompts').split('\n----')
      expect(task).toBe('Work.')
      expect(evidence).toContain('$ test -e done.txt')
      expect(evidence).not.toContain('Work.')
    })
  })

  it('is told that its process died in the middle, and goes on', async () => {
    const dies = `test -e "$HOME/died" || { touch "$HOME/died"\n${says(calls('a'))}kill -9 $$; }\n`
    const script = `${says(init)}${dies}touch done.txt\n${says(result)}`
    await withAgent(script, async (place, run) => {
      const ended = await run()
      expect(ended.exitCode, ended.output).toBe(0)
      expect(noted(place, 'prompts')).toContain('it was killed by SIGKILL')
      expect(ended.stdout).toContain('before the agent had told what became of this call')
    })
  })
})

describe('given the words of the user', () => {
  it('hands them on, and lets them win', async () => {
    const script = `${says(init)}touch done.txt\n${says(result)}`
    await withAgent(script, async (place, run) => {
      const ended = await run('--agent', 'claude --model "a model" --permission-mode plan')
      expect(ended.exitCode, ended.output).toBe(0)
      expect(noted(place, 'words')).toContain('--model a model --permission-mode plan')
      expect(noted(place, 'words')).not.toContain('acceptEdits')
    })
  })

  it('refuses those that would change how it is asked', async () => {
    await withAgent('', async (place, run) => {
      const ended = await run('--agent', 'claude --output-format text')
      expect(ended.exitCode).toBe(2)
      expect(ended.stdout + ended.stderr).toContain('--output-format cannot be given to claude')
      expect(existsSync(join(place.home, 'words'))).toBe(false)
    })
  })

  it.each(['claude -p {prompt}', 'claude -p', 'sh ./claude', 'claude -p {prompt} | tee log.txt'])(
    'runs %s as any other program',
    async (agent) => {
      const answers = 'touch done.txt; echo fine\n'
      const work = async (_: Place, run: (...more: readonly string[]) => Promise<Ended>) => {
        const ended = await run('--agent', agent)
        expect(ended.exitCode, ended.output).toBe(0)
        expect(ended.stdout).toContain('"kind":"command"')
        expect(lastJson(ended)).toMatchObject({ finalText: 'fine' })
      }
      await withAgent(answers, work, { files: { claude: answers } })
    },
  )
})

describe('given an agent that is not installed', () => {
  it('names those that are, and begins nothing', async () => {
    await withAgent(
      '',
      async (place, run) => {
        const ended = await run('--agent', 'claude')
        expect(ended.exitCode).toBe(2)
        expect(ended.stdout + ended.stderr).toContain(
          'Claude Code is not installed (no program \\"claude\\" on PATH); found here: codex 9.9.9',
        )
        expect(existsSync(join(place.home, 'words'))).toBe(false)
      },
      { name: 'codex' },
    )
  })

  it('says so of an agent of the protocol too', async () => {
    await withAgent('', async (_, run) => {
      const ended = await run('--agent', 'acp:no-such-agent --acp')
      expect(ended.exitCode).toBe(2)
      expect(ended.stdout + ended.stderr).toContain('was not found; found here: claude-code 9.9.9')
    })
  })
})
