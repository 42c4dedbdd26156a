/** What an installer did to many packages, as one line. */
import { basename } from 'node:path'
import type { TamperFinding } from '../../../analysis/tamper/index.ts'

/** Command that lays packages by this lock file, the first of a kind where there is none. */
const installers: readonly (readonly [lockFile: string, command: string, kind: 'node' | 'python'])[] = [
  ['package-lock.json', 'npm install', 'node'],
  ['npm-shrinkwrap.json', 'npm install', 'node'],
  ['pnpm-lock.yaml', 'pnpm install', 'node'],
  ['yarn.lock', 'yarn install', 'node'],
  ['bun.lock', 'bun install', 'node'],
  ['bun.lockb', 'bun install', 'node'],
  ['requirements.txt', 'pip install', 'python'],
  ['uv.lock', 'uv sync', 'python'],
  ['poetry.lock', 'poetry install', 'python'],
  ['Pipfile.lock', 'pipenv install', 'python'],
  ['pdm.lock', 'pdm install', 'python'],
]

const maxNames = 3

/** Findings that only tell of an update, folded for each installer; all others as they are. @param files paths of the work tree */
export function foldUpdates(
  findings: readonly TamperFinding[],
  files: readonly string[],
): readonly TamperFinding[] {
  const updates = findings.filter(({ atMost }) => atMost === 'note')
  if (updates.length === 0) return findings
  const found = new Set(files.map((path) => basename(path)))
  const folded = [...Map.groupBy(updates, ({ path }) => commandFor(path, found))].map(([command, those]) =>
    foldedFinding(command, those),
  )
  return [...findings.filter(({ atMost }) => atMost !== 'note'), ...folded]
}

function commandFor(path: string, files: ReadonlySet<string>): string {
  const kind = /(?:^|\/)node_modules\//u.test(path) ? 'node' : 'python'
  const ofKind = installers.filter(([, , one]) => one === kind)
  return (
    (ofKind.find(([lockFile]) => lockFile !== 'requirements.txt' && files.has(lockFile)) ?? ofKind[0])?.[1] ??
    ''
  )
}

function foldedFinding(command: string, updates: readonly TamperFinding[]): TamperFinding {
  const packages = updates.filter(({ path }) => !isProgram.test(path))
  const counted = packages.length === 0 ? updates : packages
  const names = [...new Set(counted.map(({ path }) => nameOf(path)))].sort()
  const shown = [...names.slice(0, maxNames), ...(names.length > maxNames ? ['…'] : [])].join(', ')
  const what = packages.length === 0 ? 'program' : 'package'
  const message = `${names.length} ${what}${names.length === 1 ? '' : 's'} changed by ${command}: ${shown}`
  return { rule: 'runner.replaced', path: placeOf(counted[0]?.path ?? ''), message, atMost: 'note' }
}

const isProgram = /(?:^|\/)(?:node_modules\/\.bin|\.?venv\/bin)\//u

/** The folder in which packages of all names lie. */
function placeOf(path: string): string {
  return /^.*?(?:node_modules|site-packages|\.?venv)(?=\/)/u.exec(path)?.[0] ?? path
}

function nameOf(path: string): string {
  return /^.*(?:node_modules|site-packages)\/((?:@[^/]+\/)?[^./][^/]*)/u.exec(path)?.[1] ?? basename(path)
}
