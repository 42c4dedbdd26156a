import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { PolicyRule, PrefixRule, RuleDecision } from './rule.ts'
import { hostExecutable, prefixRule, type PrefixRuleInput } from './typed-rules.ts'
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

  it('an exception of a prohibition is for the real program only', () => {
    const rules = [...listed, rule(['git', 'clean'], 'forbidden', { except: [['git', 'clean', '-n']] })]
    expect(decide(rules, '/usr/bin/git clean -n', { lookAlikes: true })).toBe('allow')
    expect(decide(rules, '/tmp/git clean -n', { lookAlikes: true })).toBe('forbidden')
  })
})

describe('given exceptions', () => {
  const rules = [
    rule(['git', 'push'], 'forbidden', { except: [['git', 'push', ['origin', 'fork'], 'draft']] }),
  ]

  it.each([
    ['git push origin main', 'forbidden'],
    ['git push origin draft', undefined],
    ['git push fork draft -f', undefined],
    ['git push', 'forbidden'],
  ])('%s: %s', (command, decision) => {
    expect(decide(rules, command)).toBe(decision)
  })
})

describe('given options that are passed over', () => {
  const stopped = [rule(['git', 'push'], 'forbidden', { skipOptions: true })]
  const allowed = [rule(['git', 'status'], 'allow', { skipOptions: true })]
  const nested = [rule(['tool', 'remote', 'add'], 'prompt', { skipOptions: true })]

  it.each([
    [stopped, 'git push', 'forbidden'],
    [stopped, 'git -C x push', 'forbidden'],
    [stopped, 'git -c a=b --no-pager push origin', 'forbidden'],
    [stopped, 'git --unknown push', 'forbidden'],
    [stopped, 'git --unknown value push', 'forbidden'],
    [stopped, `git ${'-c a=b '.repeat(300)}push`, 'forbidden'],
    [stopped, 'git -- push', 'forbidden'],
    [stopped, 'git status push', undefined],
    [stopped, 'git -- -x push', undefined],
    [nested, 'tool -v remote --x=1 add', 'prompt'],
    [nested, 'tool remote y add', undefined],
    [allowed, 'git status', 'allow'],
    [allowed, 'git --no-pager status', 'allow'],
    [allowed, 'git -C x status', 'allow'],
    [allowed, 'git -C status push', undefined],
    [allowed, 'git -C', undefined],
    [allowed, 'git --unknown status', undefined],
    [allowed, 'git --unknown status status', undefined],
    [allowed, 'git -c alias.status=!sh status', undefined],
    [allowed, 'git -calias.status=!sh status', undefined],
    [allowed, 'git --exec-path=/tmp status', undefined],
  ])('%#: %s → %s', (rules, command, decision) => {
    expect(decide(rules, command)).toBe(decision)
  })

  it('says which words matched', () => {
    const [match] = matchPrefixRules(stopped, ['git', '-C', 'x', 'push', 'y'])
    expect(match).toMatchObject({ matchedPrefix: ['git', 'push'], wordIndexes: [0, 3] })
  })

  it('what is allowed so would also be stopped so', () => {
    const word = fc.constantFrom('git', 'status', 'push', '-C', '-c', '--no-pager', '--x', '--', 'x', '-')
    const stop = [rule(['git', 'status'], 'forbidden', { skipOptions: true })]
    fc.assert(
      fc.property(fc.array(word, { maxLength: 6 }), (words) => {
        const command = ['git', ...words].join(' ')
        expect(decide(allowed, command) === undefined || decide(stop, command) === 'forbidden').toBe(true)
      }),
    )
  })
})

describe('given conditions on the arguments', () => {
  const forced = [rule(['git', 'push'], 'forbidden', { where: { hasOption: ['--force', '-f'] } })]
  const refspec = [rule(['git', 'push'], 'forbidden', { where: { hasArgument: '+*' } })]
  const list = [
    rule(['ls'], 'allow', { where: { onlyOptions: ['-l', '-a', '--color'], onlyArguments: 'src/**' } }),
  ]
  const bare = [rule(['git', 'diff'], 'allow', { where: { onlyOptions: ['--stat'] } })]
  const dry = [rule(['git', 'clean'], 'allow', { where: { hasOption: ['-n'] } })]

  it.each([
    [forced, 'git push origin --force', 'forbidden'],
    [forced, 'git push --force=yes', 'forbidden'],
    [forced, 'git push --forc', 'forbidden'],
    [forced, 'git push -uf origin', 'forbidden'],
    [forced, 'git push origin', undefined],
    [forced, 'git push -- --force', undefined],
    [forced, 'git push --follow-tags', undefined],
    [refspec, 'git push origin +main', 'forbidden'],
    [refspec, 'git push -- +main', 'forbidden'],
    [refspec, 'git push origin main', undefined],
    [list, 'ls -la src/x/y', 'allow'],
    [list, 'ls --color=auto', 'allow'],
    [list, 'ls', 'allow'],
    [list, 'ls -R src/x', undefined],
    [list, 'ls -lR', undefined],
    [list, 'ls /etc', undefined],
    [list, 'ls -- -R', undefined],
    [bare, 'git diff --stat', 'allow'],
    [bare, 'git diff --stat x', undefined],
    [bare, 'git diff --st', undefined],
    [dry, 'git clean -nd', 'allow'],
    [dry, 'git clean -en', undefined],
    [dry, 'git clean -fdx', undefined],
  ])('%#: %s → %s', (rules, command, decision) => {
    expect(decide(rules, command)).toBe(decision)
  })

  it('an option that was passed over is an argument too', () => {
    const rules = [
      rule(['git', 'push'], 'forbidden', { skipOptions: true, where: { hasOption: ['--force'] } }),
    ]
    expect(decide(rules, 'git --force push')).toBe('forbidden')
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
