import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import { hostExecutable, parseRules, pathRule, prefixRule, splitWords } from './make-rule.ts'

/** As called without a type checker. */
const loosely = (make: (input: never) => unknown, input: unknown) => () => make(input as never)

describe('given rules in TypeScript', () => {
  it('they are what a file would give', () => {
    expect(
      prefixRule({
        pattern: ['git', ['push', 'fetch']],
        decision: 'prompt',
        match: ['git push'],
        notMatch: [['git', 'x']],
      }),
    ).toEqual({
      kind: 'prefix',
      pattern: [['git'], ['push', 'fetch']],
      decision: 'prompt',
      match: [['git', 'push']],
      notMatch: [['git', 'x']],
      source: { layer: 'run' },
    })
    expect(prefixRule({ pattern: ['ls'] }).decision).toBe('allow')
    expect(hostExecutable({ name: 'git', paths: ['/a/../git', '/git'] }).paths).toEqual(['/git'])
    expect(pathRule({ paths: ['dist/**'], decision: 'prompt' }, { layer: 'user' }).source).toEqual({
      layer: 'user',
    })
  })

  it.each<[(input: never) => unknown, unknown, RegExp]>([
    [prefixRule, { pattern: [] }, /pattern\[0\] must be a text/],
    [prefixRule, { pattern: ['a'], decision: 'deny' }, /not "deny"/],
    [prefixRule, { pattern: ['a'], decison: 'allow' }, /unknown key "decison"; did you mean "decision"/],
    [prefixRule, { pattern: ['a'], justification: '' }, /blank/],
    [prefixRule, { pattern: ['a'], match: ['b'] }, /\["b"\] must match, and does not/],
    [prefixRule, { pattern: ['a'], notMatch: ['a b'] }, /\["a","b"\] must not match, and does/],
    [prefixRule, { pattern: ['a'], match: ["'"] }, /open quote/],
    [
      prefixRule,
      { pattern: ['a'], overridesBuiltInRules: 'yes' },
      /overridesBuiltInRules must be true or false/,
    ],
    [hostExecutable, { name: 'a/b', paths: [] }, /bare name/],
    [hostExecutable, { name: 'a', paths: ['/b'] }, /must end in the name "a"/],
    [pathRule, { paths: ['a'] }, /decision/],
  ])('%#: a mistake is a usage error that names it', (make, input, problem) => {
    expect(loosely(make, input)).toThrow(UsageError)
    expect(loosely(make, input)).toThrow(problem)
  })
})

describe('given rules in a configuration file', () => {
  const source = { layer: 'project', file: 'donecheck.config.json' } as const

  it('every kind is known by its keys', () => {
    const parsed = parseRules(
      [
        { pattern: ['git', ['push']], decision: 'prompt' },
        { name: 'git', paths: ['/usr/bin/git'] },
        { paths: ['.env'], decision: 'forbidden', justification: 'secrets' },
      ],
      source,
    )
    expect(parsed.kind === 'rules' && parsed.rules.map(({ kind }) => kind)).toEqual([
      'prefix',
      'host-executable',
      'path',
    ])
    expect(parsed.kind === 'rules' && parsed.rules[0]?.source).toEqual(source)
  })

  it('all that is wrong is told at once', () => {
    const parsed = parseRules(
      [
        1,
        {},
        { pattern: ['a'], paths: ['b'] },
        { pattern: ['a'], match: ['b'] },
        { pattern: [] },
        { pattern: ['ok'] },
      ],
      source,
    )
    expect(parsed).toMatchObject({ kind: 'invalid' })
    expect(parsed.kind === 'invalid' && parsed.problems).toEqual([
      'rules[0]: the value must be an object, not 1',
      'rules[1]: paths is missing; it must be a list',
      expect.stringContaining('rules[2]: unknown key "paths"') as string,
      'rules[4]: pattern[0] must be a text, or a list',
      expect.stringContaining('["b"] must match, and does not') as string,
    ])
  })

  it.each([null, {}, 'x', undefined])('%j is no list', (json) => {
    expect(parseRules(json, source).kind).toBe('invalid')
  })

  it('lists of paths count for the examples of the other rules', () => {
    const git = { pattern: ['git'], match: ['/usr/bin/git x'] }
    expect(parseRules([git], source).kind).toBe('rules')
    expect(parseRules([git, { name: 'git', paths: ['/opt/git'] }], source).kind).toBe('invalid')
  })
})

describe('given a line that is split as a shell would', () => {
  it.each<[string, readonly string[] | undefined]>([
    ['git push  origin', ['git', 'push', 'origin']],
    ['a \'b c\' "d e"', ['a', 'b c', 'd e']],
    ["a''b", ['ab']],
    ["''", ['']],
    ['a\\ b', ['a b']],
    ['a\\\nb', ['ab']],
    ['a\nb\tc', ['a', 'b', 'c']],
    ['a # rest\nb', ['a', 'b']],
    ['"\\$x \\n \\""', ['$x \\n "']],
    ['$x *', ['$x', '*']],
    ['', []],
    ["a 'b", undefined],
    ['a "b', undefined],
    ['a "b\\', undefined],
    ['a\\', undefined],
  ])('%j gives %j', (line, words) => {
    expect(splitWords(line)).toEqual(words)
  })

  it('quoted words come back as they were', () => {
    const quote = (word: string) => `'${word.replaceAll("'", "'\\''")}'`
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'binary' })), (words) => {
        expect(splitWords(words.map(quote).join(' '))).toEqual(words)
      }),
    )
  })
})
