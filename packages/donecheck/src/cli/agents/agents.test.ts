import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { namedAgent, createNamedAgent } from './agents.ts'

describe('given what stands after --agent', () => {
  it.each([
    ['claude', 'claude-code', []],
    ['claude-code', 'claude-code', []],
    ['claude --model opus', 'claude-code', ['--model', 'opus']],
    ['codex', 'codex', []],
    ['codex -s read-only', 'codex', ['-s', 'read-only']],
    ['gemini -m gemini-2.5-pro', 'gemini', ['-m', 'gemini-2.5-pro']],
    ['opencode -m anthropic/claude-sonnet-4-5', 'opencode', ['-m', 'anthropic/claude-sonnet-4-5']],
    ['acp:gemini --acp', 'acp', ['gemini', '--acp']],
    ['acp:claude-agent-acp', 'acp', ['claude-agent-acp']],
    ['acp:"/opt/my agent" acp', 'acp', ['/opt/my agent', 'acp']],
  ])('knows the agent in %s', (line, name, words) => {
    expect(namedAgent(line)).toEqual({ name, words })
  })

  it.each([
    'my-agent {prompt}',
    'aider --message {prompt}',
    './claude',
    '/usr/bin/claude',
    'claude {prompt}',
    'claude -p',
    'claude --print --model opus',
    'claude -p "{prompt}"',
    'codex exec {prompt}',
    'gemini -p {prompt}',
    'opencode run {prompt}',
    'KEY=1 claude',
    'claude | tee log',
    'acp',
    'toString',
    '',
  ])('leaves %j to the shell', (line) => {
    expect(namedAgent(line)).toBeUndefined()
  })

  it.each(['acp:', 'acp: ', 'acp:a | b', 'acp:$AGENT'])('refuses %j', (line) => {
    expect(() => namedAgent(line)).toThrow(UsageError)
  })
})

describe('given an agent that is not installed', () => {
  it('says so, and that no other one is', async () => {
    const options = { folder: '/', environment: { PATH: '/nowhere' }, words: [], timeoutMs: 1000 }
    const asked = createNamedAgent({ name: 'opencode', words: [] }, options)
    await expect(asked).rejects.toThrow(
      'opencode is not installed (no program "opencode" on PATH); found here: no other known agent',
    )
    await expect(asked).rejects.toThrow(UsageError)
  })
})
