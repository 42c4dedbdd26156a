import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../gate-ports.ts'
import { defaultResponses } from '../../tamper/index.ts'
import { surroundings } from '../fixtures/surroundings.ts'
import { settle } from '../decide/settle.ts'
import type { ApprovalPolicy } from '../approval-policy.ts'
import type { PathRule, RuleDecision } from '../rules/rule.ts'
import { examineChanges } from './examine-changes.ts'
import { knownChanges, type KnownChanges } from './known-changes.ts'

const test = `import { it, expect } from 'vitest'
import { add } from '../src/calc.ts'

it('adds', () => {
  expect(add(1, 2)).toBe(3)
})
`
const twoTests = `${test}
it('adds more', () => {
  expect(add(2, 2)).toBe(4)
})
`
const path = 'test/calc.test.ts'

async function decided(
  files: readonly FileChange[],
  approval: ApprovalPolicy = 'on-request',
  known: KnownChanges = knownChanges(),
  rules: readonly PathRule[] = [],
): Promise<string> {
  const around = surroundings(approval, rules)
  const { objections } = await examineChanges(files, { known, responses: defaultResponses }, around)
  const { kind, label } = settle(objections, approval, 'fine')
  if (kind !== 'forbid') known.note(files)
  return label === undefined ? kind : `${kind} ${label}`
}

const changed = (name: string, before: string | null | undefined, after: string | null | undefined) => [
  { path: name, before, after },
]

describe('given a change of a test', () => {
  it.each<readonly [string, readonly FileChange[]]>([
    ['deletes it', changed(path, test, null)],
    ['skips it', changed(path, test, test.replace("it('adds'", "it.skip('adds'"))],
    ['focuses another', changed(path, twoTests, twoTests.replace("it('adds more'", "it.only('adds more'"))],
    ['weakens what it expects', changed(path, test, test.replace('toBe(3)', 'toBeDefined()'))],
    ['takes the expected value from the result', changed(path, test, test.replace('toBe(3)', 'toBe(4)'))],
    ['empties it', changed(path, test, '')],
    ['makes it unreadable', changed(path, test, undefined)],
    ['changes one that cannot be read', changed(path, undefined, undefined)],
    ['makes one readable that was not', changed(path, undefined, test)],
    ['changes an unreadable snapshot', changed('test/__snapshots__/a.snap', undefined, undefined)],
    ['changes an unreadable script of a check', changed('check.sh', undefined, undefined)],
    ['deletes one that cannot be read', changed(path, undefined, null)],
    [
      'moves it to where no runner looks',
      [...changed(path, test, null), ...changed('old/calc.txt', null, test)],
    ],
    [
      'masks the exit of a check',
      changed('package.json', '{"scripts":{"test":"vitest"}}', '{"scripts":{"test":"vitest || true"}}'),
    ],
    ['rewrites the script of a check', changed('check.sh', 'set -e\nnpm test\n', 'exit 0\n')],
    ['writes the rules of the run', changed('donecheck.config.ts', null, 'export default {}')],
  ])('is refused where it %s', async (_, files) => {
    expect(await decided(files)).toBe('forbid protected_file')
    expect(await decided(files, 'never')).toBe('forbid protected_file')
  })

  it.each<readonly [string, readonly FileChange[]]>([
    ['adds a test', changed(path, test, twoTests)],
    ['adds a file of tests', changed('test/new.test.ts', null, test)],
    [
      'moves tests to another file',
      [...changed(path, test, null), ...changed('test/sums.test.ts', null, test)],
    ],
    ['makes it stricter', changed(path, test.replace('toBe(3)', 'toBeTruthy()'), test)],
    [
      'mends the source',
      changed('src/calc.ts', 'export const add = () => 0', 'export const add = (a, b) => a + b'),
    ],
    ['deletes a source', changed('src/old.ts', 'x', null)],
    ['changes what may be changed', changed('test/free/a.test.ts', test, null)],
    ['writes a picture', changed('logo.png', undefined, undefined)],
  ])('is allowed where it %s', async (_, files) => {
    expect(await decided(files)).toBe('allow')
    expect(await decided(files, 'untrusted')).toBe('prompt approval_required')
  })

  it('says what was found, and where', async () => {
    const skipped = changed(path, test, test.replace("it('adds'", "it.skip('adds'"))
    const { objections } = await examineChanges(
      skipped,
      { known: knownChanges(), responses: defaultResponses },
      surroundings('never'),
    )
    expect(objections[0]?.reason).toMatch(
      /^test\/calc\.test\.ts:4: .*adds.*\(test\.skipped\); the checks may not be weakened$/u,
    )
  })
})

