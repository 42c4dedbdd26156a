/** Proposes a rule for a command and similar ones. */
import type { Amendment } from '../../../ports/gate.ts'

const maxWords = 32
const maxLength = 1000

/** Undefined for shells, inline code and wrappers, for which a rule would allow too much. */
export function proposeAmendment(
  words: readonly string[],
  isStopped: (prefix: readonly string[]) => boolean,
): Amendment | undefined {
  if (isStopped(words)) return undefined
  const prefix = [kindOf(words), wholeOf(words)].find(
    (candidate) => candidate !== undefined && !isStopped(candidate),
  )
  return prefix === undefined ? undefined : { prefix }
}

/** Whether a prefix allows too much: a launcher, a bare interpreter, a missing subcommand. */
export function isTooGeneral(prefix: readonly string[]): boolean {
  const [program, ...rest] = prefix
  if (program === undefined) return true
  const name = nameOf(program)
  if (interpreters.has(name)) return !(isModule(name, rest) || isScript(rest[0]))
  if (openPrograms.has(name)) return true
  if (!hasOwnCommands(name)) return false
  // A leading option may change what runs, such as `git -c`.
  return rest[0]?.startsWith('-') === true || rest.length < (familyOf([name, ...rest])?.needed ?? 0)
}

function kindOf(words: readonly string[]): readonly string[] | undefined {
  const [program] = words
  const family = familyOf(words)
  if (program === undefined || !isPlain(program) || !family?.isGeneral) return undefined
  const kind = words.slice(0, family.needed + 1)
  const isModuleFlag = kind[1] === '-m' && interpreters.has(program)
  const areNamed = kind.slice(isModuleFlag ? 2 : 1).every(isPlain)
  return kind.length === family.needed + 1 && areNamed ? kind : undefined
}

interface Family {
  readonly needed: number
  /** False if later words decide what it does, so that it is allowed only word for word. */
  readonly isGeneral: boolean
}

/** Longest match; undefined for an unknown program. */
function familyOf(words: readonly string[]): Family | undefined {
  for (const length of [3, 2, 1]) {
    const count = words.length < length ? undefined : families.get(words.slice(0, length).join(' '))
    if (count === null) return { needed: length, isGeneral: false }
    if (count !== undefined) return { needed: count, isGeneral: true }
  }
  return undefined
}

function wholeOf(words: readonly string[]): readonly string[] | undefined {
  const isShort = words.length <= maxWords && words.join(' ').length <= maxLength
  const isText = words.every((word) => word.isWellFormed() && !word.includes('\0'))
  return isShort && isText && !isTooGeneral(words) && words[0] !== '' ? words : undefined
}

/** A name: not an option, path, number or assignment. */
const isPlain = (word: string) => /^[a-zA-Z@][a-zA-Z0-9_.:@-]*$/.test(word)

const isScript = (word: string | undefined) => word !== undefined && /^(?!-|\/dev\/|\/proc\/)./.test(word)

const isModule = (name: string, [flag, module]: readonly string[]) =>
  name.startsWith('py') && flag === '-m' && module !== undefined && isPlain(module)

function nameOf(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.exe$/, '')
  const bare = name.replace(/[-.0-9]+$/, '')
  return openPrograms.has(bare) ? bare : name
}

/** Whether its first words are subcommands. */
export function hasOwnCommands(program: string): boolean {
  return families.has(program) && families.get(program) !== 0
}

/** `python script.py` is a command of its own. */
const interpreters: ReadonlySet<string> = new Set(
  (
    'sh bash zsh dash ksh fish python python2 python3 pypy pypy3 node nodejs ts-node tsx perl ruby php lua luajit Rscript ' +
    'julia'
  ).split(' '),
)

/** They run their arguments, possibly as another user or elsewhere. */
const openPrograms: ReadonlySet<string> = new Set([
  ...interpreters,
  ...(
    'ash csh tcsh pwsh powershell cmd busybox deno R osascript awk gawk mawk sed env sudo doas su runuser pkexec nohup nice ionice ' +
    'timeout time stdbuf setsid chroot unshare nsenter xargs parallel watch command exec eval source . builtin trap ssh scp rsync ' +
    'find fd make-shell script expect screen tmux flock strace ltrace gdb vi vim nvim emacs ed ex less more man git-shell'
  ).split(' '),
])

/** Number of subcommand words by program; null if later words decide. */
const families: ReadonlyMap<string, number | null> = new Map(
  (
    [
      [
        0,
        'eslint, prettier, tsc, vitest, jest, mocha, ava, pytest, ruff, mypy, pyright, black, isort, flake8',
      ],
      [0, 'pylint, rubocop, rspec, shellcheck, hadolint'],
      [
        1,
        'git, npm, pnpm, yarn, bun, cargo, go, docker, podman, kubectl, helm, terraform, tofu, pip, pip3, uv',
      ],
      [1, 'poetry, pipx, gradle, mvn, dotnet, rustup, brew, apt, apt-get, dnf, gh, make, just, task, rake'],
      [1, 'bundle, composer, mix, nx, turbo, lerna, systemctl, npx, bunx, bazel, cmake'],
      [2, 'aws, gcloud, az, npm run, pnpm run, yarn run, bun run, docker compose, docker image'],
      [2, 'docker container, docker volume, docker network, git remote, git stash, git worktree, git notes'],
      [2, 'git lfs, go mod, gh pr, gh issue, gh run, gh repo, cargo nextest, uv pip, kubectl rollout'],
      [2, 'kubectl get, python -m, python3 -m, bundle exec, nx run'],
      [null, 'git config, git rebase, git bisect, git submodule, git filter-branch, git push, git reset'],
      [null, 'git clean, git checkout, git restore, git rm, git difftool, git mergetool, git branch'],
      [null, 'git update-ref, git reflog, npm exec, npm x, npm publish, npm explore, pnpm exec, pnpm dlx'],
      [null, 'yarn dlx, yarn exec, bun x, docker run, docker exec, docker system, podman run, podman exec'],
      [null, 'kubectl exec, kubectl delete, kubectl run, kubectl debug, uv run, poetry run, pipx run, uvx'],
      [null, 'terraform destroy, terraform apply, tofu destroy, tofu apply, gh api, gh repo delete, go run'],
      [null, 'go generate, gh secret, gh auth, gh extension, gh alias, nx run-many, deno eval, deno run'],
    ] as const
  ).flatMap(([words, names]) => names.split(', ').map((name) => [name, words] as const)),
)
