/** The files that `init` can write. */
import { existsSync, lstatSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { donecheckVersion, messageOf, UsageError } from '@donecheck/engine/base'
import { isInside } from '@donecheck/engine/store'
import { configSchemaPath } from '../../../help/config-schema-path.ts'
import { orUsageError } from '../../../process/usage-error.ts'
import { askGit } from '../../../tree/git.ts'
import type { Answers } from './answers.ts'

export interface NewFile {
  /** Relative to the project. */
  readonly path: string
  readonly content: string
  readonly takeBack: string
  readonly isProgram?: boolean
}

export function configText({ until, presets, drive }: Answers, folder: string): string {
  const [only, ...others] = until
  const schema = `node_modules/donecheck/${configSchemaPath}`
  const entries = Object.entries({
    // Without an installation in the project there is no place that holds on every machine.
    ...(existsSync(join(folder, schema)) ? { $schema: `./${schema}` } : {}),
    ...(only === undefined ? {} : { until: others.length === 0 ? only : until }),
    ...(presets.length === 0 ? {} : { presets }),
    ...(drive === undefined ? {} : { [drive.kind]: drive.name }),
  })
  return `{\n${entries.map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')}\n}\n`
}

const workflowPath = '.github/workflows/donecheck.yml'
/** Git starts it at the root of the work tree. @param prefix the project's place below that, or nothing */
function prePushText(prefix: string): string {
  const quoted = `'${prefix.replaceAll("'", `'\\''`)}'`
  const cd = prefix === '' ? '' : `cd "$(git rev-parse --show-toplevel)"/${quoted} || exit 1\n`
  return `#!/bin/sh
# Written by donecheck init: nothing is pushed that the checks do not pass. Delete this file to take it back.
${cd}if command -v donecheck >/dev/null 2>&1; then exec donecheck verify; fi
exec npx --no-install donecheck verify
`
}

/** Where git looks for it. @throws {UsageError} where that is in no repository or outside of it, and where another hook is there */
export async function prePushFile(folder: string): Promise<NewFile> {
  const [places, paths] = await Promise.all([
    askGit(folder, ['rev-parse', '--path-format=absolute', ...placeWords]),
    askGit(folder, ['config', '--type=path', '--show-scope', '--get-all', 'core.hooksPath']),
  ])
  const [top, common, prefix = ''] = places?.split('\n') ?? []
  if (top === undefined || common === undefined || paths === undefined)
    throw new UsageError(`${folder} is no git repository, so there is no hook to write: leave out --pre-push`)
  // The last one counts, but for the word of ours by which git is asked.
  const set = paths.split('\n').filter((line) => line !== '' && !line.startsWith('command\t'))
  const hooks = resolve(top, set.at(-1)?.replace(/^\w+\t/, '') ?? join(common, 'hooks'))
  if (![top, common].some((place) => isInside(hooks, place)))
    throw new UsageError(
      `git looks for hooks in ${hooks}, outside of this repository (core.hooksPath): leave out --pre-push and add "donecheck verify" to the hook there, or set core.hooksPath for this repository`,
    )
  const path = relative(folder, join(hooks, 'pre-push'))
  refuseOther(folder, path, 'add the line "donecheck verify" to it')
  return { path, content: prePushText(prefix), takeBack: 'delete it', isProgram: true }
}

const placeWords = ['--show-toplevel', '--git-common-dir', '--show-prefix'] as const

/** @throws {UsageError} where another one is there */
export function workflowFile(folder: string): NewFile {
  refuseOther(folder, workflowPath, 'add the step "uses: donecheck/donecheck" to it')
  return { path: workflowPath, content: workflowText(folder), takeBack: 'delete it' }
}

/** @throws {UsageError} also where a file stands in place of a folder */
function refuseOther(folder: string, path: string, instead: string): void {
  // A link that leads nowhere is there, too.
  const known = orUsageError(
    () => lstatSync(join(folder, path), { throwIfNoEntry: false }),
    (error) => `${path} cannot be written: ${messageOf(error)}`,
  )
  if (known !== undefined) throw new UsageError(`${path} is there already, and stays as it is: ${instead}`)
}

function workflowText(folder: string): string {
  return `# Written by donecheck init.
name: donecheck
on: [push, pull_request]
permissions:
  contents: read
jobs:
  checks:
    runs-on: ubuntu-latest
    steps:
      - uses: actions/checkout@v5
        with:
          fetch-depth: 0
      - uses: actions/setup-node@v5
        with:
          node-version: 24
      - run: ${installLine(folder)}
      - uses: donecheck/donecheck@v${donecheckVersion}
`
}

const installLines = {
  'pnpm-lock.yaml': 'corepack enable && pnpm install --frozen-lockfile',
  'yarn.lock': 'corepack enable && yarn install --immutable',
  'package-lock.json': 'npm ci',
  'package.json': 'npm install',
  'uv.lock': 'pip install uv && uv sync',
  'requirements.txt': 'pip install -r requirements.txt',
} as const

function installLine(folder: string): string {
  const found = Object.entries(installLines).find(([file]) => existsSync(join(folder, file)))
  return found?.[1] ?? 'true # install here what the checks need'
}
