import { describe, expect, it } from 'vitest'
import { manualClock } from '../../../testing/index.ts'
import { hookPipeline, type HookPipelineOptions } from '../pipeline.ts'
import type { HookLists, ToolHook } from '../register/registration.ts'
import type { HookSituation } from './self-test.ts'

const situation: HookSituation = {
  tools: [
    { name: 'read_file', effect: 'read' },
    { name: 'write_file', effect: 'write' },
    { name: 'run_shell', effect: 'execute' },
  ],
  verifiers: ['npm test', 'lint'],
}

function problemsOf(
  lists: HookLists,
  changes: Partial<HookSituation> = {},
  options: HookPipelineOptions = {},
) {
  return hookPipeline(lists, options).selfTest({ ...situation, ...changes })
}

function gate(more: Partial<ToolHook> = {}): HookLists {
  return { tools: [{ name: 'gate', point: 'before_tool_call', run: () => undefined, ...more } as ToolHook] }
}

const watcher: HookLists = { tools: [{ name: 'log', point: 'after_tool_call', run: () => undefined }] }
const veto: HookLists = { verifiers: [{ name: 'veto', point: 'before_finalize', run: () => undefined }] }

describe('given hooks that can all be run', () => {
  it('there is nothing to say', async () => {
    const lists: HookLists = {
      ...gate({ match: ['write_*', 'run_shell'] }),
      verifiers: [{ name: 'veto', point: 'after_verification', match: /test$/, run: () => undefined }],
      lifecycle: [{ name: 'greet', point: 'before_turn', run: () => undefined }],
    }
    expect(await problemsOf(lists)).toEqual([])
  })
})

describe('given a hook whose point never comes', () => {
  it.each<[string, HookLists, Partial<HookSituation>, boolean, string]>([
    ['a gate without tools', gate(), { tools: [] }, true, 'there are no tools'],
    ['an observer without tools', watcher, { tools: [] }, false, 'there are no tools'],
    [
      'a gate beside an agent with its own tools',
      gate(),
      { driveHasOwnTools: true },
      true,
      'tools of its own',
    ],
    ['a veto without verifiers', veto, { verifiers: [] }, true, 'there are no verifiers'],
    [
      'a veto where nothing is finalized',
      veto,
      { points: ['before_turn'] },
      true,
      'never comes to before_finalize',
    ],
  ])('%s is told, and whether it is fatal', async (_, lists, changes, isFatal, words) => {
    const [problem, ...others] = await problemsOf(lists, changes)
    expect(problem).toMatchObject({ kind: 'unreachable', isFatal })
    expect(problem?.problem).toContain(words)
    expect(others).toEqual([])
  })
})

describe('given a matcher that is for nothing', () => {
  it('a gate that could never refuse is fatal, with the name that was meant', async () => {
    expect(await problemsOf(gate({ match: 'write_fil' }))).toEqual([
      {
        hook: 'gate',
        point: 'before_tool_call',
        kind: 'no-match',
        problem: '"write_fil" matches no tool; did you mean "write_file"?',
        isFatal: true,
      },
    ])
  })

  it('one name of several is told, and not fatal', async () => {
    const [problem] = await problemsOf(gate({ match: ['write_file', 'exec'] }))
    expect(problem).toMatchObject({ kind: 'no-match', isFatal: false })
    expect(problem?.problem).toContain('there are: read_file, write_file, run_shell')
  })

  it('one that fails open is not fatal', async () => {
    expect(await problemsOf(gate({ match: /^x/, onFailure: 'open' }))).toMatchObject([{ isFatal: false }])
  })

  it('names of verifiers are looked for among verifiers', async () => {
    const lists: HookLists = {
      verifiers: [{ name: 'veto', point: 'before_finalize', match: 'run_shell', run: () => undefined }],
    }
    expect((await problemsOf(lists))[0]?.problem).toContain('"run_shell" matches no verifier')
  })

  it('a function that is for some tool is proven', async () => {
    expect(await problemsOf(gate({ match: ({ tool }) => tool === 'run_shell' }))).toEqual([])
  })

  it.each([
    ['says no to all', () => false],
    [
      'throws without arguments',
      ({ args }: { args: unknown }) => (args as { path: string }).path.startsWith('/'),
    ],
  ])('a function that %s is not proven, and a sample would prove it', async (_, match) => {
    const [problem] = await problemsOf(gate({ match }))
    expect(problem).toMatchObject({ kind: 'unproven', isFatal: false })
    expect(problem?.problem).toContain('selfTest')
  })
})

