/** Files of settings: runners, coverage, linters, compilers. */
import type { ConfigFinding } from './config-finding.ts'
import { compareCommand } from './command-line.ts'
import { readSettings } from './read-settings.ts'
import { compareSettings, type Settings } from './settings.ts'

/** Sections of shared manifests that configure checks. */
const sections =
  /^(?:tool\.(?:pytest|coverage|mypy|ruff|pylint|pyright|tox|hatch\.envs|nox|flake8|black|isort|pytest-watcher|poe|taskipy|pdm\.scripts|setuptools\.packages)\b|tool:pytest|pytest|coverage:|coverage|mypy|flake8|pylint|testenv|tox|run|report|paths|isort|lints|profile\.test|test|env|unittest|nosetests|aliases)/u

export function compareSettingsFile(
  path: string,
  before: string | null,
  after: string | null,
): readonly ConfigFinding[] {
  const then = before === null ? new Map() : readSettings(path, before)
  const now = after === null ? new Map() : readSettings(path, after)
  if (then === undefined)
    return before === null
      ? []
      : [{ rule: 'scope.narrowed', message: 'it changed and cannot be read', atMost: 'note' }]
  if (now === undefined) return [{ rule: 'scope.narrowed', message: 'it cannot be read any more' }]
  const isShared = /(?:pyproject\.toml|setup\.cfg|tox\.ini|Cargo\.toml)$/u.test(path)
  const part = (settings: Settings) =>
    isShared ? new Map([...settings].filter(([key]) => sections.test(key))) : settings
  if (after === null)
    return isTelling(part(then)) ? [{ rule: 'scope.narrowed', message: 'its settings are gone' }] : []
  const found = [...compareSettings(part(then), part(now)), ...compareOptions(part(then), part(now))]
  return before === null
    ? found.map((finding) =>
        /^(?:scope|runner|limit)/u.test(finding.rule) ? finding : { ...finding, atMost: 'note' },
      )
    : found
}

function isTelling(settings: Settings): boolean {
  return settings.size > 0
}

/** Options that pytest and tox are called with. */
function compareOptions(then: Settings, now: Settings): readonly ConfigFinding[] {
  const keys = [...new Set([...then.keys(), ...now.keys()])].filter((key) =>
    /(?:^|\.)(?:addopts|commands|commands_pre|cmd|script|posargs)$/u.test(key),
  )
  return keys.flatMap((key) => {
    const isOptions = key.endsWith('addopts')
    const text = (settings: Settings) => {
      const value = settings.get(key)
      const joined =
        typeof value === 'object' && value !== null ? value.join(isOptions ? ' ' : '\n') : String(value ?? '')
      return isOptions ? `pytest ${joined}` : joined
    }
    if (text(then) === text(now)) return []
    return compareCommand(text(then), text(now)).map((found) => ({
      ...found,
      message: `${key}: ${found.message}`,
    }))
  })
}
