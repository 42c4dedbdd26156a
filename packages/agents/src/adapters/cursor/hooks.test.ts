import { describe, expect, it } from 'vitest'
import {
  expectRefusals,
  hookProtocolContract,
  recordedHooks,
} from '../../protocol/hooks/fixtures/contract.ts'
import { cursorHooks } from './index.ts'

hookProtocolContract(cursorHooks)

it('refuses a call in the words of the agent', () => {
  expectRefusals(cursorHooks, 'preToolUse', /"permission":"deny"/)
})

// As its documentation has them: it does not run without an account.
const documented = recordedHooks(new URL('fixtures/hooks.jsonl', import.meta.url))
const readings = documented.map(({ event, payload }) => cursorHooks.read(event, payload, {}))
const eventsAt = (name: string) =>
  readings.flatMap((reading) =>
    reading.kind === 'read' && reading.event.kind === name ? [reading.event] : [],
  )

describe('given payloads of the documentation of Cursor', () => {
  it('all of them are read, and belong to the project', () => {
    for (const reading of readings) expect(reading).toMatchObject({ kind: 'read', folder: '/project' })
  })

  it('a command and its results are read', () => {
    expect(eventsAt('tool-proposed')).toMatchObject([
      { call: { callId: 'abc123', act: { kind: 'command', script: 'npm test' } } },
    ])
    expect(eventsAt('tool-finished')).toMatchObject([
      { result: { status: 'error', output: 'one failed', durationMs: 5432 } },
      { result: { status: 'error', output: 'Command timed out after 30s' } },
    ])
  })

  it('only a turn that was completed is a claim', () => {
    expect(eventsAt('stopping')).toMatchObject([{ wasBlocked: true }])
    expect(eventsAt('turn-failed')).toHaveLength(1)
    expect(eventsAt('irrelevant')).toHaveLength(1)
  })

  it('a question to its user is refused, for Cursor does not ask it', () => {
    const { stdout } = cursorHooks.answer('preToolUse', { kind: 'ask', reason: 'a person must decide' })
    expect(JSON.parse(stdout)).toMatchObject({ permission: 'deny', agent_message: 'a person must decide' })
  })

  it('a background agent has nobody before it', () => {
    expect(readings[0]).toMatchObject({ unattended: true })
  })
})
