import { describe, expect, it } from 'vitest'
import {
  expectRefusals,
  hookProtocolContract,
  recordedHooks,
} from '../../protocol/hooks/fixtures/contract.ts'
import { claudeCodeHooks } from './hooks.ts'

hookProtocolContract(claudeCodeHooks)

it('refuses a call in the words of the agent', () => {
  expectRefusals(claudeCodeHooks, 'PreToolUse', /"permissionDecision":"(deny|ask)"/)
})

const environment = { CLAUDE_CODE_SESSION_ATTENDED: '0' }
const recorded = recordedHooks(new URL('fixtures/hooks.jsonl', import.meta.url))
const eventsOf = (env: Readonly<Record<string, string>>) =>
  recorded.map(({ event, payload }) => {
    const reading = claudeCodeHooks.read(event, payload, env)
    if (reading.kind === 'unreadable') throw new Error(reading.problem)
    return reading.event
  })

describe('given a recorded session of Claude Code', () => {
  it('tells what happened in it', () => {
    expect(eventsOf(environment).map(({ kind }) => kind)).toEqual([
      'session-started',
      'prompted',
      'stopping',
      ...[
        'tool-proposed',
        'tool-finished',
        'tool-proposed',
        'tool-finished',
        'tool-proposed',
        'tool-finished',
      ],
      'stopping',
      'session-ended',
    ])
  })

  it('tells a call and its result by one id, and whether it failed', () => {
    const finished = eventsOf(environment).flatMap((event) => (event.kind === 'tool-finished' ? [event] : []))
    expect(finished).toMatchObject([
      {
        call: { callId: 'toolu_call_1_0', tool: 'Bash', act: { kind: 'command', script: 'echo hi; exit 3' } },
        result: { status: 'error', output: 'Exit code 3\nhi' },
      },
      { call: { act: { kind: 'write', path: expect.any(String) as unknown, content: 'one\n' } } },
      { result: { status: 'ok', output: 'out' } },
    ])
  })

  it('takes a question for one only where it is attended', () => {
    const [first] = eventsOf({ CLAUDE_CODE_SESSION_ATTENDED: '1' }).filter(({ kind }) => kind === 'stopping')
    expect(first).toMatchObject({ text: 'Shall I?', asksUser: true })
    expect(eventsOf(environment).find(({ kind }) => kind === 'stopping')).not.toHaveProperty('asksUser')
  })
})

describe('given payloads of the documentation', () => {
  const common = { session_id: 's', cwd: '/p' }
  const read = (event: string, payload: object, environment = {}) => {
    const reading = claudeCodeHooks.read(
      event,
      { ...common, hook_event_name: event, ...payload },
      environment,
    )
    return reading.kind === 'read' ? reading.event : reading
  }

  it('an agent that waits for its background is not done', () => {
    const tasks = [
      { id: '1', type: 'shell', status: 'running', command: 'npm run dev' },
      { id: '2', type: 'shell', status: 'completed', command: 'ls' },
    ]
    const crons = [{ id: '3', schedule: '* * * * *', recurring: true, prompt: 'look again' }]
    const stop = {
      stop_hook_active: false,
      last_assistant_message: '',
      background_tasks: tasks,
      session_crons: crons,
    }
    expect(read('Stop', stop)).toMatchObject({ waitingFor: ['npm run dev', 'look again'] })
    const alone = { CLAUDE_CODE_SESSION_ATTENDED: '0' }
    expect(read('Stop', stop, alone)).toMatchObject({ waitingFor: ['npm run dev'] })
  })

  it.each([
    ['Write', {}, { kind: 'unreadable' }],
    ['Edit', { file_path: 1 }, { kind: 'unreadable' }],
    ['Edit', { file_path: 'x', edits: [{}] }, { kind: 'write', path: 'x' }],
    ['NotebookEdit', { notebook_path: 'x.ipynb', new_source: 'a' }, { kind: 'write', path: 'x.ipynb' }],
  ])('a tool that changes files is never taken for harmless: %s %j', (tool, args, act) => {
    const payload = { tool_name: tool, tool_input: args }
    expect(read('PreToolUse', payload)).toMatchObject({ call: { act } })
  })

  it.each(['mcp__x__delete', 'NotebookPlan', 'constructor'])(
    'a tool that nobody knows may do anything: %s',
    (tool) => {
      expect(read('PreToolUse', { tool_name: tool, tool_input: {} })).toMatchObject({
        call: { act: { kind: 'unknown' } },
      })
    },
  )
})

describe('given a prompt that nobody has typed', () => {
  const prompted = (prompt: string) =>
    claudeCodeHooks.read(
      'UserPromptSubmit',
      { session_id: 's', cwd: '/srv/p', hook_event_name: 'UserPromptSubmit', prompt },
      {},
    )

  it.each([
    '<task-notification>\n<task-id>b1</task-id>\n<status>completed</status>\n</task-notification>',
    '  <task-notification>…',
  ])('hears no prompt where work in the background has ended: %j', (prompt) => {
    expect(prompted(prompt)).toMatchObject({ kind: 'read', event: { kind: 'irrelevant' } })
  })
})

it('a claim is kept from stopping by an answer that no text of the evidence can turn into a broken hook', () => {
  const reply = claudeCodeHooks.answer('Stop', {
    kind: 'block',
    feedback: 'cat: x: No such file or directory',
  })
  expect(reply).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(reply.stdout)).toEqual({ decision: 'block', reason: 'cat: x: No such file or directory' })
})
