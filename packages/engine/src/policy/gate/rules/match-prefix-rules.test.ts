import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PolicyRule, PrefixRule, RuleDecision } from './rule.ts'
import { hostExecutable, prefixRule, type PrefixRuleInput } from './make-rule.ts'
import { checkOutput, matchPrefixRules, type MatchOptions, policyOf } from './match-prefix-rules.ts'

const rule = (
  pattern: PrefixRuleInput['pattern'],
  decision: RuleDecision,
  more: Partial<PrefixRuleInput> = {},
) => prefixRule({ pattern, decision, ...more })

const decide = (rules: Parameters<typeof policyOf>[0], command: string, options: MatchOptions = {}) =>
  checkOutput(matchPrefixRules(policyOf(rules), command.split(' '), options)).decision

describe('given prefix rules', () => {
  const rules = [
    rule(['git'], 'allow'),
    rule(['git', ['push', 'fetch']], 'prompt'),
    rule(['git', 'push', '-f'], 'forbidden'),
  ]

  it('every rule that matches is told, in the order of the rules, with its words', () => {
    const matches = matchPrefixRules(rules, ['git', 'push', '-f', 'x'])
    expect(matches.map(({ matchedPrefix }) => matchedPrefix)).toEqual([
      ['git'],
      ['git', 'push'],
      ['git', 'push', '-f'],
    ])
    expect(matches.map(({ wordIndexes }) => wordIndexes)).toEqual([[0], [0, 1], [0, 1, 2]])
  })

  it('the most severe wins, however long it is', () => {
    expect(decide(rules, 'git push -f')).toBe('forbidden')
    expect(decide(rules, 'git fetch')).toBe('prompt')
    expect(decide(rules, 'git status')).toBe('allow')
    expect(decide(rules, 'gi status')).toBeUndefined()
    expect(decide([rule(['a'], 'forbidden'), rule(['a', 'b'], 'allow')], 'a b')).toBe('forbidden')
  })

  it('no words match nothing', () => {
    expect(matchPrefixRules(rules, [])).toEqual([])
  })

  it('the index finds what looking at every rule finds', () => {
    const word = fc.constantFrom('a', 'b', 'c')
    const anyRule = fc
      .tuple(
        fc.array(fc.uniqueArray(word, { minLength: 1, maxLength: 2 }), { minLength: 1, maxLength: 3 }),
        fc.constantFrom<RuleDecision>('allow', 'prompt', 'forbidden'),
      )
      .map(([pattern, decision]) => rule(pattern, decision))
    const matches = (one: PrefixRule, words: readonly string[]) =>
      words.length >= one.pattern.length &&
      one.pattern.every((token, index) => token.includes(words[index] ?? '-'))
    fc.assert(
      fc.property(fc.array(anyRule), fc.array(word), (many, words) => {
        expect(matchPrefixRules(many, words).map((match) => match.rule)).toEqual(
          many.filter((one) => matches(one, words)),
        )
      }),
    )
  })
})

