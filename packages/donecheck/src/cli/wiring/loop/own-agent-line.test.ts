import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { noticeOfOwnLine, refuseUnknownProgram } from './loop-options.ts'

describe('given a command line of the user’s own', () => {
  it.each([
    ['claude -p', 'claude-code'],
    ['FOO=1 BAR="" claude', 'claude-code'],
    ['claude | tee log', 'claude-code'],
    ['/opt/bin/codex exec {prompt}', 'codex'],
    ['"./gemini" -p {prompt}', 'gemini'],
    ['opencode run {prompt}', 'opencode'],
  ])('tells of %s that the adapter of the agent is not in use', (line, name) => {
    expect(noticeOfOwnLine(line)).toContain(`With --agent ${name}, `)
  })

  it.each(['aider --message {prompt}', './my-claude', 'echo claude', 'sh -c "claude"', '', '  '])(
    'has nothing to say of %j',
    (line) => {
      expect(noticeOfOwnLine(line)).toBeUndefined()
    },
  )
})

describe('given a program that is not there', () => {
  const environment = { PATH: '/nowhere' }

  it.each([
    ['cluade', 'claude'],
    ['codxe --model x', 'codex'],
    ['open-code', 'opencode'],
  ])('asks of %s whether %s was meant', async (line, meant) => {
    const refused = refuseUnknownProgram(line, environment)
    await expect(refused).rejects.toThrow(UsageError)
    await expect(refused).rejects.toThrow(`did you mean "${meant}"? Found here: no known agent`)
  })

  it.each(['my-agent', 'my-agent {prompt}'])('refuses %s, although no name is near', async (line) => {
    await expect(refuseUnknownProgram(line, environment)).rejects.toThrow('no program "my-agent" on PATH.')
  })

  it.each(['exec my-agent', 'cluade | tee log', './my tool', ''])(
    'leaves %j to the shell that runs it',
    async (line) => {
      await expect(refuseUnknownProgram(line, environment)).resolves.toBeUndefined()
    },
  )
})

describe('given a program that is there under a name like another one’s', () => {
  it('is run as it is', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'donecheck-line-'))
    try {
      await writeFile(join(folder, 'cluade'), '#!/bin/sh\n', { mode: 0o755 })
      await expect(refuseUnknownProgram('cluade --model x', { PATH: folder })).resolves.toBeUndefined()
    } finally {
      await rm(folder, { recursive: true })
    }
  })
})
