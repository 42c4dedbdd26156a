import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { readAppServerWords } from './thread.ts'

describe("given the user's own words", () => {
  it.each([
    [['-m', 'gpt-5.5'], { model: 'gpt-5.5' }],
    [['--model=gpt-5.5'], { model: 'gpt-5.5' }],
    [['-s', 'read-only'], { sandbox: 'read-only' }],
    [['-a', 'on-request'], { approvalPolicy: 'on-request' }],
    [['-c', 'model_reasoning_effort="high"'], { flags: ['-c', 'model_reasoning_effort="high"'] }],
    [['--enable', 'x'], { flags: ['--enable', 'x'] }],
    [['-c', 'sandbox_mode="read-only"'], { sandbox: undefined, approvalPolicy: 'untrusted' }],
    [['-c', 'approval_policy="never"'], { approvalPolicy: undefined }],
    [['--yolo'], { sandbox: 'danger-full-access', approvalPolicy: 'never' }],
  ])('lets %j win', (words, expected) => {
    expect(readAppServerWords(words)).toMatchObject(expected)
  })

  it.each([
    [['--search'], /--agent 'codex exec --search \{prompt\}'/],
    [['exec'], /--agent 'codex exec \{prompt\}'/],
    [['-s', 'none'], /workspace-write/],
    [['-m'], /needs a value/],
  ])('refuses %j and tells the way out', (words, way) => {
    expect(() => readAppServerWords(words)).toThrow(UsageError)
    expect(() => readAppServerWords(words)).toThrow(way)
  })
})
