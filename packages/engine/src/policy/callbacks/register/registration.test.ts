import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { hook, hookPipeline, type HookLists } from '../index.ts'

const run = () => undefined
const good = { name: 'one', point: 'before_tool_call', run }

function problemOf(lists: unknown): string {
  try {
    hookPipeline(lists as HookLists)
  } catch (error) {
    if (error instanceof UsageError) return error.message
    throw error
  }
  return 'no problem'
}

describe('given a registration that cannot be meant', () => {
  it.each<[object, string]>([
    [{ ...good, point: 'before_toolcall' }, 'did you mean "before_tool_call"?'],
    [{ ...good, point: undefined }, 'point is'],
    [{ ...good, name: '' }, 'a hook in hooks.tools: name is ""'],
    [{ ...good, name: 'a\nb' }, 'one line'],
    [{ ...good, name: ' a' }, 'space'],
    [{ ...good, name: 7 }, 'name is 7'],
    [{ ...good, run: 'echo' }, 'hook "one": run is "echo": must be a function'],
    [{ ...good, timeoutMs: 0 }, 'timeoutMs is 0'],
    [{ ...good, timeoutMs: 1.5 }, 'timeoutMs is 1.5'],
    [{ ...good, timeoutMs: 2 ** 31 }, 'timeoutMs is 2147483648'],
    [{ ...good, timeoutMs: '5s' }, 'timeoutMs is "5s"'],
    [{ ...good, priority: Number.NaN }, 'priority is'],
    [{ ...good, onFailure: 'maybe' }, 'onFailure is "maybe"'],
    [{ ...good, mode: 'off' }, 'mode is "off"'],
    [{ ...good, once: 'yes' }, 'once is "yes"'],
    [{ ...good, timeout: 5 }, 'there is no option "timeout"; did you mean "timeoutMs"?'],
    [{ ...good, matcher: 'x' }, 'there is no option "matcher"; did you mean "match"?'],
    [{ ...good, colour: 'x' }, 'there is no option "colour"; there are: name, point, '],
    [{ ...good, match: '' }, 'match holds ""'],
    [{ ...good, match: [] }, 'match is an empty list'],
    [{ ...good, match: ['a', 7] }, 'match holds 7'],
    [{ ...good, match: null }, 'match holds null'],
    [{ ...good, selfTest: { inputs: {} } }, 'selfTest'],
    [{ ...good, point: 'after_tool_call', onFailure: 'closed' }, 'cannot fail closed at after_tool_call'],
    [{ ...good, point: 'on_error' }, 'stands in hooks.tools, but on_error belongs in hooks.lifecycle'],
    [{ ...good, point: 'before_finalize' }, 'belongs in hooks.verifiers'],
  ])('%j is refused by name', (registration, words) => {
    expect(problemOf({ tools: [registration] })).toContain(words)
  })

  it.each<[string, unknown, string]>([
    ['no object', [good], 'hooks must be an object'],
    ['nothing', null, 'hooks must be an object'],
    ['an unknown list', { tool: [good] }, 'there is no list hooks.tool; did you mean "tools"?'],
    ['a list that is none', { tools: good }, 'hooks.tools must be a list'],
    ['a hook that is none', { tools: ['one'] }, 'a hook is an object with name, point and run'],
    ['a hook that is nothing', { tools: [null] }, 'a hook is an object with name, point and run'],
    [
      'a function as matcher of verifiers',
      { verifiers: [{ name: 'v', point: 'before_finalize', run, match: () => true }] },
      'match must be names of verifiers',
    ],
    [
      'a matcher where there are no names',
      { lifecycle: [{ name: 'l', point: 'before_turn', run, match: 'x' }] },
      'match has no meaning here',
    ],
    [
      'one name twice, in two lists',
      { tools: [good], lifecycle: [{ name: 'one', point: 'before_turn', run }] },
      'two hooks are called "one"',
    ],
  ])('%s is refused', (_, lists, words) => {
    expect(problemOf(lists)).toContain(words)
  })
})

describe('given good registrations', () => {
  it('nothing at all is fine', () => {
    const hooks = hookPipeline({})
    expect(hooks.has('before_turn')).toBe(false)
    expect(hooks.counters()).toEqual([])
  })

  it('options that are undefined are left out', () => {
    const options = { priority: undefined, match: undefined, timeoutMs: undefined, selfTest: undefined }
    expect(problemOf({ tools: [{ ...good, ...options, mode: undefined, once: undefined }] })).toBe(
      'no problem',
    )
  })

  it('only points with a hook have one', () => {
    const hooks = hookPipeline({ tools: [{ name: 'one', point: 'before_tool_call', run }] })
    expect([hooks.has('before_tool_call'), hooks.has('after_tool_call')]).toEqual([true, false])
  })

  it('a registration of its own knows the types of its point', () => {
    const own = hook('before_tool_call', {
      name: 'own',
      match: ({ effect }) => effect !== 'read',
      run: ({ tool }) => ({ decision: tool === 'run_shell' ? 'prompt' : 'allow' }),
    })
    expect(problemOf({ tools: [own] })).toBe('no problem')
  })

  it('a registration that is changed afterwards changes nothing', () => {
    const changing: { name: string; point: 'before_turn'; run: () => undefined } = {
      name: 'a',
      point: 'before_turn',
      run,
    }
    const hooks = hookPipeline({ lifecycle: [changing] })
    changing.name = 'b'
    expect(hooks.counters()).toMatchObject([{ hook: 'a' }])
  })
})
