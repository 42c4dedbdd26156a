import { describe, expect, it } from 'vitest'
import type { FileChange } from '../../../ports/gate.ts'
import { gateContext } from '../fixtures/gate-context.ts'
import { type ApprovalPolicy, settle } from '../objections.ts'
import type { PathRule, RuleDecision } from '../rules/rule.ts'
import { examineChanges } from './examine-files.ts'

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
  rules: readonly PathRule[] = [],
): Promise<string> {
  const { objections } = await examineChanges(files, gateContext(approval, rules))
  const { kind, label } = settle(objections, approval, 'fine')
  return label === undefined ? kind : `${kind} ${label}`
}

const changed = (name: string, before: string | null | undefined, after: string | null | undefined) => [
  { path: name, before, after },
]

const script = (line: string) => `{\n  "scripts": {\n    "test": "${line}"\n  }\n}\n`

describe('given a change of what checks', () => {
  it.each<readonly [string, readonly FileChange[]]>([
    ['runs a part of the tests', changed('package.json', script('vitest'), script('vitest -t adds'))],
    ['writes the rules of the run', changed('donecheck.config.ts', null, 'export default {}')],
    ['changes rules that cannot be read', changed('donecheck.config.ts', undefined, undefined)],
  ])('is refused where it %s', async (_, files) => {
    expect(await decided(files)).toBe('forbidden protected_file')
    expect(await decided(files, 'never')).toBe('forbidden protected_file')
  })

  it.each<readonly [string, readonly FileChange[]]>([
    ['deletes a test', changed(path, test, null)],
    ['skips it', changed(path, test, test.replace("it('adds'", "it.skip('adds'"))],
    ['expects something else', changed(path, test, test.replace('toBe(3)', 'toBe(4)'))],
    ['makes it unreadable', changed(path, test, undefined)],
    ['adds a test', changed(path, test, twoTests)],
    ['focuses it', changed(path, twoTests, twoTests.replace("it('adds more'", "it.only('adds more'"))],
    ['rewrites the script of a check', changed('check.sh', 'set -e\nnpm test\n', 'exit 0\n')],
    ['fixes the source', changed('src/calc.ts', 'const add = 0', 'const add = 1')],
    ['writes a picture', changed('logo.png', undefined, undefined)],
  ])('is a write like any other where it %s', async (_, files) => {
    expect(await decided(files)).toBe('allow')
    expect(await decided(files, 'untrusted')).toBe('prompt approval_required')
  })

  it('says what was found, and where', async () => {
    const narrowed = changed('package.json', script('vitest'), script('vitest -t adds'))
    const { objections } = await examineChanges(narrowed, gateContext('never'))
    expect(objections[0]?.reason).toBe(
      'package.json:3: `"test": "vitest -t adds"` runs only a part of the tests (test.narrowed)',
    )
  })
})

describe('given the place of a change', () => {
  it.each(['../a', '/etc/passwd', 'src/../../a', ''])('"%s" is outside of the work folder', async (name) => {
    expect(await decided(changed(name, null, 'x'))).toBe('forbidden outside_work_folder')
  })

  it.each(['.git/config', '.git/hooks/pre-commit', './.git/HEAD', '.GIT/config', '.donecheck/x'])(
    '%s is not for the agent',
    async (name) => {
      expect(await decided(changed(name, 'a', 'b'))).toBe('forbidden protected_file')
    },
  )

  it('is decided by path rules as well', async () => {
    const rules = (decision: RuleDecision): readonly PathRule[] => [
      { kind: 'path', paths: ['gen/**'], decision, source: { layer: 'user' } },
    ]
    const files = changed('gen/a.ts', 'a', 'b')
    expect(await decided(files, 'never', rules('forbidden'))).toBe('forbidden policy_forbidden')
    expect(await decided(files, 'never', rules('prompt'))).toBe('forbidden approval_unavailable')
    expect(await decided(files, 'on-request', rules('prompt'))).toBe('prompt approval_required')
    expect(await decided(files, 'untrusted', rules('allow'))).toBe('allow')
    expect(await decided(changed('gen/../src/a.ts', 'a', 'b'), 'untrusted', rules('allow'))).toMatch(
      'forbidden',
    )
  })
})