describe('given a program as a path', () => {
  const folder = '/project'
  const named = [rule(['git'], 'allow'), rule(['git', 'push'], 'forbidden')]
  const byName = { resolveHostExecutables: true }
  const byNameHere = { ...byName, folder }
  const alike = { lookAlikes: true }
  const listed = [...named, hostExecutable({ name: 'git', paths: ['/usr/bin/git'] })]

  it.each<[string, PolicyRule[], string, MatchOptions, RuleDecision | undefined]>([
    ['it is another program by default', named, '/usr/bin/git push', {}, undefined],
    ['it is looked up by its name where that is wanted', named, '/usr/bin/git push', byName, 'forbidden'],
    ['a relative path is one too', named, './git push', byNameHere, 'forbidden'],
    ['a path that is not listed matches nothing', listed, '/tmp/git push', byName, undefined],
    ['a listed path keeps allow', listed, '/usr/bin/git status', alike, 'allow'],
    ['a look-alike keeps forbidden', listed, '/tmp/git push', alike, 'forbidden'],
    ['a look-alike loses allow', listed, '/tmp/git status', alike, undefined],
    ['without a list every path is a look-alike', named, '/usr/bin/git status', alike, undefined],
    ['without a list a look-alike keeps forbidden', named, '/usr/bin/git push', alike, 'forbidden'],
    ['a way through folders is no way out', listed, '/usr/bin/../../tmp/x/../git push', alike, 'forbidden'],
    ['a slash behind it is no way out', listed, '/tmp/git/ push', alike, 'forbidden'],
    [
      'a rule for the path does not hide a prohibition',
      [...named, rule(['/tmp/git'], 'allow')],
      '/tmp/git push',
      alike,
      'forbidden',
    ],
    [
      'a rule for the path may allow the rest',
      [...named, rule(['/tmp/git'], 'allow')],
      '/tmp/git status',
      alike,
      'allow',
    ],
    ['the home is known', named, '~/git push', { lookAlikes: true, home: '/home/me' }, 'forbidden'],
  ])('%s', (_, rules, command, options, decision) => {
    expect(decide(rules, command, options)).toBe(decision)
  })

  it('the path is told', () => {
    const [match] = matchPrefixRules(named, ['bin/../git', 'push'], { resolveHostExecutables: true, folder })
    expect(match).toMatchObject({ resolvedProgram: '/project/git', matchedPrefix: ['git'] })
  })
})

describe('given options between the words of a rule', () => {
  const stopped = [rule(['git', 'push'], 'forbidden')]
  const nested = [rule(['tool', 'remote', ['add', '-a']], 'prompt')]
  const allowed = [rule(['git', 'status'], 'allow')]

  it.each([
    [stopped, 'git push', 'forbidden'],
    [stopped, 'git -C x push', 'forbidden'],
    [stopped, 'git -c a=b --no-pager push origin', 'forbidden'],
    [stopped, 'git --unknown push', 'forbidden'],
    [stopped, `git ${'-c a=b '.repeat(300)}push`, 'forbidden'],
    [stopped, `git ${'-v '.repeat(3000)}push`, 'forbidden'],
    [stopped, 'git -- push', 'forbidden'],
    [stopped, 'git status push', undefined],
    [nested, 'tool -v remote --x=1 add', 'prompt'],
    [nested, 'tool remote -v -a', 'prompt'],
    [nested, 'tool remote y add', undefined],
    [allowed, 'git status', 'allow'],
    [allowed, 'git --no-pager status', undefined],
  ])('%#: %s → %s', (rules, command, decision) => {
    expect(decide(rules, command, { lookAlikes: true })).toBe(decision)
  })

  it('says which words matched', () => {
    const [match] = matchPrefixRules(stopped, ['git', '-C', 'x', 'push', 'y'], { lookAlikes: true })
    expect(match).toMatchObject({ matchedPrefix: ['git', 'push'], wordIndexes: [0, 3] })
  })
})

const outputRules = [
  prefixRule({ pattern: ['git'] }),
  prefixRule({ pattern: ['git', ['push', 'fetch']], decision: 'forbidden', justification: 'ask first' }),
]

const shown = (words: readonly string[]) =>
  JSON.stringify(checkOutput(matchPrefixRules(outputRules, words, { resolveHostExecutables: true })))

describe('given the form of `codex execpolicy check`', () => {
  it('the answer is written as the reference writes it', () => {
    expect(shown(['git', 'push', 'x'])).toBe(
      '{"matchedRules":[{"prefixRuleMatch":{"matchedPrefix":["git"],"decision":"allow"}},' +
        '{"prefixRuleMatch":{"matchedPrefix":["git","push"],"decision":"forbidden","justification":"ask first"}}],"decision":"forbidden"}',
    )
  })

  it('a program that was found by its name is told', () => {
    expect(shown(['/usr/bin/git'])).toBe(
      '{"matchedRules":[{"prefixRuleMatch":{"matchedPrefix":["git"],"decision":"allow","resolvedProgram":"/usr/bin/git"}}],"decision":"allow"}',
    )
  })

  it('without a match there is no decision', () => {
    expect(shown(['ls'])).toBe('{"matchedRules":[]}')
  })
})
