import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { decompose } from '../index.ts'
import { commandsIn, obstaclesIn } from '../showing.test.ts'

const wanted = 'rm -rf x'

describe('given a program that runs another one', () => {
  it.each([
    'sudo rm -rf x',
    'sudo -n -u root rm -rf x',
    'sudo --user=root -- rm -rf x',
    'sudo --us root rm -rf x',
    'env --unset=X --chdir=/ rm -rf x',
    `env '-Srm -rf x'`,
    'exec -a name rm -rf x',
    'command -p rm -rf x',
    'sudo --unheard-of y rm -rf x',
    'sudo A=b rm -rf x',
    'sudo -s rm -rf x',
    'doas -u root rm -rf x',
    'pkexec --user root rm -rf x',
    `su -c 'rm -rf x'`,
    `su - root -c 'rm -rf x'`,
    `runuser -u root -- rm -rf x`,
    `sg staff -c 'rm -rf x'`,
    'env rm -rf x',
    'env -iu X A=b C=d rm -rf x',
    `env -S 'A=b rm -rf x'`,
    `env --split-string='rm -rf' x`,
    'command -- rm -rf x',
    'builtin command rm -rf x',
    'exec -cl rm -rf x',
    'nice -10 rm -rf x',
    'ionice -c 3 rm -rf x',
    'nohup rm -rf x',
    'setsid -w rm -rf x',
    'stdbuf -oL -e 0 rm -rf x',
    '/usr/bin/time -p rm -rf x',
    '\\time -f %e rm -rf x',
    'timeout 5 rm -rf x',
    'timeout --signal=KILL 10 rm -rf x',
    'chroot --userspec=a /mnt rm -rf x',
    'flock /tmp/lock rm -rf x',
    'setarch x86_64 -R rm -rf x',
    'ssh-agent rm -rf x',
    'echo rm -rf x | xargs env',
    'echo rm -rf x | xargs nohup',
    `watch 'rm -rf x'`,
    `printf 'rm -rf x' | xargs -0 bash -c`,
    'echo -rf x | xargs rm',
    'strace -f -o log rm -rf x',
    'xargs -0 -P 4 -n 1 rm -rf x',
    'parallel rm -rf x ::: a b',
    `parallel ::: 'rm -rf x'`,
    `find . -name '*.c' -exec rm -rf x ';'`,
    'find . -exec a {} + -execdir rm -rf x \\;',
    'find . -ok rm -rf x \\;',
    'find . -okdir rm -rf x \\;',
    'fd -e c -x rm -rf x',
    `eval 'rm' '-rf x'`,
    `trap 'rm -rf x' EXIT INT`,
    `ssh -p 22 -o A=b host 'rm -rf x'`,
    `ssh -o ProxyCommand='rm -rf x' host true`,
    'ssh host -p 2 rm -rf x',
    'docker exec -it -e A=b web rm -rf x',
    `docker exec web sh -c 'rm -rf x'`,
    'docker run --rm -v /:/mnt image rm -rf x',
    'docker compose exec web rm -rf x',
    'podman run --unheard-of y image rm -rf x',
    'kubectl exec pod -- rm -rf x',
    'bwrap --ro-bind / / rm -rf x',
    'busybox rm -rf x',
    `busybox sh -c 'rm -rf x'`,
    'npx -y rm -rf x',
    `npx -c 'rm -rf x'`,
    'bunx rm -rf x',
    'pnpm exec rm -rf x',
    'npm exec -- rm -rf x',
    'yarn dlx rm -rf x',
    'uv run --with y rm -rf x',
    'bundle exec rm -rf x',
    'mise exec -- rm -rf x',
    `script -qc 'rm -rf x' /dev/null`,
    `script -q /dev/null rm -rf x`,
    `nix-shell -p y --run 'rm -rf x'`,
    `git -c alias.x='!rm -rf x' x`,
    `git -c core.pager='rm -rf x' log`,
    `git -c core.sshCommand='rm -rf x' fetch`,
    `git rebase --exec 'rm -rf x' HEAD~3`,
    'git bisect run rm -rf x',
    `git submodule foreach --recursive 'rm -rf x'`,
    `git filter-branch --tree-filter 'rm -rf x' HEAD`,
    `git config --global alias.x '!rm -rf x'`,
    `git clone --upload-pack='rm -rf x' host:y`,
    `git clone 'ext::rm -rf x'`,
    `alias ls='rm -rf x'`,
    `mapfile -C 'rm -rf x' -c 1 lines`,
    `compgen -C 'rm -rf x'`,
    'jobs -x rm -rf x',
    '/lib64/ld-linux-x86-64.so.2 rm -rf x',
    'tmux new-session -d rm -rf x',
    'repeat 3 rm -rf x',
    'noglob rm -rf x',
    `hyperfine 'rm -rf x'`,
    'SUDO rm -rf x',
    'sudo.exe rm -rf x',
  ])('finds what is run in %j', (line) => {
    expect(commandsIn(line).some((command) => command.startsWith(wanted))).toBe(true)
  })

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
    ['xargs a', 'elsewhere'],
    ['docker run image a', 'elsewhere'],
    ['find . -exec a {} +', 'elsewhere'],
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
