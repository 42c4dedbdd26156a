import { describe, expect, it } from 'vitest'
import {
  interactiveTurn,
  callIn,
  callSignal,
  endSignal,
  folder,
  hookLine,
  permissionLine,
  stepSignal,
} from '../fixtures/asked.ts'

const denied = (reason: string) => ({
  hookSpecificOutput: {
    hookEventName: 'PreToolUse',
    permissionDecision: 'deny',
    permissionDecisionReason: reason,
  },
})
const yes = (command: string) => ({ allowed: true as const, args: { command } })
const no = { allowed: false as const, reason: 'a rule forbids it' }

describe('given a reply with calls', () => {
  it('tells them together with its end, each with what it would do', async () => {
    const turn = interactiveTurn()
    expect(await turn.told(callSignal('a', 'ls'), callSignal('b', 'touch x'))).toEqual([])
    const reported = await turn.told(stepSignal)
    expect(reported.map(({ kind }) => kind)).toEqual(['call', 'call', 'step'])
    expect(callIn(reported, 1)).toMatchObject({
      callId: 'b',
      step: 'follows',
      hasOwnPermissions: true,
      summary: 'Bash: touch x',
      action: { kind: 'command', script: 'touch x', folder },
    })
  })

  it('keeps the answer until the hook asks for it', async () => {
    const turn = interactiveTurn()
    await turn.told(callSignal('a', 'ls'))
    const call = callIn(await turn.told(stepSignal))
    await call.answer?.(no)
    expect(turn.written).toEqual([])
    await turn.asked(hookLine('a', 'Bash', { command: 'ls' }))
    expect(turn.answers()).toEqual([['hook-a', denied('a rule forbids it')]])
  })

  it('keeps the hook until there is an answer; a yes leaves it to its own permissions', async () => {
    const turn = interactiveTurn()
    await turn.told(callSignal('a', 'ls'))
    await turn.asked(hookLine('a', 'Bash', { command: 'ls' }))
    expect(turn.calls.isHeldBack).toBe(true)
    const call = callIn(await turn.told(stepSignal))
    expect(turn.calls.isHeldBack).toBe(false)
    expect(turn.written).toEqual([])
    await call.answer?.(yes('ls'))
    expect(turn.answers()).toEqual([['hook-a', {}]])
  })
})

describe('given an answer that says more than yes', () => {
  it.each([
    [
      'of somebody who was asked',
      { ...yes('ls'), isApproved: true as const },
      { permissionDecision: 'allow', permissionDecisionReason: 'whoever was asked has said yes' },
    ],
    ['with other arguments', yes('ls -a'), { updatedInput: { command: 'ls -a' } }],
  ])('%s, hands it on', async (_, answer, decision) => {
    const turn = interactiveTurn()
    await turn.told(callSignal('a', 'ls'))
    await callIn(await turn.told(stepSignal)).answer?.(answer)
    await turn.asked(hookLine('a', 'Bash', { command: 'ls' }))
    expect(turn.answers()).toEqual([
      ['hook-a', { hookSpecificOutput: { hookEventName: 'PreToolUse', ...decision } }],
    ])
  })
})

describe('given a hook that asks for something else than the reply has told', () => {
  it('decides by what the hook says, where nothing is decided yet', async () => {
    const turn = interactiveTurn()
    await turn.told(callSignal('a', 'ls'))
    await turn.asked(hookLine('a', 'Bash', { command: 'rm x' }, '/srv/project/below'))
    expect(callIn(await turn.told(stepSignal))).toMatchObject({
      args: { command: 'rm x' },
      action: { script: 'rm x', folder: '/srv/project/below' },
    })
  })

  it('asks once more, where it was decided on', async () => {
    const turn = interactiveTurn()
    await turn.told(callSignal('a', 'ls'))
    await callIn(await turn.told(stepSignal)).answer?.(yes('ls'))
    const reported = await turn.asked(hookLine('a', 'Bash', { command: 'rm x' }))
    expect(turn.written).toEqual([])
    expect(reported).toMatchObject([
      { kind: 'call-ended', callId: 'a', status: 'interrupted' },
      { kind: 'call', callId: 'a-asked-1', args: { command: 'rm x' }, hasOwnPermissions: true },
    ])
    await callIn(reported).answer?.(no)
    expect(turn.answers()).toEqual([['hook-a', denied('a rule forbids it')]])
    expect(await turn.told(endSignal('a', 'error'))).toMatchObject([{ callId: 'a-asked-1' }])
  })

  it('takes a path that is only written out for the same', async () => {
    const turn = interactiveTurn()
    const args = { file_path: 'a.txt', content: 'x' }
    await turn.told({ kind: 'call', callId: 'a', tool: 'Write', args, effect: 'write' })
    const call = callIn(await turn.told(stepSignal))
    expect(call.action).toMatchObject({ kind: 'change', files: [{ path: 'a.txt', after: 'x' }] })
    await call.answer?.({ allowed: true, args })
    await turn.asked(hookLine('a', 'Write', { ...args, file_path: `${folder}/a.txt` }))
    expect(turn.answers()).toEqual([['hook-a', {}]])
  })
})

