import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Payload } from '../../protocol/host/index.ts'
import type { RpcCall } from '../../protocol/stream/index.ts'
import {
  approval,
  linesOf,
  message,
  notification,
  play,
  shortly,
  threadId,
  turnId,
} from './fixtures/played-turn.ts'

describe('given a recorded turn', () => {
  const { told: reported } = play(linesOf('app-server-turn').map(message), linesOf('rollout'))

  it('tells what is asked, what is done and what each reply has used, in their order', () => {
    expect(shortly(reported)).toEqual([
      'text I look.',
      'asked c2 exec_command',
      'asked c1 exec_command',
      'ended c2 ok',
      'ended c1 ok',
      'used',
      'asked c3 exec_command',
      // It continues in the background, and its model knows that.
      'ended c3 ok',
      'used',
      // The stream does not report a failed patch, nor the tools of goals.
      'call c4 apply_patch',
      'ended c4 error',
      'used',
      'asked c5 apply_patch',
      'ended c5 ok',
      'used',
      'finding',
      'call c6 create_goal',
      'ended c6 ok',
      'used',
      'call c7 update_goal',
      'ended c7 ok',
      'used',
      'text Done.',
      'used',
    ])
  })

  it('tells the script of a command without the shell that runs it, and whether it would leave the sandbox', () => {
    const asked = reported.flatMap((one) => (one.kind === 'asked' ? [one] : []))
    expect(asked[0]?.call.args).toEqual({ command: 'touch b' })
    expect(asked[0]?.subject).toMatchObject({
      script: 'touch b',
      folder: '/project',
      asksToLeave: 'I need it',
    })
    expect(asked[1]?.subject).toMatchObject({ script: 'ls', asksToLeave: undefined })
    expect(asked[3]?.subject).toMatchObject({
      kind: 'change',
      updates: [
        { path: '/project/del.txt', kind: 'delete' },
        { path: '/project/src.txt', kind: 'update', movedTo: '/project/dst.txt' },
      ],
    })
  })
})

function used(total: number, of: { readonly turnId?: string; readonly threadId?: string } = {}): RpcCall {
  const tokenUsage = {
    total: { inputTokens: total, outputTokens: 0 },
    last: { inputTokens: 7, outputTokens: 0 },
  }
  return notification('thread/tokenUsage/updated', { tokenUsage, ...of })
}

function steps(messages: readonly RpcCall[]): readonly number[] {
  return play(messages).told.flatMap((one) => (one.kind === 'used' ? [one.usage.inputTokens] : []))
}

describe('given a thread that is gone on with', () => {
  it('books what its sub-agents use', () => {
    expect(
      steps([
        used(50, { threadId: 'sub', turnId: 'x' }),
        used(500),
        used(80, { threadId: 'sub', turnId: 'x' }),
      ]),
    ).toEqual([7, 7, 30])
  })
})

function completed(status: string, error: Payload | null = null, id = turnId): RpcCall {
  return notification('turn/completed', { turn: { id, status, error } })
}

describe('given the end of a turn', () => {
  it.each([
    ['interrupted', null, { problem: 'somebody interrupted it' }],
    ['failed', { message: 'x', codexErrorInfo: 'unauthorized' }, { failure: { kind: 'configuration' } }],
    ['something new', null, { failure: { kind: 'server-error' } }],
  ])('takes %s for no claim', (status, error, expected) => {
    expect(play([completed(status, error)]).translator.over).toMatchObject(expected)
  })

  it('does not take the end of another turn or thread for it', () => {
    const others = [
      completed('completed', null, 'another'),
      notification('turn/completed', { threadId: 'sub', turn: { id: turnId, status: 'completed' } }),
    ]
    expect(play(others).translator.over).toBeUndefined()
  })
})

describe('given a goal', () => {
  const goal = (status: string, of: string | null = turnId) =>
    notification('thread/goal/updated', { turnId: of, goal: { status } })

  it('is paused each time it becomes active, and not for each of its updates', () => {
    const reported = play([goal('active'), goal('active'), goal('paused'), goal('active')]).told
    expect(shortly(reported)).toEqual(['finding', 'finding'])
  })
})

describe('given a turn that nobody has asked for', () => {
  const begun = (id: string) => notification('turn/started', { turnId: undefined, turn: { id } })
  const used = (id: string, inputTokens: number) => {
    const total = { inputTokens, outputTokens: 0 }
    return notification('thread/tokenUsage/updated', { turnId: id, tokenUsage: { total, last: total } })
  }

  it('is told as such, and what it uses is booked with the turn', () => {
    const { told } = play([begun(turnId), begun('stray'), used('earlier', 70), used('stray', 100)])
    expect(shortly(told)).toEqual(['finding', 'used'])
    expect(told[1]).toMatchObject({ usage: { inputTokens: 30 } })
  })
})

describe('given a plan', () => {
  const plan = (of: Payload = {}) =>
    notification('turn/plan/updated', {
      explanation: null,
      plan: [
        { step: 'look', status: 'completed' },
        { step: 'write it', status: 'inProgress' },
        { step: 'run it', status: 'pending' },
        { step: 'tell of it', status: 'never heard of' },
      ],
      ...of,
    })

  it('tells all of it, and takes nothing for done that is not said to be', () => {
    expect(play([plan()]).told).toEqual([
      {
        kind: 'plan',
        entries: [
          { text: 'look', state: 'completed' },
          { text: 'write it', state: 'in-progress' },
          { text: 'run it', state: 'pending' },
          { text: 'tell of it', state: 'pending' },
        ],
      },
    ])
  })
})

describe('given messages of any kind', () => {
  it('goes on reading, and ends no call that was not told', () => {
    const methods = [
      'item/started',
      'item/completed',
      'thread/tokenUsage/updated',
      'thread/goal/updated',
      'turn/plan/updated',
      'turn/completed',
      approval,
      'item/fileChange/requestApproval',
    ]
    const item = fc.record(
      {
        id: fc.constantFrom('a', 'b'),
        type: fc.constantFrom('commandExecution', 'fileChange', 'agentMessage', 'collabAgentToolCall'),
        changes: fc.jsonValue(),
        status: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    const params = fc.record(
      {
        item: fc.oneof(item, fc.jsonValue()),
        itemId: fc.constantFrom('a', 'b'),
        threadId: fc.constant(threadId),
        turn: fc.jsonValue(),
        tokenUsage: fc.jsonValue(),
        goal: fc.jsonValue(),
        plan: fc.jsonValue(),
      },
      { requiredKeys: [] },
    )
    const any = fc.record({ isRequest: fc.boolean(), method: fc.constantFrom(...methods), params })
    fc.assert(
      fc.property(fc.array(any), (messages) => {
        const { told: reported } = play(
          messages.map((one): RpcCall =>
            one.isRequest ? { kind: 'request', id: 1, ...one } : { kind: 'notification', ...one },
          ),
        )
        const open = new Set<string>()
        for (const one of reported) {
          if (one.kind === 'asked') open.add(one.call.callId)
          if (one.kind === 'call') open.add(one.callId)
          if (one.kind === 'call-ended') expect(open.delete(one.callId)).toBe(true)
        }
      }),
    )
  })
})
