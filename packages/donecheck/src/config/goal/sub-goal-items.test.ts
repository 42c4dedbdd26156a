import { describe, expect, it } from 'vitest'
import { readGoalFile } from './goal-file.ts'

const partsOf = (lines: string) => readGoalFile(`x\n## Sub-goals\n${lines}\n`, 'GOAL.md')
const secondOf = (line: string) => partsOf(`- [a] A: \`a\`\n- [b] ${line}`)

describe('given parts as people write them', () => {
  it.each([
    'B: `false` (after a)',
    'B (After A): `false`.',
    'B `false` (after a).',
    '(after a) B — `false`',
    'B: (after: a) `false`',
    'B\n  (after a):\n  `false`',
  ])('reads the title, the clause and the command of %j', (line) => {
    const { subGoals, checks } = secondOf(line)
    expect(subGoals[1]).toMatchObject({ title: 'B', after: ['a'], checks: ['goal b'] })
    expect(checks[1]).toEqual({ name: 'goal b', command: 'false' })
  })

  it('has a check for each command of a part', () => {
    const { subGoals, checks } = partsOf('- [a] A: `x` and `y`')
    expect(subGoals[0]?.checks).toEqual(['goal a', 'goal a 2'])
    expect(checks.map(({ command }) => command)).toEqual(['x', 'y'])
  })

  it('keeps code that is no command in the title', () => {
    expect(secondOf('`parse` (see `x)`) reads `y`: `npm test`').subGoals[1]?.title).toBe(
      '`parse` (see `x)`) reads `y`',
    )
  })

  it('waits for several parts', () => {
    const text = '1. [a] A\n2. [ ] [b] B\n3. [x] [c] C (after a and b)\n* [d] D (after a, b, and c)'
    expect(partsOf(text).subGoals.map(({ after }) => after)).toEqual([[], [], ['a', 'b'], ['a', 'b', 'c']])
  })

  it('makes what is indented below a part its children, and tells it so', () => {
    const { subGoals, task } = partsOf(
      '- [a] A\n  - [a1] A1\n    - [a11] A11\n  - [a2] A2\n- [API] B (after A)',
    )
    expect(subGoals.map(({ id, parentId }) => [id, parentId])).toEqual([
      ['a', null],
      ['a1', 'a'],
      ['a11', 'a1'],
      ['a2', 'a'],
      ['api', null],
    ])
    expect(task).toContain('- a: A\n  - a1: A1\n    - a11: A11\n  - a2: A2\n- api: B (after a)')
  })

  it.each([
    ['B: `false` passes', 'commands stand at the end'],
    ['Rename `a` to `b`', 'commands stand at the end'],
    ['B: `false', 'a backtick is never closed'],
    ['B (after a) (after a)', '"(after …)" stands there twice'],
    ['B (after a', 'a bracket is not closed'],
    ['B (at most 0.5 turns)', '"at most" takes'],
    ['`false`', 'it has no title'],
    ['B\n  - [c] C (after b)', 'GOAL.md:5: "[c] C (after b)": it is a part of "b"'],
    ['B\n\nMore words.', 'GOAL.md:6: "More words.": a sub-goal begins with its id'],
    ['B\n  ```sh\n  npm test\n  ```', 'GOAL.md:5: "```sh": a fenced block is read under Checks only'],
  ])('says what is wrong with %j', (line, message) => {
    expect(() => secondOf(line)).toThrow(message)
  })

  it.each(['- [ ] A: `a`', '- A: `a`', '- [my_part] A'])('asks for the id of %j', (line) => {
    expect(() => partsOf(line)).toThrow('a sub-goal begins with its id in brackets')
  })
})
