/** What is known of programs, for the proposal of a rule. */

/**
 * Programs that run what they are given, or do as another user or on another machine: a rule for them would allow
 * anything. Shells and interpreters are among them.
 */
export function isOpenProgram(name: string): boolean {
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
export const interpreters: ReadonlySet<string> = new Set(
  `sh bash zsh dash ksh fish python python2 python3 pypy pypy3 node nodejs ts-node tsx perl ruby php lua luajit Rscript julia`.split(
    ' ',
  ),
)

/**
 * How many words behind the program name what is done. The longest entry that fits counts; 0: never said in general, since
 * further words decide what it does.
 */
export function wordsBehind(program: string): number | undefined {
  subcommandWords ??= new Map(
    families.flatMap(([words, names]) => names.split(', ').map((name) => [name, words] as const)),
  )
  return subcommandWords.get(program)
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
export const checkers: ReadonlySet<string> = new Set(
  'eslint prettier tsc vitest jest mocha ava pytest ruff mypy pyright black isort flake8 pylint rubocop rspec shellcheck hadolint'.split(
    ' ',
  ),
)
