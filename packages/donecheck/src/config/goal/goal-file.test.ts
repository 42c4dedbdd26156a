import { describe, expect, it } from 'vitest'
import { readGoalFile } from './goal-file.ts'

const whole = `# Outcome
The shop takes vouchers.

## Sub-goals
- [api] Vouchers are counted: \`npm test -- voucher\`
- [docs] The guide says how (after api): \`npm run check:docs\`
- [talk] The team knows

## Checks
- \`npm run lint\`

## Constraints
- no new dependency

## Stop when
- the database is missing

## Budget
- turns: 40
- tokens: 200_000
- usd: 2.5
- seconds: 3600
`

const read = (text: string) => readGoalFile(text, 'GOAL.md')

describe('given a goal in a file', () => {
  it('tells the drive all that is wanted, in words', () => {
    expect(read(whole).task).toBe(
      [
        'The shop takes vouchers.',
        'Parts, in their order:\n- api: Vouchers are counted\n- docs: The guide says how (after api)\n- talk: The team knows',
        'Constraints:\n- no new dependency',
        'Stop when:\n- the database is missing',
      ].join('\n\n'),
    )
  })

  it('has a check for each part that names a command, and those of the whole', () => {
    const { checks, subGoals } = read(whole)
    expect(checks).toEqual([
      { command: 'npm run lint' },
      { name: 'goal api', command: 'npm test -- voucher' },
      { name: 'goal docs', command: 'npm run check:docs' },
    ])
    expect(subGoals.map((part) => [part.id, part.checks, part.after])).toEqual([
      ['api', ['goal api'], []],
      ['docs', ['goal docs'], ['api']],
      ['talk', [], []],
    ])
  })

  it('says of a part what belongs to it and what it may use', () => {
    const text =
      '# Outcome\nx\n## Sub-goals\n- [a] First\n- [b] Do (it) (in src/b, README.md) (after a) (at most 8 turns, 1.5 usd): `true`'
    expect(read(text).subGoals[1]).toMatchObject({
      title: 'Do (it)',
      paths: ['src/b', 'README.md'],
      after: ['a'],
      budget: { turns: 8, costUsd: 1.5 },
    })
  })

  it('does not guess at a budget', () => {
    const text = '# Outcome\nx\n## Sub-goals\n- [b] Do it (at most 8 apples)'
    expect(() => read(text)).toThrow(/GOAL\.md:4.*turns, tokens, usd, seconds or minutes/)
  })

  it('bounds the run by its budget', () => {
    expect(read(whole).caps).toEqual({
      maxIterations: 40,
      maxTokens: 200_000,
      maxCostUsd: 2.5,
      maxSeconds: 3600,
    })
  })

  it('may be a sentence alone', () => {
    expect(read('Make the tests pass.\n')).toEqual({
      task: 'Make the tests pass.',
      checks: [],
      subGoals: [],
      caps: {},
    })
  })
})

describe('given a goal that cannot be read', () => {
  it.each([
    ['', 'GOAL.md does not say what is wanted'],
    ['x\n## Cheks\n', 'GOAL.md:2: there is no section "Cheks"; did you mean "checks"?'],
    ['x\n## Checks\n- npm test\n', 'GOAL.md:3: "npm test": a check is a command in backticks'],
    ['x\n## Sub-goals\n- docs\n', 'GOAL.md:3: "docs": a sub-goal begins with its id in brackets'],
    [
      'x\n## Sub-goals\n- [a] A (after b)\n',
      'GOAL.md:3: "[a] A (after b)": there is no sub-goal "b" above it',
    ],
    ['x\n## Sub-goals\n- [a] A\n- [a] B\n', 'GOAL.md:4: "[a] B": there is a sub-goal "a" already'],
    [
      'x\n## Budget\n- turns: many\n',
      'GOAL.md:3: "turns: many": a budget is one of turns, tokens, usd, seconds',
    ],
    ['x\n## Budget\n- apples: 3\n', 'GOAL.md:3: "apples: 3": a budget is one of'],
  ])('says where %j is wrong', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})
