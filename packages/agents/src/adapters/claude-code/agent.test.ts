import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { agentContract } from '@donecheck/engine/internal/testing/contracts'
import { claudeCodeAgent } from './agent.ts'

let folder = ''

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'donecheck-claude-'))
})

afterAll(async () => {
  await rm(folder, { recursive: true, force: true })
})

const init = { type: 'system', subtype: 'init', session_id: 's' }
const text = {
  type: 'assistant',
  message: {
    id: 'm',
    content: [{ type: 'text', text: 'It is done.' }],
    usage: { input_tokens: 3, output_tokens: 2 },
  },
}
const result = {
  type: 'result',
  subtype: 'success',
  is_error: false,
  result: 'It is done.',
  terminal_reason: 'completed',
}

/** Speaks as Claude Code does, between what it does `first` and what it does `last`. */
async function agentOf(name: string, { first = '', last }: { first?: string; last: string }) {
  const program = join(folder, name)
  const lines = [init, text].map((line) => `echo '${JSON.stringify(line)}'`).join('\n')
  await writeFile(program, `#!/bin/sh\n${first}\n${lines}\n${last}\n`, { mode: 0o755 })
  return claudeCodeAgent({ folder, timeoutMs: null, program })
}

/** A zombie does not count as alive. */
function isAlive(processId: string): boolean {
  const file = `/proc/${processId.trim()}/stat`
  return existsSync(file) && !/^\d+ \(.*\) Z/s.test(readFileSync(file, 'utf8'))
}

agentContract('claude-code', {
  replying: () => agentOf('replies', { last: `echo '${JSON.stringify(result)}'` }),
  failing: () => claudeCodeAgent({ folder, timeoutMs: null, program: join(folder, 'no-such-claude') }),
  hanging: async (onStart) => {
    const agent = await agentOf('hangs', { first: 'sleep 1000 & echo $! > child', last: 'wait' })
    return {
      description: agent.description,
      next: (asked, signal) => agent.next({ ...asked, onText: onStart }, signal),
    }
  },
  isAtWork: async () => isAlive(await readFile(join(folder, 'child'), 'utf8')),
})

describe('given words that would change how it is asked', () => {
  it.each(['-p', '--print', '--output-format=json', '--resume', '-c', '--session-id', '--input-format'])(
    'refuses %s',
    (word) => {
      expect(() => claudeCodeAgent({ folder, timeoutMs: null, words: [word] })).toThrow(UsageError)
    },
  )
})
