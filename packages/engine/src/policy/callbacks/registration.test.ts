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
    [{ ...good, point: undefined }, 'point is'],
    [{ ...good, name: '' }, 'a hook in hooks.tools: name is ""'],
    [{ ...good, name: 'a\nb' }, 'one line'],
    [{ ...good, run: 'echo' }, 'hook "one": run is "echo": must be a function'],
    [{ ...good, timeoutMs: 0 }, 'timeoutMs is 0'],
    [{ ...good, timeoutMs: 2 ** 31 }, 'timeoutMs is 2147483648'],
    [{ ...good, priority: Number.NaN }, 'priority is'],
    [{ ...good, onFailure: 'maybe' }, 'onFailure is "maybe"'],
    [{ ...good, mode: 'off' }, 'mode is "off"'],
    [{ ...good, timeout: 5 }, 'there is no option "timeout"; did you mean "timeoutMs"?'],
    [{ ...good, colour: 'x' }, 'there is no option "colour"; there are: name, point, '],
    [{ ...good, match: '' }, 'match holds ""'],
    [{ ...good, match: [] }, 'match is an empty list'],
    [{ ...good, match: ['a', 7] }, 'match holds 7'],
    [{ ...good, point: 'after_tool_call', onFailure: 'closed' }, 'cannot fail closed at after_tool_call'],
    [{ ...good, point: 'on_error' }, 'stands in hooks.tools, but on_error belongs in hooks.lifecycle'],
    ['one', 'a hook is an object with name, point and run'],
    [null, 'a hook is an object with name, point and run'],
  ])('%j is refused by name', (registration, words) => {
    expect(problemOf({ tools: [registration] })).toContain(words)
  })

  it.each<[string, unknown, string]>([
    ['no object', [good], 'hooks must be an object'],
    ['an unknown list', { tool: [good] }, 'there is no list hooks.tool; did you mean "tools"?'],
    ['a list that is none', { tools: good }, 'hooks.tools must be a list'],
    [
      'a function for verifiers',
      { verifiers: [{ ...good, point: 'before_finalize', match: () => true }] },
      'match must be names of verifiers',
    ],
    [
      'a name where there are none',
      { lifecycle: [{ ...good, point: 'before_turn', match: 'x' }] },
      'match has no meaning here',
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
  const loop = { tools: ['read_file'], verifiers: ['npm test'], driveHasOwnTools: false, canFinalize: true }
  const gate = (more: Partial<ToolHook> = {}) =>
    ({ tools: [{ name: 'gate', point: 'before_tool_call', run, ...more }] }) as HookLists
  const last: HookLists = { verifiers: [{ name: 'last', point: 'before_finalize', run }] }

  it.each<[HookLists, Partial<typeof loop>, string, boolean]>([
    [gate(), { driveHasOwnTools: true }, 'the drive uses tools of its own', true],
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
