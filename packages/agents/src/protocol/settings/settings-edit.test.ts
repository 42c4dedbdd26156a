import { fc, test } from '@fast-check/vitest'
import { parse } from 'jsonc-parser'
import { describe, expect, it } from 'vitest'
import { hookLine, readSettings, withHooks, withoutHooks, type WantedHook } from './settings-edit.ts'
import type { HookSettings } from './hook-settings.ts'
import { textIn } from '../host/index.ts'

const grouped: HookSettings = {
  agent: 'claude-code',
  shape: 'grouped',
  preamble: {},
  file: () => '/settings.json',
  entry: (_registration, command, timeout) => ({ type: 'command', command, timeout }),
  commandIn: (entry) => textIn(entry, 'command'),
  goneAnswer: () => '{}',
  shell: ['sh', '-c'],
  environment: () => ({}),
  obstacles: () => [],
  otherFiles: () => [],
}
const flat: HookSettings = { ...grouped, shape: 'flat', preamble: { version: 1 } }

const lineOf = (word: string, program = '/opt/donecheck.js') =>
  hookLine({ node: '/usr/bin/node', program, agent: 'claude-code', word }, '{}')
const hookOf = (event: string, matcher?: string): WantedHook => ({
  event,
  ...(matcher === undefined ? {} : { matcher }),
  entry: { type: 'command', command: lineOf(event), timeout: 60 },
})
const wanted = [hookOf('Stop'), hookOf('PreToolUse'), hookOf('PreToolUse', '^update_goal$')]

const foreignEntry = fc.record({
  type: fc.constant('command'),
  command: fc.constantFrom('npm test', './a.sh'),
})
const foreignGroup = fc.record({ hooks: fc.array(foreignEntry, { minLength: 1, maxLength: 2 }) })
const foreignHooks = (shape: HookSettings['shape']) =>
  fc.dictionary(
    fc.constantFrom('Stop', 'PreToolUse', 'Other'),
    fc.array<object>(shape === 'flat' ? foreignEntry : foreignGroup, { maxLength: 2 }),
    { maxKeys: 3 },
  )

/** A file as a person keeps it: any indentation, any end of line, comments between the lines. */
const fileOf = (shape: HookSettings['shape']) =>
  fc
    .record({
      before: fc.dictionary(fc.constantFrom('model', 'env', 'permissions'), fc.jsonValue({ maxDepth: 2 })),
      hooks: fc.option(foreignHooks(shape), { nil: undefined }),
      after: fc.dictionary(fc.constantFrom('theme', 'other'), fc.jsonValue({ maxDepth: 1 })),
      indent: fc.constantFrom('  ', '    ', '\t'),
      eol: fc.constantFrom('\n', '\r\n'),
      commentAfter: fc.array(fc.nat({ max: 30 }), { maxLength: 4 }),
      mark: fc.constantFrom('', '\uFEFF'),
    })
    .map(({ before, hooks, after, indent, eol, commentAfter, mark }) => {
      const value = { ...before, ...(hooks === undefined ? {} : { hooks }), ...after }
      const lines = JSON.stringify(value, null, indent).split('\n')
      const commented = lines.flatMap((line, index) =>
        commentAfter.includes(index) && index < lines.length - 1
          ? [line, `${indent}// note ${index}`]
          : [line],
      )
      return mark + commented.join(eol) + eol
    })

const valueOf = (text: string): unknown =>
  parse(text.replace(/^\uFEFF/, ''), [], { allowTrailingComma: true })
const commentsOf = (text: string) => text.match(/\/\/ note \d+/g) ?? []
const foreignLines = (text: string, dialect: HookSettings) => {
  const read = readSettings(text, dialect)
  if (read.kind === 'unreadable') throw new Error(read.problem)
  return read.hooks
    .filter(({ ours }) => ours === undefined)
    .map(({ event, entry }) => JSON.stringify([event, entry]))
}

