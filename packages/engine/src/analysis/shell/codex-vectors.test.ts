import { describe, expect, it } from 'vitest'
import { decompose } from './index.ts'
import { commandsIn } from './showing.test.ts'

const finds = (line: string, wanted: string) =>
  expect(
    commandsIn(line).some((command) => command === wanted || command.startsWith(`${wanted} `)),
    `${wanted} in ${line}`,
  ).toBe(true)

describe('given the lines in which the reference does find a forbidden command', () => {
  it.each([
    'a && echo forbid',
    'a || echo forbid',
    'a; echo forbid',
    'a\necho forbid',
    'a | echo forbid',
    'echo forbid;',
    'echo "forbid"',
    `echo 'for'"bid"`,
    'echo forbid --x="a b"',
    'echo forbid a=b',
    `echo forbid '' ""`,
    'echo \\\nforbid',
    'set -e; echo forbid',
    'cd d && echo forbid',
    'test -f x || echo forbid',
    `printf '%s' x && echo forbid`,
    'echo forbid "x!y"',
    'echo forbid käse 日本',
  ])('finds it in %j, with nothing in the way', (line) => {
    finds(line, 'echo forbid')
    expect(decompose(line).obstacles).toEqual([])
  })

  it('finds it under the path of the program', () => {
    expect(commandsIn('/bin/echo forbid')).toEqual(['/bin/echo forbid'])
  })
})

describe('given the lines that the reference refuses to take apart, so that its rules do not see them', () => {
  it.each([
    '( echo forbid )',
    '{ echo forbid; }',
    'echo forbid > f',
    'echo forbid 2>&1',
    'echo forbid < f',
    'echo forbid <<E\nx\nE',
    'echo forbid <<< x',
    'echo forbid &',
    'echo forbid |& cat',
    'a |& echo forbid',
    '! echo forbid',
    'time echo forbid',
    'time -p echo forbid',
    'if echo forbid; then a; fi',
    'if a; then echo forbid; fi',
    'if a; then b; else echo forbid; fi',
    'if a; then b; elif echo forbid; then c; fi',
    'while echo forbid; do a; done',
    'while a; do echo forbid; done',
    'until a; do echo forbid; done',
    'for i in 1 2; do echo forbid; done',
    'for ((i = 0; i < 2; i++)); do echo forbid; done',
    'select i in 1 2; do echo forbid; done',
    'case x in x) echo forbid;; esac',
    'f() { echo forbid; }; f',
    'function f { echo forbid; }',
    'a $x; echo forbid',
    'echo forbid $x',
    'a $(echo forbid)',
    'a "$(echo forbid)"',
    'a `echo forbid`',
    'a "`echo forbid`"',
    'a $(b $(echo forbid))',
    "echo $'forbid'",
    "echo $'\\x66orbid'",
    'echo forbid *',
    'echo forbid ?',
    'echo forbid [a]',
    'echo forbid {a,b}',
    'echo forbid ~',
    'A=1 echo forbid',
    'A=1; echo forbid',
    '[ -f x ] && echo forbid',
    '[[ -f x ]] && echo forbid',
    'export A=1; echo forbid',
    'declare A=1; echo forbid',
    'unset A; echo forbid',
    'echo forbid # c',
    '# c\necho forbid',
    'echo \\forbid',
    'echo forbid "a\\"b"',
    'echo forbid "a\\$b"',
    "'echo' forbid",
    "ec''ho forbid",
    'echo forbid https://x/?a=b',
    'echo forbid; (',
    'echo forbid; if',
    `echo forbid; echo 'abc`,
    'a; echo forbid; echo "abc',
    'coproc echo forbid',
    'a <(echo forbid)',
    'a > >(echo forbid)',
    'a=$(echo forbid)',
    'a=(b $(echo forbid))',
    'a > $(echo forbid)',
    'a <<E\n$(echo forbid)\nE',
    'a <<< "$(echo forbid)"',
    'a $(( 1 + $(echo forbid) ))',
    'a ${x:-$(echo forbid)}',
    '(( $(echo forbid) ))',
    '[[ $(echo forbid) == x ]]',
    'case $(echo forbid) in x) a;; esac',
  ])('finds it in %j', (line) => finds(line, 'echo forbid'))
})
