/** Files that a runner, an interpreter or a package manager loads although nothing names them. */

const rows: readonly RegExp[] = [
  // Environment and package managers.
  /(?:^|\/)(?:\.env(?:\.(?!example|sample|template|dist)[\w.-]+)?|\.envrc|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|bunfig\.toml|\.node-version|\.nvmrc|\.tool-versions|mise\.toml|\.mise\.toml)$/u,
  /(?:^|\/)(?:uv\.toml|pip\.conf|\.pypirc|\.condarc|\.python-version|pyvenv\.cfg|rust-toolchain(?:\.toml)?)$/u,
  // Python: plug-ins, start-up files, package metadata, compiled modules in the place of sources.
  /(?:^|\/)(?:conftest\.py|sitecustomize\.py|usercustomize\.py|[^/]+\.pth|[^/]+\.egg-link|[^/]+\.py[co])$/u,
  /(?:^|\/)[^/]+\.(?:egg|dist)-info(?:\/|$)/u,
  /(?:^|\/)(?:\.?pytest\.(?:ini|toml)|tox\.ini|\.coveragerc|noxfile\.py)$/u,
  // Runners and loaders of JavaScript.
  /(?:^|\/)(?:\.mocharc|\.babelrc|\.swcrc|\.nycrc|\.c8rc|\.taprc|\.jestrc)(?:\.\w+)?$/u,
  /(?:^|\/)(?:vitest|vite|jest|mocha|ava|karma|playwright|cypress|babel)\.(?:[\w-]+\.)*(?:config|conf|workspace|setup)\.(?:[cm]?[jt]s|json)$/u,
  /(?:^|\/)__mocks__\//u,
  // Make, Cargo, Go, Ruby.
  /(?:^|\/)(?:(?:GNUm|[Mm])akefile(?:\.\w+)?|[^/]+\.mk|\.cargo\/config(?:\.toml)?|nextest\.toml|go\.work|go\.env|\.rspec)$/u,
]

/** Installed packages have settings of their own, which nothing loads; what changes the interpreter itself counts there too. */
const installed = /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.tox|\.nox)\//u
const inInterpreter =
  /\.(?:pth|egg-link)$|(?:^|\/)(?:site|user)customize\.py$|(?:^|\/)[^/]+\.(?:egg|dist)-info(?:\/|$)/u

/** Whether a file of this path is check side even where git ignores it. */
export function isLoadedUnasked(path: string): boolean {
  return installed.test(path) ? inInterpreter.test(path) : rows.some((row) => row.test(path))
}
