import { describe, expect, it } from 'vitest'
import { approval, command, notification, play, request, shortly } from '../fixtures/played-turn.ts'

describe('given what Codex asks', () => {
  it('takes a second question about a command for another call, which leaves the sandbox', () => {
    const asks = request(approval, { itemId: 'c1', command: 'sh -c ls' })
    const { told: reported } = play([
      notification('item/started', command('c1')),
      asks,
      asks,
      notification('item/completed', command('c1', 'completed')),
    ])
    expect(shortly(reported)).toEqual([
      'asked c1 exec_command',
      'ended c1 error',
      'asked c1-again-2 exec_command',
      'ended c1-again-2 ok',
    ])
    expect(reported.flatMap((one) => (one.kind === 'asked' ? [one.subject] : []))[1]).toMatchObject({
      isRepeated: true,
    })
  })

  it('answers with no what only a person could answer, and never leaves a question open', () => {
    const asked = [
      request('item/permissions/requestApproval', {}),
      request('mcpServer/elicitation/request', {}),
      request('item/tool/requestUserInput', {}),
      request('something/new', {}),
    ]
    expect(shortly(play(asked).told)).toEqual(['answers', 'answers', 'answers', 'answers'])
  })

  it('has a name and no way around the gate for what it does not know', () => {
    const asked = [
      request(approval, { itemId: 'n', networkApprovalContext: {} }),
      request(approval, { kind: 'writeStdin', itemId: 's', command: 'x' }),
    ]
    const { told: reported } = play(asked)
    expect(shortly(reported)).toEqual(['asked n exec_command', 'asked s write_stdin'])
    expect(reported.map((one) => (one.kind === 'asked' ? one.subject.kind : ''))).toEqual(['other', 'other'])
  })
})
