/** Random rule files and commands: few words, so that they meet. */
import fc from 'fast-check'
import type { PolicyCase } from './policy-runs.ts'

const words = ['git', 'push', 'a', 'b', '-x', '--', '', 'é', 'a b', "o'k", '$x']
const programs = [
  'git',
  'a',
  'b',
  '/usr/bin/git',
  '/opt/git',
  './git',
  'bin/../git',
  '~/git',
  '//opt//a',
  'b/',
  '/a/..',
  '..',
  '',
]

const word = fc.constantFrom(...words)
const program = fc.oneof(
  { weight: 3, arbitrary: fc.constantFrom('git', 'a', 'b') },
  { weight: 1, arbitrary: fc.constantFrom(...programs) },
)

/** A string of the language, in one of the ways in which it can be written. */
const literal = (text: string): fc.Arbitrary<string> => {
  const double = JSON.stringify(text)
  const single = `'${text.replace(/['\\]/g, (char) => `\\${char}`)}'`
  const ways = [double, double, single, `""${double}""`, `(${double})`]
  if (text !== '') ways.push(`${JSON.stringify(text.slice(0, 1))} + ${JSON.stringify(text.slice(1))}`)
  return fc.constantFrom(...ways)
}

const list = (items: readonly string[]): fc.Arbitrary<string> =>
  fc
    .tuple(fc.tuple(...items.map(literal)), fc.constantFrom('', ',', ', ', '\n  '))
    .map(([written, end]) => (items.length === 0 ? '[]' : `[${written.join(', ')}${end}]`))

const token = fc.oneof(
  { weight: 4, arbitrary: word.chain(literal) },
  { weight: 1, arbitrary: fc.array(word, { minLength: 0, maxLength: 3 }).chain(list) },
)

const first = fc.oneof(
  { weight: 6, arbitrary: program.chain(literal) },
  { weight: 2, arbitrary: fc.array(program, { minLength: 1, maxLength: 3 }).chain(list) },
)

const pattern = fc
  .tuple(first, fc.array(token, { maxLength: 2 }))
  .map(([head, tail]) => `[${[head, ...tail].join(', ')}]`)

const decision = fc.constantFrom('allow', 'prompt', 'forbidden')
const example = fc.tuple(program, fc.array(word, { maxLength: 2 })).map((parts) => parts.flat())
const exampleText = fc.oneof(
  example.chain(list),
  example.map((parts) => JSON.stringify(parts.join(' '))),
  example.map((parts) => JSON.stringify(parts.map((part) => `'${part}'`).join(' '))),
)

const rarely = <Value>(arbitrary: fc.Arbitrary<Value>, freq: number) =>
  fc.option(arbitrary, { freq, nil: undefined })

/** Most of them are valid. */
const prefixCall = fc
  .record({
    pattern: fc.oneof(
      { weight: 30, arbitrary: pattern },
      { weight: 1, arbitrary: fc.constantFrom('[]', '"a"', '("a",)', '[1]', '[["a", 1]]') },
    ),
    decision: fc.option(
      fc.oneof(
        { weight: 20, arbitrary: decision },
        { weight: 1, arbitrary: fc.constantFrom('deny', 'Allow', '') },
      ),
    ),
    justification: rarely(fc.constantFrom('"why"', '"é \\u2028"', '" "', 'None'), 3),
    match: rarely(fc.array(exampleText, { maxLength: 2 }), 6),
    notMatch: rarely(fc.array(exampleText, { maxLength: 2 }), 6),
    byPlace: fc.boolean(),
  })
  .map(({ pattern: shown, decision: decided, justification, match, notMatch, byPlace }) => {
    const parts = [byPlace ? shown : `pattern = ${shown}`]
    if (decided !== null) parts.push(`${byPlace ? '' : 'decision='}${JSON.stringify(decided)}`)
    if (match !== undefined) parts.push(`match=[${match.join(', ')}]`)
    if (notMatch !== undefined) parts.push(`not_match=[${notMatch.join(', ')}]`)
    if (justification !== undefined) parts.push(`justification=${justification}`)
    return `prefix_rule(${parts.join(', ')})`
  })

/** With examples that fit. */
const carefulCall = fc
  .tuple(program, fc.array(word, { maxLength: 2 }), decision, fc.boolean(), fc.boolean())
  .chain(([name, others, decided, hasExamples, hasOthers]) => {
    const fitting = [name, ...others]
    const rest = fc.tuple(
      ...others.map((other) => fc.oneof(literal(other), list(hasOthers ? ['b', other] : [other, 'push']))),
    )
    const examples =
      hasExamples && !name.includes('/')
        ? `, match=[${JSON.stringify([...fitting, 'more'])}], not_match=["other thing"]`
        : ''
    return fc
      .tuple(fc.oneof(literal(name), list([name, 'b'])), rest)
      .map(
        ([head, tail]) =>
          `prefix_rule([${[head, ...tail].join(', ')}], ${JSON.stringify(decided)}${examples})`,
      )
  })