describe('given several changes of one run', () => {
  it('lets the agent mend and remove a test that is its own', async () => {
    const known = knownChanges()
    expect(await decided(changed('test/own.test.ts', null, test), 'never', known)).toBe('allow')
    expect(
      await decided(changed('test/own.test.ts', test, test.replace('toBe(3)', 'toBe(4)')), 'never', known),
    ).toBe('allow')
    expect(await decided(changed('test/own.test.ts', test, null), 'never', known)).toBe('allow')
  })

  it('does not let it weaken one that was there, however many steps it takes', async () => {
    const known = knownChanges()
    expect(await decided(changed(path, test, twoTests), 'never', known)).toBe('allow')
    expect(
      await decided(changed(path, twoTests, twoTests.replace('toBe(3)', 'toBe(4)')), 'never', known),
    ).toBe('forbid protected_file')
    expect(await decided(changed(path, twoTests, test), 'never', known)).toBe('allow')
  })

  it('finds a test again that moved in two steps, and misses it when its new place goes', async () => {
    const known = knownChanges()
    expect(await decided(changed('test/moved.test.ts', null, test), 'never', known)).toBe('allow')
    expect(await decided(changed(path, test, null), 'never', known)).toBe('allow')
    expect(await decided(changed('test/moved.test.ts', test, null), 'never', known)).toBe(
      'forbid protected_file',
    )
  })

  it('does not blame a change for what was there before it', async () => {
    const known = knownChanges(async () => test)
    const weakened = test.replace('toBe(3)', 'toBe(4)')
    expect(await decided(changed(path, weakened, `// why\n${weakened}`), 'never', known)).toBe('allow')
    expect(
      await decided(changed(path, weakened, weakened.replace('toBe(4)', 'toBeDefined()')), 'never', known),
    ).toBe('forbid protected_file')
  })

  it('knows nothing of a text that cannot be read, so each change of it is told', async () => {
    const known = knownChanges()
    known.note(changed(path, undefined, undefined))
    expect(await decided(changed(path, undefined, undefined), 'never', known)).toBe('forbid protected_file')
    expect(await decided(changed(path, undefined, test), 'never', known)).toBe('forbid protected_file')
    expect(await decided(changed('src/calc.ts', 'a', 'b'), 'never', known)).toBe('allow')
  })

  it('compares with the tree before the run where that is known', async () => {
    const known = knownChanges(async (name) => (name === path ? test : null))
    const weakened = test.replace('toBe(3)', 'toBe(4)')
    expect(await decided(changed(path, weakened, test), 'never', known)).toBe('allow')
    expect(await decided(changed(path, test, weakened), 'never', known)).toBe('forbid protected_file')
  })
})

describe('given the place of a change', () => {
  it.each(['../a', '/etc/passwd', 'src/../../a', ''])('"%s" is outside of the work folder', async (name) => {
    expect(await decided(changed(name, null, 'x'))).toBe('forbid outside_work_folder')
  })

  it.each(['.git/config', '.git/hooks/pre-commit', './.git/HEAD', '.GIT/config', '.donecheck/x'])(
    '%s is not for the agent',
    async (name) => {
      expect(await decided(changed(name, 'a', 'b'))).toBe('forbid protected_file')
    },
  )

  it('is decided by path rules as well', async () => {
    const rules = (decision: RuleDecision): readonly PathRule[] => [
      { kind: 'path', paths: ['gen/**'], decision, source: { layer: 'user' } },
    ]
    const files = changed('gen/a.ts', 'a', 'b')
    expect(await decided(files, 'never', undefined, rules('forbidden'))).toBe('forbid policy_forbidden')
    expect(await decided(files, 'never', undefined, rules('prompt'))).toBe('forbid approval_unavailable')
    expect(await decided(files, 'on-request', undefined, rules('prompt'))).toBe('prompt approval_required')
    expect(await decided(files, 'untrusted', undefined, rules('allow'))).toBe('allow')
    expect(
      await decided(changed('gen/../src/a.ts', 'a', 'b'), 'untrusted', undefined, rules('allow')),
    ).toMatch('forbid')
  })
})
