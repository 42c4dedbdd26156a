import { describe, expect, it } from 'vitest'
import { execArguments } from './exec-words.ts'

const first = { session: undefined, prompt: 'go' }

describe('given a turn of codex exec', () => {
  it('works in the sandbox of Codex', () => {
    expect(execArguments([], first)).toEqual([
      'exec',
      '--json',
      '--skip-git-repo-check',
      '-s',
      'workspace-write',
      '--',
      'go',
    ])
  })

  it('goes on with a thread, with the options before the word that says so', () => {
    expect(execArguments(['-m', 'x'], { session: 'thread', prompt: 'go' }).slice(-6)).toEqual([
      '-m',
      'x',
      'resume',
      'thread',
      '--',
      'go',
    ])
  })

  it.each([
    [['-s', 'read-only']],
    [['--sandbox=read-only']],
    [['--yolo']],
    [['-c', 'sandbox_mode="read-only"']],
    [['--approve-for-me']],
  ])("lets the user's own %j win", (words) => {
    expect(execArguments(words, first)).not.toContain('workspace-write')
  })

  it('says nothing twice', () => {
    expect(execArguments(['--json'], first).filter((word) => word === '--json')).toHaveLength(1)
  })

  it('hands any prompt on as one argument that the system takes', () => {
    const hostile = `--help\0${'x'.repeat(200 * 1024)}`
    const args = execArguments([], { session: undefined, prompt: hostile })
    const prompt = args.at(-1) ?? ''
    expect(args.at(-2)).toBe('--')
    expect(prompt.startsWith('--help\uFFFD')).toBe(true)
    expect(Buffer.byteLength(prompt)).toBeLessThan(128 * 1024)
  })
})
