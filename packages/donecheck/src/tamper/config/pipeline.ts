/** Pipelines of continuous integration, by lines. */
import { compareCommand } from './command-line.ts'
import type { ConfigFinding } from './config-finding.ts'

interface Row {
  readonly line: number
  readonly text: string
}

const weakening: readonly (readonly [string, RegExp])[] = [
  ['continue-on-error', /\bcontinue-?on-?error\s*:\s*(?!false\b|\$\{\{\s*false)/iu],
  ['allow_failure', /\ballow_failures?\s*:\s*(?!false\b)/u],
  [
    'if: false',
    /^-?\s*if\s*:\s*["']?(?:\$\{\{\s*)?(?:false|!always\(\)|0)(?:\s*\}\})?["']?\s*$|^-?\s*when\s*:\s*(?:never|manual)\b|^-?\s*if:.*\bfalse\s*(?:&&|\}\})|\bcondition\s*:\s*(?:false|never)/u,
  ],
  ['|| true', /\|\|\s*(?:true|:|exit\s+0|echo)\b|;\s*(?:true|exit\s+0)\s*$|\bset\s+\+e\b/u],
  [
    'catchError',
    /\bcatchError\b|returnStatus\s*:\s*true|\bsoft_fail\s*:\s*true|\bignore_failure\s*:|failFast\s*:\s*false\s*\/\/|ignoreExitStatus/u,
  ],
]

const check =
  /\b(?:npm|pnpm|yarn|bun)\s+(?:run\s+|-r\s+)?(?:test|t|lint|typecheck|type-check|check|verify|build|ci\b|coverage)|\b(?:vitest|jest|mocha|pytest|tox|nox|eslint|tsc|ruff|mypy|playwright|cypress|golangci-lint|phpunit|rspec|clippy|ctest)\b|\b(?:go|cargo|dotnet|mvn|make|gradle\w*|\.\/gradlew|\.\/mvnw|deno|node\s+--)\s*(?:test|vet|check|verify|build|clippy|lint)|\b(?:test|check|verify|lint)\S*\.(?:sh|py|js)\b|github\/codeql-action|dependency-review/u

/** Everything that a pipeline checked less strictly. `after` null: it is gone. */
export function comparePipeline(before: string, after: string | null): readonly ConfigFinding[] {
  const then = rowsOf(before)
  if (after === null)
    return then.some(({ text }) => check.test(text))
      ? [{ rule: 'ci.weakened', message: 'a pipeline that runs checks is gone' }]
      : []
  const now = rowsOf(after)
  return [...weakened(then, now), ...lostChecks(then, now), ...lostTriggers(then, now)]
}

function rowsOf(text: string): readonly Row[] {
  return text.split(/\r?\n/u).flatMap((row, index) => {
    const plain = row.replace(/(?:^|\s)(?:#|\/\/).*$/u, '').trim()
    return plain === '' ? [] : [{ line: index + 1, text: plain }]
  })
}

function weakened(then: readonly Row[], now: readonly Row[]): readonly ConfigFinding[] {
  return weakening.flatMap(([name, pattern]): readonly ConfigFinding[] => {
    const had = then.filter(({ text }) => pattern.test(text)).length
    const found = now.filter(({ text }) => pattern.test(text))
    const first = found[had]
    const known = new Set(then.map(({ text }) => text))
    const fresh = found.find(({ text }) => !known.has(text)) ?? first
    if (found.length <= had || fresh === undefined) return []
    // A new step may fail as it likes: it checked nothing before.
    const isNewStep = name !== '|| true' && !then.some(({ text }) => isNear(now, fresh, text))
    return [
      {
        rule: 'ci.weakened',
        line: fresh.line,
        message: `\`${fresh.text.slice(0, 80)}\``,
        ...(isNewStep ? { atMost: 'note' } : {}),
      },
    ]
  })
}

/** Whether a check of the earlier pipeline stands within the same step. */
function isNear(now: readonly Row[], { line }: Row, text: string): boolean {
  if (!check.test(text)) return false
  const index = now.findIndex((row) => row.line === line)
  const start = now.findLastIndex(
    (row, place) => place <= index && (row.text.startsWith('- ') || /^[\w-]+:$/u.test(row.text)),
  )
  const next = now.findIndex((row, place) => place > index && row.text.startsWith('- '))
  const isJob = !now.slice(start, index + 1).some((row) => row.text.startsWith('- '))
  return now
    .slice(Math.max(0, start), isJob || next === -1 ? undefined : next)
    .some((row) => row.text === text)
}

function lostChecks(then: readonly Row[], now: readonly Row[]): readonly ConfigFinding[] {
  const command = ({ text }: Row) =>
    text
      .replace(/^-?\s*(?:run|script|name|command|sh|bash)\s*:?\s*/u, '')
      .replaceAll(/^["']|["']$/gu, '')
      .replaceAll(/@[\w.]+/gu, '')
  const left = now.map(command)
  return then
    .filter((row) => check.test(row.text) && !/^-?\s*name\s*:/u.test(row.text))
    .flatMap((row): readonly ConfigFinding[] => {
      const wanted = command(row)
      const index = left.indexOf(wanted)
      if (index !== -1) {
        left.splice(index, 1)
        return []
      }
      if (left.some((text) => text.includes(wanted) && !/\|\||;|\becho\b|^#/u.test(text))) return []
      const alike = left.filter((text) => check.test(text)).map((text) => compareCommand(wanted, text))
      if (alike.some((found) => found.length === 0)) return []
      return [{ rule: 'ci.weakened', line: row.line, message: `\`${wanted.slice(0, 80)}\` is no longer run` }]
    })
}

/** It no longer runs on pushes or pull requests. */
function lostTriggers(then: readonly Row[], now: readonly Row[]): readonly ConfigFinding[] {
  const trigger = (rows: readonly Row[], name: string) =>
    rows.some(({ text }) =>
      new RegExp(String.raw`^(?:on\s*:.*|-\s*)?\b${name}\b(?:\s*:|,|\s*\]|\s*$)`, 'u').test(text),
    )
  const gone = ['pull_request', 'push', 'merge_group'].filter(
    (name) =>
      trigger(then, name) &&
      !trigger(now, name) &&
      !(name === 'pull_request' && trigger(now, 'pull_request_target')),
  )
  return gone.map((name) => ({ rule: 'ci.weakened', message: `it no longer runs on ${name}` }))
}
