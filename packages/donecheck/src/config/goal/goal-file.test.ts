import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
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
  it('tells the agent all that is wanted, in words', () => {
    expect(read(whole).task).toBe(
      [
        'The shop takes vouchers.',
        'Parts, in their order:\n- api: Vouchers are counted\n- docs: The guide says how (after api)\n- talk: The team knows',
        'Constraints:\n- no new dependency',
        'Stop when:\n- the database is missing',
      ].join('\n\n'),
    )
  })

  it('gives what constrains it apart from what is wanted, too', () => {
    expect(read(whole).rules).toBe(
      'Constraints:\n- no new dependency\n\nStop when:\n- the database is missing',
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

  it('bounds the run by its budget', () => {
    expect(read(whole).caps).toEqual({
      maxTurns: 40,
      maxTokens: 200_000,
      maxCostUsd: 2.5,
      maxSeconds: 3600,
    })
  })

  it('may be a sentence alone', () => {
    expect(read('Make the tests pass.\n')).toEqual({
      task: 'Make the tests pass.',
      rules: '',
      checks: [],
      subGoals: [],
      caps: {},
    })
  })
})

const checksOf = (lines: string) => read(`x\n## Checks\n${lines}\n`).checks
const commandsOf = (lines: string) => checksOf(lines).map(({ command }) => command)

describe('given checks as people write them', () => {
  it.each([
    ['- `a`\n* `b`\n+ `c`\n1. `d`\n2) `e`', ['a', 'b', 'c', 'd', 'e']],
    ['- [ ] `a`\n- [x] `b`', ['a', 'b']],
    ['`a`', ['a']],
    ['- `a`.', ['a']],
    ['- `npm test` and `npm run lint`\n- `a`, `b`, and `c`', ['npm test', 'npm run lint', 'a', 'b', 'c']],
    ['- ``echo `date` ``', ['echo `date`']],
    ['- `` `a` ``', ['`a`']],
    ['- All of the tests\n  are green: `a`', ['a']],
    ['```sh\n# first\n$ npm ci\nnpm test -- \\\n  --all\n```', ['npm ci', 'npm test -- --all']],
    [
      '```bash\ncd web && npm test\nfor x in a b; do test $x; done\n```',
      ['cd web && npm test', 'for x in a b; do test $x; done'],
    ],
    ['~~~\nnpm test\n~~~\n- `b`', ['npm test', 'b']],
    ['<!-- - `old` -->\n- `a`\n-\n---', ['a']],
  ])('reads all of %j', (lines, commands) => {
    expect(commandsOf(lines)).toEqual(commands)
  })

  it('calls a check by the words before it', () => {
    expect(checksOf('- The tests pass: `a` and `b`')).toEqual([
      { name: 'The tests pass', command: 'a' },
      { name: 'The tests pass 2', command: 'b' },
    ])
  })

  it.each([
    ['npm test', 'GOAL.md:3: "npm test": a check is a command in backticks at the end'],
    ['- `a`\n- `npm test` passes', 'GOAL.md:4: "`npm test` passes": a check is a command'],
    ['- `a`\n    npm run lint', 'a check is a command'],
    ['- `a` or `b`', 'commands stand at the end, after a colon'],
    ['- run `a', 'a backtick is never closed'],
    ['- ` `', 'a command is empty'],
    ['- `a`\n- `a`', 'GOAL.md:4: "`a`": there is a check "a" already'],
    ['```python\nassert x\n```', 'GOAL.md:3: "```python": a block of checks is of sh or bash'],
    ['```sh\nnpm test', 'GOAL.md:3: the block that begins here has no end'],
    ['```sh\n# here\ncd web\nnpm test\n```', 'GOAL.md:5: "cd web": each line of a block is a check'],
    ['```sh\nnpm ci &&\nnpm test\n```', 'GOAL.md:4: "npm ci &&": each line'],
    ['```sh\nfor x in *; do\ntest $x\ndone\n```', 'GOAL.md:4: "for x in *; do": each line'],
    ['```sh\ncat <<EOF\nrm x\nEOF\n```', 'GOAL.md:4: "cat <<EOF": each line'],
    ['Checks:', 'GOAL.md:3: write "## Checks"'],
  ])('says what is wrong with %j', (lines, message) => {
    expect(() => checksOf(lines)).toThrow(message)
  })
})

const capsOf = (lines: string) => read(`x\n## Budget\n${lines}\n`).caps

describe('given a budget as people write it', () => {
  it.each([
    ['turns: 4\nusd: $5', { maxTurns: 4, maxCostUsd: 5 }],
    ['- tokens: 200k\n- 1 hour', { maxTokens: 200_000, maxSeconds: 3600 }],
    ['1. tokens: 200,000\n2. minutes = 2.5', { maxTokens: 200_000, maxSeconds: 150 }],
    ['40 turns, 50,000 tokens and $2.5', { maxTurns: 40, maxTokens: 50_000, maxCostUsd: 2.5 }],
  ])('reads %j', (lines, caps) => {
    expect(capsOf(lines)).toEqual(caps)
  })

  it.each([
    ['- turns: 1.5', 'a budget is one of'],
    ['- constructor: 4', 'a budget is one of'],
    ['- turns: 40 (at most)', 'a budget is one of'],
    ['- turns: 3\n  usd: 4', 'a budget is one of'],
    ['- turns: 3\n- turns: 40', 'GOAL.md:4: "turns: 40": another line bounds the same'],
  ])('says what is wrong with %j', (lines, message) => {
    expect(() => capsOf(lines)).toThrow(message)
  })
})

describe('given headings as people write them', () => {
  it('takes a title for a part of what is wanted', () => {
    expect(read('\uFEFF# Vouchers\n\nThe shop takes them.\n## Checks\n- `a`')).toMatchObject({
      task: 'Vouchers\n\nThe shop takes them.',
      checks: [{ command: 'a' }],
    })
    expect(read('# Vouchers\n## Outcome\nThe shop takes them.').task).toBe('Vouchers\nThe shop takes them.')
  })

  it('takes no heading from a block of code', () => {
    const text = 'Do it:\n\n```sh\n# install\nnpm ci\n```'
    expect(read(text).task).toBe(text)
  })

  it.each(['## **Checks**', '### Checks:', '# CHECKS #', '## Sub goals\n- [a] A\n## Checks'])(
    'reads %j',
    (heading) => {
      expect(read(`x\n${heading}\n- \`a\``).checks).toEqual([{ command: 'a' }])
    },
  )

  it.each([
    ['x\n\nChecks\n------\n- `a`', 'GOAL.md:3: write "## Checks"'],
    ['x\n**Sub-goals:**\n- [a] A', 'GOAL.md:2: write "## Sub-goals"'],
    ['x\n##Stop when\n- never', 'GOAL.md:2: write "## Stop when"'],
    ['# Cheks\n- `a`', 'did you mean "checks"'],
    ['x\n# Vouchers\ny', 'there is no section "Vouchers"'],
  ])('says that %j begins no section', (text, message) => {
    expect(() => read(text)).toThrow(message)
  })
})

describe('given any lines in a list', () => {
  const said = fc.stringMatching(/^[a-z`()[\]:., -]{0,24}$/)
  it.each(['Sub-goals', 'Checks', 'Budget'])(
    'reads each line of %s whole, or says where it cannot',
    (section) => {
      fc.assert(
        fc.property(fc.array(said, { minLength: 1, maxLength: 4 }), (lines) => {
          try {
            const { subGoals, checks, caps } = read(
              `x\n## ${section}\n${lines.map((line) => `- ${line}.`).join('\n')}`,
            )
            return subGoals.length + checks.length + Object.keys(caps).length >= lines.length
          } catch (error) {
            return error instanceof UsageError && /^GOAL\.md:[3-6]: /.test(error.message)
          }
        }),
      )
    },
  )
})