const hostCall = fc
  .tuple(
    fc.constantFrom('git', 'a', 'b', 'x/y'),
    fc.array(fc.constantFrom('/usr/bin/git', '/opt/git', '/opt/a', '/b', '/usr/../opt/git', 'git'), {
      maxLength: 3,
    }),
  )
  .map(([name, paths]) => {
    const kept = paths.filter((path) => path.endsWith(name) || path.length % 7 === 0)
    return `host_executable(name="${name}", paths=${JSON.stringify(kept)})`
  })

const validHostCall = fc
  .constantFrom(
    ['git', '/opt/git'],
    ['git', '/usr/bin/git'],
    ['git'],
    ['a', '/opt/a'],
    ['b', '/b', '/opt/../b'],
  )
  .map(([name, ...paths]) => `host_executable("${name}", ${JSON.stringify(paths)})`)

const networkCall = fc
  .tuple(
    fc.constantFrom('a.com', 'A.com:80', '[::1]:443'),
    fc.constantFrom('http', 'https', 'https_connect', 'socks5_tcp'),
    fc.constantFrom('allow', 'deny'),
  )
  .map(
    ([host, protocol, decided]) =>
      `network_rule(${JSON.stringify(host)}, "${protocol}", decision="${decided}")`,
  )

const loop = fc
  .tuple(fc.array(word, { maxLength: 3 }).chain(list), decision, program)
  .map(
    ([items, decided, name]) =>
      `for item in ${items}:\n    prefix_rule(pattern=["${name}", item], decision="${decided}")\n`,
  )

const setting = fc
  .tuple(pattern, decision)
  .map(
    ([shown, decided]) =>
      `wanted = ${shown}; how = "${decided}"\nprefix_rule(pattern=wanted + [["a", "push"]], decision=how)\n`,
  )

const statement = fc.oneof(
  { weight: 8, arbitrary: prefixCall },
  { weight: 4, arbitrary: carefulCall },
  { weight: 2, arbitrary: hostCall },
  { weight: 1, arbitrary: networkCall },
  { weight: 1, arbitrary: loop },
  { weight: 1, arbitrary: setting },
  { weight: 1, arbitrary: fc.constantFrom('# a comment', '', '"""words"""', 'pass') },
)

/** A file of statements that are valid one by one, most of the time; its examples seldom are. */
const ruleFile = fc
  .tuple(fc.array(statement, { minLength: 1, maxLength: 8 }), fc.constantFrom('\n', '\r\n', '\n\r', ''))
  .map(([statements, end]) => statements.join('\n') + end)

/** A file that is nearly always valid. */
const validFile = fc
  .array(
    fc.oneof(
      { weight: 12, arbitrary: carefulCall },
      { weight: 2, arbitrary: validHostCall },
      { weight: 2, arbitrary: setting },
    ),
    { minLength: 1, maxLength: 10 },
  )
  .map((statements) => `${statements.join('\n')}\n`)

/** What a person may get wrong: a character more or less somewhere. */
const spoiled = fc
  .tuple(
    ruleFile,
    fc.nat(),
    fc.constantFrom(
      '',
      '',
      ' ',
      '\n',
      '"',
      ')',
      '(',
      ']',
      ',',
      ':',
      '\t',
      '\r',
      '=',
      'x',
      '1',
      '\\',
      '#',
      ';',
      ' if ',
      ' in ',
      'not ',
      '{',
      '*',
      '.',
      '%',
    ),
  )
  .map(([text, place, piece]) => {
    const at = place % (text.length + 1)
    return text.slice(0, at) + piece + text.slice(piece === '' ? at + 1 : at)
  })

const command = fc.tuple(program, fc.array(word, { maxLength: 3 })).map((parts) => parts.flat())

/** Pairs of rules and commands. */
export const policyCases: fc.Arbitrary<PolicyCase> = fc.record({
  files: fc.array(fc.oneof({ weight: 5, arbitrary: validFile }, { weight: 1, arbitrary: ruleFile }), {
    minLength: 1,
    maxLength: 2,
  }),
  words: command,
  resolves: fc.boolean(),
})

/** Rule files that are mostly wrong. */
export const spoiledCases: fc.Arbitrary<PolicyCase> = fc.record({
  files: fc.tuple(spoiled),
  words: command,
  resolves: fc.boolean(),
})
