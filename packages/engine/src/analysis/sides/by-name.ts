import { conventionOf } from '../protect/index.ts'
import type { SideReason } from './placement.ts'
import { isCode, languageOf } from './languages.ts'
import { nameOf } from './paths.ts'

/** A reason that always holds, one that holds unless the product reaches the file, or nothing (`plain`). */
export type NameSays =
  | { readonly kind: 'settled'; readonly reason: SideReason }
  | { readonly kind: 'unless-product-reaches'; readonly reason: SideReason }
  | { readonly kind: 'plain' }

export const testFolder = /(?:^|\/)(?:_*tests?_*|specs?|e2e|test[-_][^/]*|[^/]*[-_]tests?)\//iu

/** Only runners import files of these names. */
const surelyTest = /\.(?:test|spec|test-d)\.[cm]?[jt]sx?$|_test\.go$|\.(?:bats|feature)$/u
const documentation =
  /\.(?:md|mdx|rst|adoc)$|(?:^|\/)(?:LICENSE|LICENCE|NOTICE|AUTHORS|CHANGELOG|CODEOWNERS)[^/]*$/u
const forVersionControl = /(?:^|\/)\.(?:gitignore|gitattributes|npmignore|dockerignore)$/u
const mainSource = /(?:^|\/)src\/main\//u
/** Manifests for languages we recognize by name only, and Go workspaces. */
const wholeConfiguration =
  /(?:^|\/)(?:tox\.(?:ini|toml)|go\.work|pom\.xml|[^/]+\.gradle(?:\.kts)?|gradle\.properties|deno\.jsonc?|Directory\.Build\.\w+)$/u

const settle = (reason: SideReason): NameSays => ({ kind: 'settled', reason })
const unlessReached = (reason: SideReason): NameSays => ({ kind: 'unless-product-reaches', reason })

export function nameSays(path: string): NameSays {
  if (forVersionControl.test(path)) return settle('documentation')
  if (isLoadedUnasked(path)) return settle('loaded-unasked')
  if (surelyTest.test(path)) return settle('test')
  const convention = mainSource.test(path) ? undefined : conventionOf(path)
  switch (convention) {
    case undefined:
    case 'extra':
      return documentation.test(path) ? settle('documentation') : { kind: 'plain' }
    case 'test':
      return unlessReached('test')
    case 'test-helper':
    case 'fixture':
      return unlessReached(isCode(path) ? 'test-helper' : 'test-data')
    case 'check-script':
      return isCode(path) ? unlessReached('check-script') : settle('check-script')
    case 'test-config':
      // A product may have setup files too, but not `*.config.*` or hidden files.
      return isCode(path) && !/\.(?:config|conf|workspace)\.|(?:^|\/)\./u.test(path)
        ? unlessReached('configuration')
        : settle('configuration')
    case 'manifest':
      return wholeConfiguration.test(path) ? settle('configuration') : { kind: 'plain' }
    case 'lock':
      return settle('dependencies')
    case 'snapshot':
      return settle('snapshot')
    case 'lint-config':
    case 'type-config':
    case 'ci':
    case 'ignore':
    case 'git-hook':
    case 'donecheck-config':
      return settle('configuration')
  }
}

const leftover =
  /\.(?:log|out|tmp|pid|lock|db|sqlite\w*|cov|lcov|bak|swp|orig|rej|cache|tsbuildinfo|png|jpe?g|webm|mp4|zip|gz)$/u

/** Whether a git-ignored file decides a check by name: it configures one or is among the tests. */
export function decidesByName(path: string): boolean {
  const says = nameSays(path)
  if (leftover.test(path) || says.kind === 'plain') return false
  return !['documentation', 'dependencies'].includes(says.reason)
}

/** Files that runners, interpreters and package managers load without being told. */
const loadedUnasked: readonly RegExp[] = [
  /(?:^|\/)(?:\.env(?:\.(?!example|sample|template|dist)[\w.-]+)?|\.envrc|\.npmrc|\.yarnrc(?:\.yml)?|\.pnpmfile\.c?js|bunfig\.toml|\.node-version|\.nvmrc|\.tool-versions|mise\.toml|\.mise\.toml)$/u,
  /(?:^|\/)(?:uv\.toml|pip\.conf|\.pypirc|\.condarc|\.python-version|pyvenv\.cfg|rust-toolchain(?:\.toml)?)$/u,
  /(?:^|\/)(?:conftest\.py|sitecustomize\.py|usercustomize\.py|[^/]+\.pth|[^/]+\.egg-link|[^/]+\.py[co])$/u,
  /(?:^|\/)[^/]+\.(?:egg|dist)-info(?:\/|$)/u,
  /(?:^|\/)(?:\.?pytest\.(?:ini|toml)|tox\.ini|\.coveragerc|noxfile\.py)$/u,
  /(?:^|\/)(?:\.mocharc|\.babelrc|\.swcrc|\.nycrc|\.c8rc|\.taprc|\.jestrc)(?:\.\w+)?$/u,
  /(?:^|\/)(?:vitest|vite|jest|mocha|ava|karma|playwright|cypress|babel)\.(?:[\w-]+\.)*(?:config|conf|workspace|setup)\.(?:[cm]?[jt]s|json)$/u,
  /(?:^|\/)__mocks__\//u,
  /(?:^|\/)(?:(?:GNUm|[Mm])akefile(?:\.\w+)?|[^/]+\.mk|\.cargo\/config(?:\.toml)?|nextest\.toml|go\.work|go\.env|\.rspec)$/u,
]

/** Nothing loads settings of installed packages, but files that change the interpreter count there too. */
const installed = /(?:^|\/)(?:node_modules|site-packages|dist-packages|\.tox|\.nox)\//u
const inInterpreter =
  /\.(?:pth|egg-link)$|(?:^|\/)(?:site|user)customize\.py$|(?:^|\/)[^/]+\.(?:egg|dist)-info(?:\/|$)/u

/** Whether a file of this path is a check file even if git ignores it. */
export function isLoadedUnasked(path: string): boolean {
  return installed.test(path) ? inInterpreter.test(path) : loadedUnasked.some((row) => row.test(path))
}

const settings = /\.(?:json[5c]?|ya?ml|toml|ini|cfg|conf|config|lock|properties|env)$/u

/** Whether the name is a product source: not a check, prose or settings. */
export function isProductSource(path: string): boolean {
  return nameSays(path).kind === 'plain' && languageOf(path) !== 'settings' && !settings.test(path)
}

const productFolder = /(?:^|\/)(?:src|lib|app|cmd|dist|build|out|target|packages)\//u
const entryName = /^(?:index|main|__main__|app|cli|server|manage|wsgi|asgi|solution|solve)(?:\.\w+)?$/u
const checkName =
  /(?:^|[._-])(?:tests?|check(?:s|er)?|verify|verif\w*|validate|assert|spec|ci|lint|smoke|judge|grade|qa|e2e|gate)(?=[._-]|$)/iu

export function isOwnProgram(path: string): boolean {
  return !namesACheck(path) && (productFolder.test(path) || entryName.test(nameOf(path)))
}

export function namesACheck(path: string): boolean {
  return checkName.test(nameOf(path))
}

export function isSettledCheck(path: string): boolean {
  const says = nameSays(path)
  return says.kind === 'settled' && says.reason !== 'documentation' && says.reason !== 'dependencies'
}
