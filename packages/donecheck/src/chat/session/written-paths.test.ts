import { describe, expect, it } from 'vitest'
import { runStarted, stamp, type Step } from '@donecheck/core/testing'
import type { JsonValue } from '@donecheck/core/internal/events'
import { WrittenPaths } from './steps.ts'

type Status = 'ok' | 'error' | 'refused'

const spent = { usage: null, costUsd: null }

function call(
  tool: string,
  args: JsonValue,
  status: 'ok' | 'error' | 'refused',
  at: number,
): readonly Step[] {
  const callId = `call-${at}`
  const toolCalls = [{ callId, tool, args, argsDigest: '' }]
  return [
    { type: 'model-replied', text: '', toolCalls, finish: 'tool-calls', ...spent },
    status === 'refused'
      ? { type: 'tool-refused', callId, by: 'gate', reason: 'no' }
      : { type: 'tool-returned', callId, status, output: '' },
  ]
}

describe('given the calls of a run', () => {
  it('then files count that a call names as what it writes, once it has succeeded', () => {
    const patch = '*** Begin Patch\n*** Add File: d.txt\n+d\n*** End Patch'
    const calls: readonly (readonly [tool: string, args: JsonValue, status?: Status])[] = [
      ['write_file', { path: 'a.txt', content: 'named.txt' }],
      ['Write', { file_path: '/shop/in/b.txt' }],
      ['run_shell', { command: 'touch c.txt && npm run build && cat read.txt' }],
      ['apply_patch', { patch }],
      ['apply_patch', { changes: [{ path: '/shop/e.txt' }] }],
      ['read_file', { path: 'read.txt' }],
      ['write_file', { path: 'refused.txt' }, 'refused'],
      ['write_file', { path: 'failed.txt' }, 'error'],
    ]
    const steps = calls.flatMap(([tool, args, status], at) => call(tool, args, status ?? 'ok', at))
    const written = new WrittenPaths('/shop')
    for (const event of stamp([runStarted(), ...steps])) written.note(event)
    const paths = [...written.paths].filter((path) => path.endsWith('.txt'))
    expect(paths).toEqual(['a.txt', 'in/b.txt', 'c.txt', 'd.txt', 'e.txt'])
  })
})