describe('given hooks that are told at the start', () => {
  it('one that is only watched, and is never fatal', async () => {
    const problems = await problemsOf(gate({ mode: 'shadow', match: 'nothing' }))
    expect(problems).toMatchObject([
      { kind: 'only-watched', isFatal: false },
      { kind: 'no-match', isFatal: false },
    ])
  })

  it('one function at one point twice', async () => {
    const run = () => undefined
    const lists: HookLists = {
      tools: [
        { name: 'one', point: 'before_tool_call', run },
        { name: 'two', point: 'before_tool_call', run },
        { name: 'three', point: 'after_tool_call', run },
      ],
    }
    expect(await problemsOf(lists)).toMatchObject([{ hook: 'two', kind: 'doubled' }])
  })
})

describe('given a hook that asks to be run at the start', () => {
  const forbidsRemoval: Partial<Extract<ToolHook, { point: 'before_tool_call' }>> = {
    match: 'run_shell',
    run: ({ args }) => (JSON.stringify(args).includes('rm -rf') ? { decision: 'forbidden' } : {}),
  }

  it('it is run on a sample occasion that it is for, and is told so', async () => {
    const seen: object[] = []
    const run = ({ tool, effect, args, selfTest }: object & Record<string, unknown>) =>
      void seen.push({ tool, effect, args, selfTest })
    await problemsOf(gate({ match: 'write_file', selfTest: true, run } as never))
    expect(seen).toEqual([{ tool: 'write_file', effect: 'write', args: {}, selfTest: true }])
  })

  it('one without the wish is not run', async () => {
    let runs = 0
    await problemsOf(gate({ run: () => void (runs += 1) }))
    expect(runs).toBe(0)
  })

  it('one that does with its sample what it must is proven', async () => {
    const selfTest = { input: { args: { command: 'rm -rf /' } }, expect: 'denied' } as const
    expect(await problemsOf(gate({ ...forbidsRemoval, selfTest }))).toEqual([])
  })

  it('one that does not is fatal for a gate', async () => {
    const selfTest = { input: { args: { command: 'ls' } }, expect: 'denied' } as const
    expect(await problemsOf(gate({ ...forbidsRemoval, selfTest }))).toMatchObject([
      { kind: 'failed', isFatal: true, problem: 'its self-test was to end in "denied", and ended in "none"' },
    ])
  })

  it('in shadow it is held to the same', async () => {
    const selfTest = { input: { args: { command: 'rm -rf /' } }, expect: 'denied' } as const
    expect(await problemsOf(gate({ ...forbidsRemoval, selfTest, mode: 'shadow' }))).toMatchObject([
      { kind: 'only-watched' },
    ])
  })

  it('one that throws would refuse everything: fatal for a gate, told for others', async () => {
    const run = () => JSON.parse('{') as undefined
    expect(await problemsOf(gate({ selfTest: true, run }))).toMatchObject([{ kind: 'failed', isFatal: true }])
    const lists: HookLists = { lifecycle: [{ name: 'log', point: 'before_turn', selfTest: true, run }] }
    expect(await problemsOf(lists)).toMatchObject([{ kind: 'failed', isFatal: false }])
  })

  it('one that hangs is not waited for', async () => {
    const clock = manualClock(0, { autoAdvance: true })
    const run = () => new Promise<undefined>(() => undefined)
    expect(await problemsOf(gate({ selfTest: true, run }), {}, { clock })).toMatchObject([
      { kind: 'failed', problem: 'its self-test failed: it did not answer within 5000 ms' },
    ])
  })

  it.each([
    [({ tool }: { tool: string }) => tool === 'other', 'no-match'],
    [() => JSON.parse('{') as boolean, 'failed'],
  ])('a matcher that is not for its own sample is told', async (match, kind) => {
    expect(await problemsOf(gate({ match, selfTest: { input: { args: 1 } } }))).toMatchObject([
      { kind, isFatal: true },
    ])
  })

  it('a sample that cannot be copied is told', async () => {
    const input = { args: (() => 1) as never }
    expect(await problemsOf(gate({ selfTest: { input } }))).toMatchObject([{ kind: 'failed' }])
  })

  it('it counts for nothing, and takes no first occasion', async () => {
    const hooks = hookPipeline(gate({ once: true, selfTest: true }))
    await hooks.selfTest(situation)
    expect(hooks.counters()).toMatchObject([{ fired: 0 }])
  })
})

describe('given one hook at every point', () => {
  it('each can be run on a sample occasion', async () => {
    const seen: string[] = []
    const at = <Point extends string>(point: Point) => ({
      name: point,
      point,
      selfTest: true as const,
      run: () => void seen.push(point),
    })
    const lists: HookLists = {
      tools: [at('before_tool_call'), at('after_tool_call'), at('tool_result_persist')],
      verifiers: [at('before_verification'), at('after_verification'), at('before_finalize')],
      lifecycle: [
        ...[at('run_started'), at('before_turn'), at('after_turn')],
        ...[at('on_transition'), at('on_error'), at('run_ended')],
      ],
    }
    expect(await problemsOf(lists)).toEqual([])
    expect(seen).toHaveLength(12)
  })
})