describe.each([
  ['grouped', grouped],
  ['flat', flat],
] as const)('given settings whose hooks are %s', (shape, dialect) => {
  test.prop([fileOf(shape)])('hooks of ours are added, and all else stays', (text) => {
    const changed = withHooks(text, wanted, dialect)
    const read = readSettings(changed, dialect)
    expect(read.kind === 'read' && read.hooks.filter(({ ours }) => ours !== undefined)).toHaveLength(
      wanted.length,
    )
    expect(foreignLines(changed, dialect)).toEqual(foreignLines(text, dialect))
    expect(commentsOf(changed)).toEqual(commentsOf(text))
    const [before, after] = [valueOf(text), valueOf(changed)] as [object, object]
    expect({ ...after, hooks: null }).toEqual({ ...before, hooks: null })
  })

  test.prop([fileOf(shape)])('a second time changes nothing', (text) => {
    const once = withHooks(text, wanted, dialect)
    expect(withHooks(once, wanted, dialect)).toBe(once)
  })

  test.prop([fileOf(shape)])('taken out again they leave what others wrote', (text) => {
    const back = withoutHooks(withHooks(text, wanted, dialect), dialect)
    expect(foreignLines(back, dialect)).toEqual(foreignLines(text, dialect))
    expect(commentsOf(back)).toEqual(commentsOf(text))
    const [before, after] = [valueOf(text), valueOf(back)] as [object, object]
    expect({ ...after, hooks: null }).toEqual({ ...before, hooks: null })
    expect(readSettings(back, dialect)).toMatchObject({ kind: 'read' })
  })

  it('a file that does not exist becomes one', () => {
    const text = withHooks(undefined, wanted, dialect)
    expect(readSettings(text, dialect)).toMatchObject({ kind: 'read', settings: dialect.preamble })
    expect(text.endsWith('}\n')).toBe(true)
  })

  it('the entries of another version of donecheck are replaced, in whatever event they stand', () => {
    const old = withHooks(
      undefined,
      [
        {
          event: 'SubagentStop',
          entry: { type: 'command', command: lineOf('SubagentStop', '/old/donecheck.js') },
        },
      ],
      dialect,
    )
    const changed = withHooks(old, [hookOf('Stop')], dialect)
    expect(changed).not.toContain('/old/')
    expect(valueOf(changed)).not.toHaveProperty('hooks.SubagentStop')
  })

  it.each([
    ['{', 'line 1, column 2: CloseBraceExpected'],
    ['{"hooks": {"Stop": "x"}}', '"hooks.Stop" is no list'],
    ['{"hooks": []}', '"hooks" is no object'],
    ['[]', 'it holds no object'],
    ['{"hooks": {}, "hooks": {}}', '"hooks" stands in it twice'],
    ['{"hooks": {"Stop": [], "Stop": []}}', '"Stop" stands in it twice'],
  ])('%s is refused', (text, problem) => {
    expect(readSettings(text, dialect)).toEqual({ kind: 'unreadable', problem })
    expect(() => withHooks(text, wanted, dialect)).toThrow(problem)
  })
})

it('a hook that shares a group with one of somebody else leaves it alone', () => {
  const text = JSON.stringify({
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'npm test' }, hookOf('Stop').entry] }] },
  })
  expect(valueOf(withoutHooks(text, grouped))).toEqual({
    hooks: { Stop: [{ hooks: [{ type: 'command', command: 'npm test' }] }] },
  })
})

it('what others wrote keeps its form and its comments, to the space', () => {
  const theirs = '{"hooks" : [ {"command":"lint"} ]}'
  const text = `{ "hooks":{"Stop":[ ${theirs} // mine\n ] }, "a" : [1,2] }\n`
  const changed = withHooks(text, wanted, grouped)
  expect(changed).toContain(`{ "hooks":{"Stop":[ ${theirs}, // mine\n`)
  expect(changed).toContain('"a" : [1,2] }')
})
