import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import { occasion } from './fixtures/occasions.ts'
import { hookPipeline, type HookLists, type ToolHook } from './index.ts'

const run = () => undefined
const good = { name: 'one', point: 'before_tool_call', run }

function problemOf(hooks: unknown): string {
  try {
    hookPipeline(hooks as HookLists)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'no problem'
}

describe('given a registration that cannot be meant', () => {
  it.each<[object | string | null, string]>([
    [{ ...good, point: 'before_toolcall' }, 'did you mean "before_tool_call"?'],
    [{ ...good, point: undefined }, 'tools[0].point must be one of'],
    [{ ...good, name: '' }, 'tools[0].name must hold at least 1, not ""'],
    [{ ...good, name: 'a\nb' }, 'one line'],
    [{ ...good, run: 'echo' }, 'tools[0].run must be a function, not "echo"'],
    [{ ...good, timeoutMs: 0 }, 'timeoutMs must be at least 1, not 0'],
    [{ ...good, timeoutMs: 2 ** 31 }, 'timeoutMs must be at most 2147483647'],
    [{ ...good, priority: Number.NaN }, 'priority must be a number'],
    [{ ...good, onFailure: 'maybe' }, 'onFailure must be one of open, closed, not "maybe"'],
    [{ ...good, mode: 'off' }, 'mode must be one of'],
    [{ ...good, timeout: 5 }, 'unknown key "timeout" in tools[0]; did you mean "timeoutMs"?'],
    [{ ...good, colour: 'x' }, 'unknown key "colour" in tools[0]; known keys: name, point, '],
    [{ ...good, match: '' }, 'match must'],
    [{ ...good, match: [] }, 'match must'],
    [{ ...good, match: ['a', 7] }, 'match'],
    [{ ...good, point: 'after_tool_call', onFailure: 'closed' }, 'cannot fail closed at after_tool_call'],
    [
      { ...good, point: 'on_error' },
      'tools[0].point must be one of before_tool_call, after_tool_call, tool_result_persist, not "on_error"',
    ],
    ['one', 'tools[0] must be an object, not "one"'],
    [null, 'tools[0] must be an object, not null'],
  ])('%j is refused by name', (registration, words) => {
    expect(problemOf({ tools: [registration] })).toContain(words)
  })

  it.each<[string, unknown, string]>([
    ['no object', [good], 'hooks: the value must be an object'],
    ['an unknown list', { tool: [good] }, 'unknown key "tool"; did you mean "tools"?'],
    ['a list that is none', { tools: good }, 'tools must be a list'],
    [
      'a function for verifiers',
      { verifiers: [{ ...good, point: 'before_finalize', match: () => true }] },
      'match must',
    ],
    [
      'a name where there are none',
      { lifecycle: [{ ...good, point: 'before_turn', match: 'x' }] },
      'unknown key "match" in lifecycle[0]',
    ],
    [
      'one name twice',
      { tools: [good], lifecycle: [{ ...good, point: 'before_turn' }] },
      'two hooks are called "one"',
    ],
  ])('%s is refused', (_, hooks, words) => {
    expect(problemOf(hooks)).toContain(words)
  })
})

describe('given good registrations', () => {
  it('only points with a hook have one', () => {
    const hooks = hookPipeline({ tools: [{ name: 'one', point: 'before_tool_call', run }] })
    expect([hooks.has('before_tool_call'), hooks.has('after_tool_call')]).toEqual([true, false])
  })

  it('a registration that is changed afterwards changes nothing', async () => {
    const changing: { name: string; point: 'before_turn'; run: () => undefined } = {
      name: 'a',
      point: 'before_turn',
      run,
    }
    const hooks = hookPipeline({ lifecycle: [changing] })
    changing.name = 'b'
    expect((await hooks.fire('before_turn', occasion())).ran).toMatchObject([{ hook: 'a' }])
  })
})

describe('given a loop in which hooks would never be called', () => {
  const loop = { tools: ['read_file'], verifiers: ['npm test'], hasAgentOwnTools: false, canFinalize: true }
  const gate = (more: Partial<ToolHook> = {}) =>
    ({ tools: [{ name: 'gate', point: 'before_tool_call', run, ...more }] }) as HookLists
  const last: HookLists = { verifiers: [{ name: 'last', point: 'before_finalize', run }] }

  it.each<[HookLists, Partial<typeof loop>, string, boolean]>([
    [gate(), { hasAgentOwnTools: true }, 'the agent uses tools of its own', true],
    [gate(), { tools: [] }, 'there are no tools', true],
    [last, { verifiers: [] }, 'there are no verifiers', true],
    [last, { canFinalize: false }, 'never comes to before_finalize', true],
    [gate({ match: 'read_files' }), {}, 'matches no tool; did you mean "read_file"?', true],
    [gate({ match: ['read_file', 'Bash'] }), {}, '"Bash" matches no tool', false],
    [gate({ match: 'Bash', onFailure: 'open' }), {}, '"Bash" matches no tool', false],
    [gate({ match: 'Bash', mode: 'shadow' }), {}, '"Bash" matches no tool', false],
  ])('%o in %o: %s', (lists, situation, words, isFatal) => {
    const problems = hookPipeline(lists).unusable({ ...loop, ...situation })
    expect(problems).toMatchObject([{ isFatal, problem: expect.stringContaining(words) as string }])
  })

  it('nothing is said of the others', () => {
    expect(hookPipeline({ ...gate(), ...last }).unusable(loop)).toEqual([])
  })
})