describe('given a call that its own permissions would ask a person for', () => {
  async function wasAskedTwice() {
    const turn = interactiveTurn()
    await turn.told(callSignal('a', 'node x.js'))
    await callIn(await turn.told(stepSignal)).answer?.(yes('node x.js'))
    await turn.asked(hookLine('a', 'Bash', { command: 'node x.js' }))
    const reported = await turn.asked(permissionLine('a', 'Bash', { command: 'node x.js' }))
    return { turn, told: reported }
  }

  it('is asked for once more, now without permissions behind us', async () => {
    const { turn, told: reported } = await wasAskedTwice()
    expect(reported).toMatchObject([
      { kind: 'call-ended', callId: 'a', status: 'interrupted' },
      {
        kind: 'call',
        callId: 'a-asked-1',
        step: 'told',
        summary: 'Bash: node x.js (Claude Code: This command requires approval)',
        action: { script: 'node x.js' },
      },
    ])
    expect(callIn(reported)).not.toHaveProperty('hasOwnPermissions')
    await callIn(reported).answer?.(yes('node x.js'))
    expect(turn.answers().at(-1)).toEqual([
      'permission-a',
      { behavior: 'allow', updatedInput: { command: 'node x.js' } },
    ])
    expect(await turn.told(endSignal('a'))).toMatchObject([{ callId: 'a-asked-1', status: 'ok' }])
  })

  it('is denied with the reason', async () => {
    const { turn, told: reported } = await wasAskedTwice()
    await callIn(reported).answer?.(no)
    expect(turn.answers().at(-1)).toEqual([
      'permission-a',
      { behavior: 'deny', message: 'a rule forbids it' },
    ])
  })

  it('reaches out of the work folder: then our gate sees where to', async () => {
    const turn = interactiveTurn()
    const args = { file_path: '/etc/passwd', content: 'x' }
    const reported = await turn.asked(permissionLine('a', 'Write', args))
    expect(callIn(reported).action).toEqual({
      kind: 'change',
      files: [{ path: '/etc/passwd', before: undefined, after: undefined }],
    })
  })

  it('changes a file of the work folder: it is asked for all the same, as Claude Code does', async () => {
    const turn = interactiveTurn()
    const args = { file_path: `${folder}/.claude/settings.json`, content: '{}' }
    const call = callIn(await turn.asked(permissionLine('a', 'Write', args)))
    expect(call).toMatchObject({ effect: 'write' })
    expect(call.preview).toContain('settings.json')
    expect(call).not.toHaveProperty('action')
  })
})

describe('given a call that is a question to its user', () => {
  const question = permissionLine('a', 'AskUserQuestion', {}, { requires_user_interaction: true })
  const exit = permissionLine('a', 'ExitPlanMode', {}, { requires_user_interaction: true })

  it('says that nobody is there', async () => {
    const turn = interactiveTurn()
    expect(await turn.asked(question)).toEqual([])
    expect(turn.answers()).toMatchObject([['permission-a', { behavior: 'deny' }]])
  })

  it('lets it change nothing where its user wants a plan', async () => {
    const turn = interactiveTurn()
    turn.calls.beginIn('plan')
    await turn.asked(exit, permissionLine('b', 'Write', { file_path: 'x', content: 'x' }))
    expect(turn.answers()).toMatchObject([
      ['permission-a', { behavior: 'deny' }],
      ['permission-b', { behavior: 'deny' }],
    ])
  })
})

describe('given what is not asked', () => {
  it('lets a sub-agent begin: each of its calls is asked for', async () => {
    const turn = interactiveTurn()
    const task = { ...callSignal('t', ''), tool: 'Task', holdsOthers: true as const }
    expect(await turn.told(task)).toEqual([task])
    expect(await turn.asked(hookLine('t', 'Agent', {}))).toEqual([])
    expect(turn.answers()).toEqual([['hook-t', {}]])
  })

  it.each([
    ['elicitation', { subtype: 'success', response: { action: 'decline' } }],
    ['request_user_dialog', { subtype: 'error' }],
  ])('answers %s, so that it does not wait for ever', async (subtype, response) => {
    const turn = interactiveTurn()
    await turn.asked({ type: 'control_request', request_id: 'r', request: { subtype } })
    expect(turn.written).toMatchObject([{ type: 'control_response', response }])
  })
})
