import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { decompose } from './index.ts'

const pathOf = (name: string) =>
  (process.env['PATH'] ?? '')
    .split(delimiter)
    .map((folder) => join(folder, name))
    .find((file) => existsSync(file))
const bash = pathOf('bash')
const real = 'bash sh env nice timeout nohup xargs find cat tee setsid stdbuf'.split(' ')

let folder = ''

beforeAll(() => {
  if (bash === undefined) return
  folder = mkdtempSync(join(tmpdir(), 'donecheck-decompose-'))
  for (const name of ['bin', 'work']) mkdirSync(join(folder, name))
  for (const name of ['one', 'two', 'three']) {
    const file = join(folder, 'bin', name)
    // Each start is a line of words, each followed by a colon.
    writeFileSync(
      file,
      `#!${bash}\nline=$(printf '%s:' ${name} "$@")\nprintf '%s\\n' "$line" >> "$STARTED"\necho done\n`,
    )
    chmodSync(file, 0o755)
  }
  for (const name of real) {
    const program = pathOf(name)
    if (program !== undefined) symlinkSync(program, join(folder, 'bin', name))
  }
})
afterAll(() => {
  if (folder !== '') rmSync(folder, { recursive: true, force: true })
})

/** The programs that a shell did start, with their words. */
function startedBy(shell: string, line: string): readonly string[] {
  const started = join(folder, 'started')
  rmSync(started, { force: true })
  spawnSync(shell, ['-c', line], {
    cwd: join(folder, 'work'),
    env: { PATH: join(folder, 'bin'), STARTED: started, CALLED: 'two' },
    input: '',
    timeout: 5_000,
  })
  return existsSync(started) ? readFileSync(started, 'utf8').split('\n').filter(Boolean) : []
}

const lines = [
  'one',
  'one a "b  c" d\\ e',
  'one && two || three',
  'one; two & wait',
  'one | two |& three',
  '! one',
  'time two',
  '( one; ( two ) )',
  '{ one; two; }',
  'if one; then two; else three; fi',
  'if ! one; then two; elif three; then one x; fi',
  'for i in a b; do one; done',
  'while one; do two; break; done',
  'until one; do two; done',
  'case a in b) one;; a) two;& c) three;; esac',
  'f() { one; two a; }; f',
  'function f { one; }; f',
  'for ((i = 0; i < 2; i++)); do one; done',
  '[[ -n a ]] && one',
  '[ -n a ] && one',
  'one $(two)',
  'one "$(two "$(three)")"',
  'one `two \\`three\\``',
  'x=$(one) two',
  'x=(a $(one)); two',
  'cat <(one) <(two)',
  'one > >(cat) 2> file',
  'cat <<E\n$(one) `two`\nE',
  "cat <<'E'\n$(one)\nE\ntwo",
  'cat <<< "$(one)"',
  'echo ${x:-$(one)} ${x:+$(two)}',
  'echo $(( 1 + $(one >&2; echo 1) ))',
  "sh -c 'one; two'",
  `bash -c "sh -c 'one a'"`,
  "bash -euo pipefail -c 'one'",
  'bash -c \'one "$1"\' name x',
  'bash <<E\none a\nE',
  "sh <<'E'\ntwo a\nE",
  "sh <<< 'one b'",
  "echo 'one c' | sh",
  "printf 'one %s\\n' d e | bash",
  "eval 'one' 'two; three'",
  "trap 'one' EXIT; two",
  'env one a',
  'env -i PATH="$PATH" STARTED="$STARTED" one b',
  'env A=b nice timeout 5 one c',
  'nice -n 1 nohup two d',
  'timeout -k 1 5 one e',
  'exec one f',
  'command one g',
  'builtin command one h',
  'echo x | xargs one i',
  'echo x | xargs -I% two % j',
  'find . -maxdepth 0 -exec one {} ;  find . -maxdepth 0 -exec two {} +',
  'find . -maxdepth 0 -exec two k \\;',
  'x=one; $x l',
  'x="two m"; $x',
  '"$CALLED" p',
  'o""ne q; t\\wo r; \'three\' s',
  "$'\\x6fne' t",
  'one w{1,2}{3..4}',
  'on\\\ne x # two y\nthree z',
  'one *; two ~; three [a-z]',
  'coproc one; wait',
  'alias one=two\none c',
  'one c; (',
  'echo a &> file one d',
  '((one f))',
  "echo $'a\\'; one g #'",
]

describe.skipIf(bash === undefined)(
  `given a line and a real shell${bash === undefined ? ' (skipped: there is no bash here)' : ''}`,
  () => {
    const shells = ['bash', 'sh'].flatMap((name) => pathOf(name) ?? [])

    it.each(lines)('finds every program that it starts in %j', (line) => {
      const { commands, obstacles } = decompose(line)
      const known = new Set(commands.map(({ words }) => words.map(({ text }) => `${text ?? '?'}:`).join('')))
      const isAmbiguous = obstacles.some(({ kind }) => kind === 'syntax')
      const programs = new Set(commands.flatMap(({ words }) => words[0]?.text ?? []))
      for (const started of shells.flatMap((shell) => startedBy(shell, line))) {
        const isFound =
          isAmbiguous ||
          known.has(started) ||
          (obstacles.length > 0 && programs.has(started.split(':', 1)[0] ?? ''))
        expect(isFound || (obstacles.length > 0 && line.includes('$CALLED')), started).toBe(true)
      }
    })

    it('has seen programs start', () => {
      expect(startedBy(bash ?? '', 'one a; two')).toEqual(['one:a:', 'two:'])
    })
  },
)
