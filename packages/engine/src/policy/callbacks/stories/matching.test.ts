import { describe, expect, it } from 'vitest'
import { call, finalizing, gate, gates, occasion, verified } from '../fixtures/occasions.ts'
import { hookPipeline } from '../pipeline.ts'
import type { NameMatch, ToolHook } from '../registration.ts'

const silent = () => undefined

async function isRun(match: NonNullable<ToolHook['match']>, tool: string): Promise<boolean> {
  const hooks = gates(gate('one', silent, { match }))
  return (await hooks.fire('before_tool_call', call({}, { tool }))).ran.length > 0
}

describe('given a matcher of tools', () => {
  it.each<[NonNullable<ToolHook['match']>, string, boolean]>([
    ['write_file', 'write_file', true],
    ['write_file', 'write_files', false],
    ['write_*', 'write_file', true],
    ['*', 'anything', true],
    ['git diff src/**/*.ts (all) $x [a]', 'git diff src/**/*.ts (all) $x [a]', true],
    ['a.c', 'abc', false],
    ['mcp__*__delete', 'mcp__files__delete', true],
    ['mcp__*__delete', 'mcp__files__delete_all', false],
    [['read_file', 'write_*'], 'write_file', true],
    [['read_file', 'write_*'], 'run_shell', false],
    [/^run_/, 'run_shell', true],
    [/^run_/, 'dry_run_', false],
    [['read_file', /shell$/], 'run_shell', true],
    [({ effect }) => effect === 'execute', 'run_shell', true],
    [({ tool }) => tool === 'other', 'run_shell', false],
  ])('%s and the tool %s: %s', async (match, tool, expected) => {
    expect(await isRun(match, tool)).toBe(expected)
  })

  it('an expression with a memory matches every time', async () => {
    const hooks = gates(gate('one', silent, { match: /shell/g }))
    const ran = [await hooks.fire('before_tool_call', call()), await hooks.fire('before_tool_call', call())]
    expect(ran.map((answer) => answer.ran.length)).toEqual([1, 1])
  })

  it('a hook that is not for the call is not listed, and the next one is the first', async () => {
    const hooks = gates(
      gate('other', () => ({ decision: 'forbidden' }), { match: 'write_file' }),
      gate('one', silent),
    )
    expect((await hooks.fire('before_tool_call', call())).ran).toMatchObject([{ hook: 'one', order: 1 }])
  })

  it.each([
    ['throws', () => JSON.parse('{') as boolean],
    ['answers with no boolean', () => 1 as unknown as boolean],
    ['answers later', (async () => false) as unknown as () => boolean],
  ])('a function that %s is a failure of the hook: nobody knows whether it is meant', async (_, match) => {
    const hooks = gates(gate('one', silent, { match }))
    const { merged, ran } = await hooks.fire('before_tool_call', call())
    expect(merged.decision).toBe('forbidden')
    expect(ran).toMatchObject([
      { effect: 'failed', note: expect.stringContaining('its matcher failed') as string },
    ])
  })

  it('a function sees the arguments as earlier hooks have left them', async () => {
    const hooks = gates(
      gate('rewrite', () => ({ args: { path: '/etc/passwd' } })),
      gate('guard', () => ({ decision: 'forbidden' }), {
        match: ({ args }) => JSON.stringify(args).includes('/etc'),
      }),
    )
    expect((await hooks.fire('before_tool_call', call())).merged.decision).toBe('forbidden')
  })
})

describe('given a matcher of verifiers', () => {
  const at = (match: NameMatch) =>
    hookPipeline({
      verifiers: [
        { name: 'before', point: 'before_verification', match, run: () => undefined },
        { name: 'after', point: 'after_verification', match, run: () => undefined },
        { name: 'finally', point: 'before_finalize', match, run: () => undefined },
      ],
    })

  it.each<[NameMatch, number]>([
    ['npm test', 1],
    ['npm *', 1],
    [/test/, 1],
    ['lint', 0],
  ])('%s is looked for in all that take part', async (match, count) => {
    const hooks = at(match)
    const verifiers = ['tsc', 'npm test']
    const answers = [
      await hooks.fire('before_verification', { ...occasion(), trigger: 'claim', verifiers }),
      await hooks.fire('after_verification', verified('npm test')),
      await hooks.fire('before_finalize', finalizing(...verifiers)),
    ]
    expect(answers.map(({ ran }) => ran.length)).toEqual([count, count, count])
  })
})
