import { describe, expect, it } from 'vitest'
import { decided } from '../fixtures/decided.ts'
import { rule } from '../fixtures/gate-context.ts'

const unconfined = { isConfined: false }

/** Each runs `cmd` in a real `bash`, or changes what names mean, though every program in it only reads. */
const evaluating: readonly string[] = [
  "env 'BASH_FUNC_ls%%=() { cmd; }' bash -c ls",
  "a['$(cmd)']=1",
  'echo "${a[\'$(cmd)\']}"',
  "echo ${#a['$(cmd)']}",
  "echo ${!a['$(cmd)']}",
  "echo ${a['$(cmd)']:=1}",
  "a[$'\\x24(cmd)']=1",
  "a[0+'$(cmd)']=1",
  "cat <<X\n${a['$(cmd)']}\nX",
  "x='$(cmd)'; a=([$x]=1)",
  "(( 'a[$(cmd)]' ))",
  "echo $['a[$(cmd)]']",
  "for ((i='a[$(cmd)]';i<1;i++)); do echo; done",
  'printf -v a[\\$\\(cmd\\)] y',
  'printf "$x" "$y" z',
  '[ -v a[\\$\\(cmd\\)] ]',
  '[ -v "$x" ]',
  '[[ -v $x ]]',
  'test $x',
  '[ "$x" a ]',
  'x=a[\\$\\(cmd\\)]; echo $((x))',
  "n=$(cat <<'X'\na[$(cmd)]\nX\n); [[ $n -gt 0 ]]",
  "n=$(cat <<'X'\na[$(cmd)]\nX\n); echo $((n))",
  'read n < f; echo $((n))',
  'i=0; eval "read i"; echo $((i+1))',
  'x=$(cat f); echo ${!x}',
  'let a[\\$\\(cmd\\)]=1',
  '(( PATH=1 )); ls',
  'for ((PATH=1;PATH<2;PATH++)); do ls; done',
  "declare -i x='a[$(cmd)]'",
  "x='a[$(cmd)]'; echo ${y:0:x}",
  'x=\'$(cmd)\'; echo "${x@P}"',
  "read 'a[$(cmd)]' < f",
  "unset 'a[$(cmd)]'",
  "PS4='$(cmd)'; set -x; ls",
  'jq env x',
  "jq -n '$ENV | keys'",
  'jq -f filter x',
  "gh pr list --jq 'env'",
  'ps auxe',
  'ps eww',
]

describe('given no sandbox, and a line that looks as if it only reads', () => {
  it.each(evaluating)('asks where a text is read as code once more: %s', (script) => {
    expect(decided(script, 'on-request', [], unconfined)).toMatch(/^prompt/u)
  })

  it.each([
    'echo $((1 + 2 * 0x1f))',
    'i=0; while [ $i -lt 3 ]; do echo $i; i=$((i + 1)); done',
    'for ((i=0; i<3; i++)); do echo "$i"; done',
    'for i in 1 2 3; do echo $((i * 2)); done',
    '[[ $# -gt 0 ]] || echo none',
    'x=abc; [[ ${#x} -gt 2 ]] && echo "${x:0:2}"',
    '[ "$x" = y ] && echo yes',
    '[ -f a ] && [ -n "$x" ] && echo both',
    'printf \'%s\\n\' "$x"',
    'echo "[$(date)] begun"',
  ])('does not ask for a sum of numbers, or a plain test: %s', (script) => {
    expect(decided(script, 'on-request', [], unconfined)).toBe('allow')
  })

  it.each([
    "env 'BASH_FUNC_ls%%=() { git push; }' bash -c ls",
    "a['$(git push)']=1",
    "(( 'a[$(git push)]' ))",
    "let x=a['$(git push)']",
  ])('asks in a sandbox too: %s', (script) => {
    expect(decided(script, 'on-request', [])).toBe('prompt opaque_command')
  })
})

describe('given a rule that forbids, in a sandbox', () => {
  const rules = [rule('git push', 'forbidden')]

  it.each([
    "echo 'git push' > s.sh; bash s.sh",
    'echo git push > s.sh && . ./s.sh',
    "printf '#!/bin/sh\\ngit push\\n' > s; chmod +x s; ./s",
    "cat > s.sh <<'X'\nset -e\ngit push\nX\nsh s.sh",
    "echo 'git push' | tee s.sh; cd x; bash ../s.sh",
    "mkfifo p; echo 'git push' > p & sh p",
  ])('finds it in %s', (script) => {
    expect(decided(script, 'on-request', rules)).toBe('forbidden policy_forbidden')
  })

  it.each([
    'cat f | xargs nohup',
    'cat f | xargs -0 bash -c',
    'bash --rcfile <(echo git push) -ic :',
    'git push --receive-p=./x',
    "vim -c '!git push'",
    "nc -c 'git push' h 1",
    "socat EXEC:'git push' -",
    "make SHELL='git push' x",
  ])('asks where it cannot be told: %s', (script) => {
    expect(decided(script, 'on-request', rules)).toMatch(/^(?:prompt|forbidden)/u)
  })

  it.each(["cat > s.sh <<'X'\nset -e\nnpm test\nX\nbash s.sh", 'echo git push > notes.md; bash s.sh'])(
    'says nothing of what is not forbidden: %s',
    (script) => {
      expect(decided(script, 'on-request', rules)).toBe('allow')
    },
  )

  it.each([
    'tar xf x.tgz -C keys',
    'cp -r x/. keys',
    'unzip -d keys x.zip',
    'wget -P keys https://x/y',
    'pip install --target keys x',
    'rsync -a x/ keys/',
    'patch -d keys < p',
    'git apply --directory=keys p',
    'curl --output-dir keys -O https://x/y',
  ])('finds a forbidden file in a folder that is filled: %s', (script) => {
    const source = { layer: 'user' } as const
    const given = [{ kind: 'path', paths: ['keys/*.pem'], decision: 'forbidden', source }] as const
    expect(decided(script, 'on-request', given)).toBe('forbidden policy_forbidden')
    expect(decided(script.replace('keys', 'vendor'), 'on-request', given)).toBe('allow')
  })

  it.each(['git push -u origin main', 'git fetch -u origin', 'git pull -u'])(
    'takes "-u" for what it means there: %s',
    (script) => {
      expect(decided(script, 'on-request', [rule('git push', 'allow')])).toBe('allow')
      expect(decided(script, 'never', [rule('git push', 'allow')])).toBe('allow')
    },
  )
})
