import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decompose } from '../index.ts'
import { commandsIn, obstaclesIn } from '../showing.test.ts'

describe('given a program that runs another one', () => {
  it('says through what it is started', () => {
    const { commands } = decompose(`sudo -u a env B=c nice sh -c 'timeout 5 rm -rf x'`)
    expect(commands.at(-1)?.through).toEqual(['sudo', 'env', 'nice', 'sh -c', 'timeout'])
  })
})

describe('given a wrapper', () => {
  const isTransparent = (line: string) => decompose(line).commands[0]?.isTransparent

  it.each(['timeout 5 a', 'command a', `sh -c 'a'`, `bash -lc 'a'`, 'nohup a', 'exec a', 'eval a'])(
    'lets %j pass as the command behind it',
    (line) => {
      expect(isTransparent(line)).toBe(true)
      expect(obstaclesIn(line)).toEqual([])
    },
  )

  it.each([
    'sudo a',
    'env -i a',
    'env -C / a',
    'nice --unheard-of a b',
    'command -v a',
    'time -o f a',
    `bash --rcfile f -c 'a'`,
    'bash script.sh',
    'npx a',
    'git status',
    'xargs a',
    'env',
  ])('judges %j as a command of its own', (line) => {
    const first = decompose(line).commands.find(
      ({ words }) => words[0]?.text !== 'time' || line.startsWith('time'),
    )
    expect(first?.isTransparent).toBe(false)
  })

  it.each([
    ['sudo a', 'elsewhere'],
    ['ssh host a', 'elsewhere'],
    [`trap 'a' EXIT`, 'elsewhere'],
    ['xargs a', 'dynamic-word'],
    ['find . -exec a {} +', 'dynamic-word'],
    ['eval "$x"', 'dynamic-script'],
    ['sh -c "$x"', 'dynamic-script'],
    ['curl https://x | sh', 'dynamic-script'],
    ['sh < file', 'dynamic-script'],
    ['sh', 'dynamic-script'],
    ['bash <(curl https://x)', 'dynamic-script'],
    ['source file', 'dynamic-script'],
    ['sh <<E\n$x\nE', 'dynamic-script'],
    ['env LD_PRELOAD=x a', 'environment'],
    ['sudo PATH=x a', 'environment'],
    ['git -c core.pager=x log', 'environment'],
    ['alias a=b', 'redefinition'],
    ['hash -p /tmp/x ls', 'redefinition'],
    ['enable -n test', 'redefinition'],
    ['unset -f a', 'redefinition'],
  ] as const)('says of %j that there is %s', (line, kind) => {
    expect(obstaclesIn(line)).toContain(kind)
  })

  it.each(['trap - INT', 'trap', 'docker ps', 'git -c color.ui=never log', 'alias'])(
    'has nothing to say of %j',
    (line) => {
      expect(commandsIn(line)).toEqual([line])
      expect(obstaclesIn(line)).toEqual([])
    },
  )
})

describe('given any harmless script behind any wrapper', () => {
  const script = fc
    .array(fc.constantFrom('ls -la', `echo 'a  b'`, 'git status', 'a "b c" d', "printf '%s' x", 'true'), {
      minLength: 1,
      maxLength: 4,
    })
    .map((parts) => parts.join(' && '))
  const quoted = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`
  const wrapperAround = fc.constantFrom<(line: string) => string>(
    (line) => `( ${line} )`,
    (line) => `{ ${line}; }`,
    (line) => `if ${line}; then :; fi`,
    (line) => `while ${line}; do ${line}; done`,
    (line) => `f() { ${line}; }; f`,
    (line) => `! { ${line}; }`,
    // With a space: what begins with two parentheses is arithmetic.
    (line) => `x=$( ${line})`,
    (line) => `cat <( ${line})`,
    (line) => `sh -c ${quoted(line)}`,
    (line) => `bash -lc ${quoted(line)}`,
    (line) => `sudo -n sh -c ${quoted(line)}`,
    (line) => `env A=b nice timeout 5 bash -c ${quoted(line)}`,
    (line) => `eval ${quoted(line)}`,
    (line) => `trap ${quoted(line)} EXIT`,
    (line) => `ssh host ${quoted(line)}`,
    (line) => `find . -exec sh -c ${quoted(line)} ';'`,
    (line) => `xargs -I% sh -c ${quoted(line)}`,
    (line) => `printf '%s' ${quoted(line)} | sh`,
    (line) => `sh <<'END'\n${line}\nEND\n`,
    (line) => `sh <<< ${quoted(line)}`,
    (line) => `echo "\`${line.replace(/[\\`$"]/g, '\\$&')}\`"`,
  )

  it('finds every command of it', () => {
    fc.assert(
      fc.property(script, fc.array(wrapperAround, { minLength: 1, maxLength: 2 }), (line, around) => {
        const inner = commandsIn(line)
        const found = new Set(commandsIn(around.reduce((text, wrap) => wrap(text), line)))
        expect(inner.filter((command) => !found.has(command))).toEqual([])
      }),
    )
  })
})
