/** The files that `init` can write. */
import { existsSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'
import { UsageError, donecheckVersion } from '@donecheck/engine/base'
import { configSchemaPath } from '../../help/config-schema-path.ts'
import { askGit } from '../../tree/git.ts'
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
const prePushText = `#!/bin/sh
# Written by donecheck init: nothing is pushed that the checks do not pass. Delete this file to take it back.
if command -v donecheck >/dev/null 2>&1; then exec donecheck verify; fi
exec npx --no-install donecheck verify
`

/** Where git looks for it. @throws {UsageError} outside of a repository, and where another hook is there */
export async function prePushFile(folder: string): Promise<NewFile> {
  const [own, common] = await Promise.all([
    askGit(folder, ['config', '--local', '--get', 'core.hooksPath']),
    askGit(folder, ['rev-parse', '--git-common-dir']),
  ])
  if (common === undefined)
    throw new UsageError(`${folder} is no git repository, so there is no hook to write: leave out --pre-push`)
  const hooks = own?.trim() ?? join(common.trim(), 'hooks')
  const path = relative(folder, resolve(folder, hooks, 'pre-push'))
  refuseOther(folder, path, 'add the line "donecheck verify" to it')
  return { path, content: prePushText, takeBack: 'delete it', isProgram: true }
}

/** @throws {UsageError} where another one is there */
export function workflowFile(folder: string): NewFile {
  refuseOther(folder, workflowPath, 'add the step "uses: donecheck/donecheck" to it')
  return { path: workflowPath, content: workflowText(folder), takeBack: 'delete it' }
}

function refuseOther(folder: string, path: string, instead: string): void {
  if (existsSync(join(folder, path)))
    throw new UsageError(`${path} is there already, and stays as it is: ${instead}`)
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
