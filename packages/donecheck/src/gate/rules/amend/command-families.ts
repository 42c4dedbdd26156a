/** What is known of programs, for the proposal of a rule. */

/**
 * Programs that run what they are given, or do as another user or on another machine: a rule for them would allow
 * anything. Shells and interpreters are among them.
 */
export const openPrograms: ReadonlySet<string> = new Set(
  `sh bash zsh dash ash ksh fish csh tcsh pwsh powershell cmd busybox
   python python2 python3 pypy pypy3 node nodejs deno ts-node tsx perl ruby php lua luajit Rscript R julia osascript awk gawk mawk sed
   env sudo doas su runuser pkexec nohup nice ionice timeout time stdbuf setsid chroot unshare nsenter xargs parallel watch
   command exec eval source . builtin trap ssh scp rsync find fd make-shell script expect screen tmux flock strace ltrace gdb
   vi vim nvim emacs ed ex less more man git-shell`
    .split(/\s+/)
    .filter((word) => word !== ''),
)

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
export const subcommandWords: ReadonlyMap<string, number> = new Map([
  ...one(
    'git',
    'npm pnpm yarn bun cargo go docker podman kubectl helm terraform tofu pip pip3 uv poetry pipx gradle mvn dotnet',
  ),
  ...one(
    '',
    'rustup brew apt apt-get dnf gh make just task rake bundle composer mix nx turbo lerna systemctl npx bunx bazel cmake',
  ),
  ...more(2, [
    'aws',
    'gcloud',
    'az',
    'npm run',
    'pnpm run',
    'yarn run',
    'bun run',
    'docker compose',
    'docker image',
    'docker container',
  ]),
  ...more(2, [
    'docker volume',
    'docker network',
    'git remote',
    'git stash',
    'git worktree',
    'git notes',
    'git lfs',
    'go mod',
    'gh pr',
    'gh issue',
  ]),
  ...more(2, [
    'gh run',
    'gh repo',
    'cargo nextest',
    'uv pip',
    'kubectl rollout',
    'kubectl get',
    'python -m',
    'python3 -m',
    'bundle exec',
    'nx run',
  ]),
  ...more(0, [
    'git config',
    'git rebase',
    'git bisect',
    'git submodule',
    'git filter-branch',
    'git push',
    'git reset',
    'git clean',
  ]),
  ...more(0, [
    'git checkout',
    'git restore',
    'git rm',
    'git difftool',
    'git mergetool',
    'git branch',
    'git update-ref',
    'git reflog',
  ]),
  ...more(0, [
    'npm exec',
    'npm x',
    'npm publish',
    'npm explore',
    'pnpm exec',
    'pnpm dlx',
    'yarn dlx',
    'yarn exec',
    'bun x',
    'docker run',
  ]),
  ...more(0, [
    'docker exec',
    'docker system',
    'podman run',
    'podman exec',
    'kubectl exec',
    'kubectl delete',
    'kubectl run',
    'kubectl debug',
  ]),
  ...more(0, [
    'uv run',
    'poetry run',
    'pipx run',
    'uvx',
    'terraform destroy',
    'terraform apply',
    'tofu destroy',
    'tofu apply',
    'gh api',
  ]),
  ...more(0, [
    'gh repo delete',
    'go run',
    'go generate',
    'gh secret',
    'gh auth',
    'gh extension',
    'gh alias',
    'nx run-many',
    'deno eval',
    'deno run',
  ]),
])

/** Programs that only check: they are said in general without a word more. */
export const checkers: ReadonlySet<string> = new Set(
  'eslint prettier tsc vitest jest mocha ava pytest ruff mypy pyright black isort flake8 pylint rubocop rspec shellcheck hadolint'.split(
    ' ',
  ),
)

function one(first: string, others: string): readonly (readonly [string, number])[] {
  return [first, ...others.split(' ')].filter((name) => name !== '').map((name) => [name, 1])
}

function more(words: number, names: readonly string[]): readonly (readonly [string, number])[] {
  return names.map((name) => [name, words])
}
