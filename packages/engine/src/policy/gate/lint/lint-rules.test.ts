import { describe, expect, it } from 'vitest'
import { rule } from '../fixtures/gate-context.ts'
import type { PathRule, PolicyRule, RuleDecision } from '../rules/rule.ts'
import { lintRules } from './lint-rules.ts'

function found(...rules: readonly PolicyRule[]): readonly string[] {
  return lintRules(rules).map(({ kind, rule: name }) => `${kind}: ${name}`)
}

describe('given rules that are fine', () => {
  it('finds nothing', () => {
    const rules = [
      rule('git push', 'prompt', { justification: 'others see it' }),
      rule('git push origin', 'prompt', { justification: 'and it starts a release' }),
      rule('git', 'allow'),
      rule('npm run build|test', 'allow', { match: [['npm', 'run', 'test', 'x']] }),
      rule('rm', 'forbidden', { where: { hasOption: ['-r'] } }),
      rule('git push', 'allow', { overridesBuiltInRules: true }),
      rule('python -m pytest', 'allow'),
    ]
    expect(found(...rules.filter((one) => one.pattern[0][0] !== 'git'))).toEqual([])
    expect(found(...rules.slice(0, 2))).toEqual([])
  })
})

describe('given a rule that changes nothing', () => {
  it('is told which rule decides in its place', () => {
    const rules = [rule('git', 'forbidden'), rule('git push|fetch', 'prompt'), rule('git status', 'allow')]
    expect(found(...rules)).toEqual([
      'shadowed: prefix_rule git push|fetch',
      'shadowed: prefix_rule git status',
    ])
    expect(lintRules(rules)[0]).toMatchObject({
      source: { file: 'default.rules', line: 3 },
      message: '`git` (forbidden, user rules default.rules:3) decides wherever this one matches',
    })
  })

  it('knows a stricter rule, a wider rule and a repetition', () => {
    expect(found(rule('a b', 'allow'), rule('a b', 'forbidden'))).toEqual(['shadowed: prefix_rule a b'])
    expect(found(rule('a b|c', 'allow'), rule('a b', 'allow'))).toEqual(['shadowed: prefix_rule a b'])
    expect(found(rule('a b|c', 'allow'), rule('a c|b', 'allow'))).toEqual(['duplicate: prefix_rule a c|b'])
  })

  it('does not blame what says more', () => {
    expect(found(rule('a', 'forbidden', { where: { hasOption: ['-x'] } }), rule('a b', 'prompt'))).toEqual([])
    expect(found(rule('a', 'forbidden', { except: [[['a'], ['b']]] }), rule('a b', 'prompt'))).toEqual([])
    expect(found(rule('a b', 'forbidden'), rule('a b', 'prompt', { skipOptions: true }))).toEqual([])
    expect(found(rule('a', 'prompt'), rule('a b', 'forbidden'))).toEqual([])
    expect(found(rule('a b', 'forbidden'), rule('a b|c', 'prompt'))).toEqual([])
  })
})

describe('given rules about paths', () => {
  const about = (paths: readonly string[], decision: RuleDecision, justification?: string): PathRule => ({
    ...{ kind: 'path', paths, decision, source: { layer: 'user', file: 'default.rules', line: 3 } },
    ...(justification !== undefined && { justification }),
  })

  it('knows a repetition and a stricter rule about the same globs', () => {
    expect(found(about(['a/**', 'b'], 'prompt'), about(['b', 'a/**', 'b'], 'prompt'))).toEqual([
      'duplicate: path_rule b a/** b',
    ])
    const shadowed = lintRules([about(['a/**'], 'allow'), about(['a/**'], 'forbidden')])
    expect(shadowed).toMatchObject([
      {
        kind: 'shadowed',
        rule: 'path_rule a/**',
        message:
          'the rule of the same files (forbidden, user rules default.rules:3) decides wherever this one matches',
      },
    ])
  })

  it('does not blame what says more, or something else', () => {
    expect(found(about(['a'], 'prompt'), about(['a'], 'prompt', 'ask ann'))).toEqual([])
    expect(found(about(['a/**'], 'forbidden'), about(['a/b'], 'allow'))).toEqual([])
  })
})

describe('given words that no command has', () => {
  it.each([['a && b'], ['a ; b'], ['a > b'], ['FOO=1 a'], ['a *'], ['a ~/x'], ['a $HOME'], ['* a']])(
    '%s never matches',
    (pattern) => {
      expect(found(rule(pattern, 'forbidden'))).toEqual([`never-matches: prefix_rule ${pattern}`])
    },
  )

  it('sees a line that was written as one word, and an alternative that can match', () => {
    const line = { ...rule('x', 'allow'), pattern: [['git push']] as const }
    expect(lintRules([line])[0]?.message).toBe('"git push" is one word: write ["git","push"]')
    expect(found(rule('a *|b', 'prompt'))).toEqual([])
  })
})

describe('given a rule that is easily got round', () => {
  it('names the option and the path', () => {
    expect(found(rule('git push --force', 'forbidden'))).toEqual([
      'easily-passed: prefix_rule git push --force',
    ])
    expect(found(rule('/usr/bin/git push', 'forbidden'))).toEqual([
      'easily-passed: prefix_rule /usr/bin/git push',
    ])
    expect(found(rule('a --x', 'allow'))).toEqual([])
    expect(found(rule('a --x', 'forbidden', { skipOptions: true }))).toEqual([])
  })
})

describe('given examples that other rules decide', () => {
  it('names them', () => {
    const rules = [
      rule('a', 'allow', {
        match: [
          ['a', 'x'],
          ['a', 'b'],
        ],
      }),
      rule('a b', 'forbidden'),
    ]
    expect(lintRules(rules).map(({ message }) => message)).toEqual([
      'its example `a b` is forbidden, for all rules together',
    ])
  })
})

describe('given permissions that are too wide or worth nothing', () => {
  it.each(['bash', 'python', 'node', 'sudo', 'env'])('%s can run anything', (program) => {
    expect(found(rule(program, 'allow'))).toEqual([`allows-everything: prefix_rule ${program}`])
    expect(found(rule(program, 'forbidden'))).toEqual([])
  })

  it('says what a built-in rule does all the same', () => {
    expect(lintRules([rule('git push --force', 'allow')])[0]?.message).toBe(
      'a built-in rule asks all the same: forced push',
    )
    expect(found(rule('mkfs', 'allow', { overridesBuiltInRules: true }))).toEqual([
      'built-in: prefix_rule mkfs',
    ])
    expect(found(rule('shred', 'allow', { overridesBuiltInRules: true }))).toEqual([])
    expect(found(rule('shred', 'allow', { overridesBuiltInRules: true, layer: 'project' }))).toEqual([
      'built-in: prefix_rule shred',
    ])
  })
})
