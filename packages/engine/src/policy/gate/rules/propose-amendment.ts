/** Which rule would allow a command from now on, and others of its kind. */
import type { Amendment } from '../../../ports/gate.ts'

const maxWords = 32
const maxLength = 1000

/**
 * Program and subcommand of a command that is known, else the whole command; undefined where a rule would allow more than
 * anybody has looked at: an interpreter or a shell alone or with code of the command line, a wrapper, what is stopped anyway.
 */
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

/**
 * Whether a prefix would allow more than one kind of command, such as one that the model has asked for: an open program
 * with whatever it would be given, an interpreter without a script, a family of commands without the word that says which.
 */
export function isTooGeneral(prefix: readonly string[]): boolean {
  const [program, ...rest] = prefix
  if (program === undefined) return true
  const name = nameOf(program)
  if (interpreters.has(name)) return !(isModule(name, rest) || isScript(rest[0]))
  if (isOpenProgram(name)) return true
  const [first] = rest
  // An option in front may change what is run, such as `git -c`.
  const family = wordsBehind(name) === undefined ? undefined : familyOf([name, ...rest])
  return family !== undefined && (first?.startsWith('-') === true || rest.length < family.needed)
}

function kindOf(words: readonly string[]): readonly string[] | undefined {
  const [program] = words
  if (program === undefined || !isPlain(program)) return undefined
  if (checkers.has(program)) return [program]
  const family = familyOf(words)
  if (!family?.isGeneral) return undefined
  const kind = words.slice(0, family.needed + 1)
  const isModuleFlag = kind[1] === '-m' && interpreters.has(program)
  const areNamed = kind.slice(isModuleFlag ? 2 : 1).every(isPlain)
  return kind.length === family.needed + 1 && areNamed ? kind : undefined
}

interface Family {
  /** How many words behind the program say which command of it. */
  readonly needed: number
  /** False: further words decide what it does, and it is not said in general. */
  readonly isGeneral: boolean
}

/** By the longest entry that fits; undefined for an unknown program. */
function familyOf(words: readonly string[]): Family | undefined {
  for (const length of [3, 2, 1]) {
    const count = wordsBehind(words.slice(0, length).join(' '))
    if (words.length >= length && count !== undefined)
      return count === 0 ? { needed: length, isGeneral: false } : { needed: count, isGeneral: true }
  }
  return undefined
}

function wholeOf(words: readonly string[]): readonly string[] | undefined {
  const isShort = words.length <= maxWords && words.join(' ').length <= maxLength
  const isText = words.every((word) => word.isWellFormed() && !word.includes('\0'))
  return isShort && isText && !isTooGeneral(words) && words[0] !== '' ? words : undefined
}

/** A word that names something: no option, no path, no number, no assignment. */
const isPlain = (word: string) => /^[a-zA-Z@][a-zA-Z0-9_.:@-]*$/.test(word)

const isScript = (word: string | undefined) => word !== undefined && /^(?!-|\/dev\/|\/proc\/)./.test(word)

const isModule = (name: string, [flag, module]: readonly string[]) =>
  name.startsWith('py') && flag === '-m' && module !== undefined && isPlain(module)

/** Without its folder and its version: `/usr/bin/python3.12` is `python`. */
function nameOf(program: string): string {
  const name = program.slice(program.lastIndexOf('/') + 1).replace(/\.exe$/, '')
  const bare = name.replace(/[-.0-9]+$/, '')
  return isOpenProgram(bare) ? bare : name
}

/** What is known of programs, for the proposal of a rule. */

/**
 * Programs that run what they are given, or do as another user or on another machine: a rule for them would allow
 * anything. Shells and interpreters are among them.
 */
function isOpenProgram(name: string): boolean {
  openPrograms ??= new Set(listed.split(/\s+/))
  return openPrograms.has(name)
}

/** Made when it is asked for first, as the table below: most processes never do. */
let openPrograms: ReadonlySet<string> | undefined

const listed = `sh bash zsh dash ash ksh fish csh tcsh pwsh powershell cmd busybox
   python python2 python3 pypy pypy3 node nodejs deno ts-node tsx perl ruby php lua luajit Rscript R julia osascript awk gawk mawk sed
   env sudo doas su runuser pkexec nohup nice ionice timeout time stdbuf setsid chroot unshare nsenter xargs parallel watch
   command exec eval source . builtin trap ssh scp rsync find fd make-shell script expect screen tmux flock strace ltrace gdb
   vi vim nvim emacs ed ex less more man git-shell`

/** Interpreters whose first argument may be a program of theirs: `python script.py` is a command of its own. */
const interpreters: ReadonlySet<string> = new Set(
  `sh bash zsh dash ksh fish python python2 python3 pypy pypy3 node nodejs ts-node tsx perl ruby php lua luajit Rscript julia`.split(
    ' ',
  ),
)

/**
 * How many words behind the program name what is done. The longest entry that fits counts; 0: never said in general, since
 * further words decide what it does.
 */
function wordsBehind(program: string): number | undefined {
  subcommandWords ??= new Map(
    families.flatMap(([words, names]) => names.split(', ').map((name) => [name, words] as const)),
  )
  return subcommandWords.get(program)
}

/** Whether the words behind the program are commands and arguments of its own. */
export function hasOwnCommands(program: string): boolean {
  return wordsBehind(program) !== undefined
}

let subcommandWords: ReadonlyMap<string, number> | undefined

/** How many words, and behind which, divided by commas. */
const families: readonly (readonly [words: number, names: string])[] = [
  [1, 'git, npm, pnpm, yarn, bun, cargo, go, docker, podman, kubectl, helm, terraform, tofu, pip, pip3, uv'],
  [1, 'poetry, pipx, gradle, mvn, dotnet, rustup, brew, apt, apt-get, dnf, gh, make, just, task, rake'],
  [1, 'bundle, composer, mix, nx, turbo, lerna, systemctl, npx, bunx, bazel, cmake'],
  [2, 'aws, gcloud, az, npm run, pnpm run, yarn run, bun run, docker compose, docker image'],
  [2, 'docker container, docker volume, docker network, git remote, git stash, git worktree, git notes'],
  [2, 'git lfs, go mod, gh pr, gh issue, gh run, gh repo, cargo nextest, uv pip, kubectl rollout'],
  [2, 'kubectl get, python -m, python3 -m, bundle exec, nx run'],
  [0, 'git config, git rebase, git bisect, git submodule, git filter-branch, git push, git reset'],
  [0, 'git clean, git checkout, git restore, git rm, git difftool, git mergetool, git branch'],
  [0, 'git update-ref, git reflog, npm exec, npm x, npm publish, npm explore, pnpm exec, pnpm dlx'],
  [0, 'yarn dlx, yarn exec, bun x, docker run, docker exec, docker system, podman run, podman exec'],
  [0, 'kubectl exec, kubectl delete, kubectl run, kubectl debug, uv run, poetry run, pipx run, uvx'],
  [0, 'terraform destroy, terraform apply, tofu destroy, tofu apply, gh api, gh repo delete, go run'],
  [0, 'go generate, gh secret, gh auth, gh extension, gh alias, nx run-many, deno eval, deno run'],
]

/** Programs that only check: they are said in general without a word more. */
const checkers: ReadonlySet<string> = new Set(
  'eslint prettier tsc vitest jest mocha ava pytest ruff mypy pyright black isort flake8 pylint rubocop rspec shellcheck hadolint'.split(
    ' ',
  ),
)
