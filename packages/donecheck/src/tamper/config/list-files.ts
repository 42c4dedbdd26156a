/** Files of one entry per line: what tools leave out, and what the package manager and the environment are told. */
import type { ConfigFinding } from './config-finding.ts'

const hidesTests =
  /\btests?\b|__tests__|\bspecs?\b|\.snap\b|conftest|^\*\*?(?:\/\*)?$|\.(?:test|spec)\.|_test\.|\bsrc\b|\.[jt]sx?$|\.py$|\.go$|donecheck|package\.json|\.github|\.husky/iu

export function compareIgnore(path: string, before: string, after: string): readonly ConfigFinding[] {
  const known = new Set(entriesOf(before))
  const added = entriesOf(after).filter((entry) => !known.has(entry) && !entry.startsWith('!'))
  const isAttributes = path.endsWith('.gitattributes')
  const hiding = added.find((entry) =>
    isAttributes
      ? /\b(?:export-ignore|linguist-generated|filter=|merge=ours|-diff|binary)\b/u.test(entry) &&
        hidesTests.test(entry)
      : hidesTests.test(entry),
  )
  const isReport =
    hiding !== undefined &&
    /test-results|test-report|\.tmp|coverage|\.log|\.cache|snapshots?\/__diff|playwright-report/iu.test(
      hiding,
    )
  if (hiding === undefined || isReport) return []
  const isWeak = /\.(?:npmignore|dockerignore|prettierignore)$/u.test(path) || isAttributes
  return [
    {
      rule: 'scope.narrowed',
      message: `\`${hiding}\` hides tests or sources`,
      ...(isWeak && !hiding.includes('filter=') ? { atMost: 'note' } : {}),
    },
  ]
}

const settingsThatWrap =
  /^\s*(?:script-shell|node-options|shell|prefix|globalconfig|userconfig|git|ignore-scripts|if-present|yarnPath|nodeLinker.*|plugins|packageExtensions|loglevel\s*=\s*silent)\s*[:=]/iu

/** `.npmrc`, `.yarnrc.yml`, `.env`: entries that change how checks run. */
export function compareEnvironment(path: string, before: string, after: string): readonly ConfigFinding[] {
  const known = new Set(entriesOf(before))
  return entriesOf(after)
    .filter((entry) => !known.has(entry))
    .flatMap((entry): readonly ConfigFinding[] => {
      if (/\.(?:env|envrc)/u.test(path)) {
        const isStrong = /\b(?:NODE_OPTIONS|PATH|PYTEST_ADDOPTS|LD_PRELOAD|PYTHONPATH|BASH_ENV)\s*=/u.test(
          entry,
        )
        const isCheck = /\b(?:CI|SKIP\w*|TEST\w*|VITEST\w*|JEST\w*|DONECHECK\w*)\s*=/u.test(entry)
        if (!isStrong && !isCheck) return []
        return [
          {
            rule: 'runner.wrapped',
            message: `\`${entry.split('=')[0] ?? ''}\` is set`,
            ...(isStrong ? {} : { atMost: 'note' }),
          },
        ]
      }
      return settingsThatWrap.test(entry)
        ? [{ rule: 'runner.wrapped', message: `\`${entry.slice(0, 80)}\` changes how scripts run` }]
        : []
    })
}

/** `go.mod`, `go.work`: modules that come from somewhere else. */
export function compareGoModule(before: string, after: string): readonly ConfigFinding[] {
  const known = new Set(entriesOf(before))
  const added = entriesOf(after).find((entry) => !known.has(entry) && /=>\s*(?:\.|\/)/u.test(entry))
  if (added === undefined) return []
  const isTesting = /testify|gomega|ginkgo|gotest|go-cmp|testing|gomock|quicktest/u.test(added)
  return [
    {
      rule: 'runner.replaced',
      message: `\`${added.slice(0, 80)}\``,
      ...(isTesting ? {} : { atMost: 'note' }),
    },
  ]
}

/** Maven and Gradle: settings of their test tasks that let failures pass. */
export function compareBuild(before: string, after: string): readonly ConfigFinding[] {
  const loosening =
    /<skip(?:Tests|ITs|)>\s*true|<testFailureIgnore>\s*true|<maven\.test\.skip>\s*true|ignoreFailures\s*=?\s*true|\benabled\s*=\s*false|\bexclude\b|<exclude>|<excludedGroups>|excludeTestsMatching|excludeTags|filter\s*\{|<IsTestProject>\s*false|<TreatWarningsAsErrors>\s*false|\btest\s*=\s*false|harness\s*=\s*false|onlyIf\s*\{\s*false|failOnNoDiscoveredTests\s*=\s*false/u
  const known = new Set(entriesOf(before))
  const added = entriesOf(after).find((entry) => !known.has(entry) && loosening.test(entry))
  return added === undefined ? [] : [{ rule: 'scope.narrowed', message: `\`${added.slice(0, 80)}\`` }]
}

function entriesOf(text: string): readonly string[] {
  return text
    .split(/\r?\n/u)
    .map((row) => row.replace(/^\s*(?:#|\/\/).*$/u, '').trim())
    .filter((row) => row !== '')
}
