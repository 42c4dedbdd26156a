import { chmodSync, existsSync, mkdirSync, writeFileSync, lstatSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { configFileNames, configSchemaPath } from '../../../config/index.ts'
import { given, messageOf, UsageError, donecheckVersion } from '@donecheck/engine/internal/base'
import { inheritedEnvironment } from '@donecheck/engine/internal/system/process'
import { confirmChanges } from '../../agent-hooks/install/confirm-changes.ts'
import {
  surveyLines,
  surveyProject,
  type AgentChoice,
  type Survey,
  presetNames,
  type PresetName,
  pickAgent,
} from '../../agents/survey.ts'
import { type CliIo, resolveWorkFolder } from '../../process/io.ts'
import { isInside } from '@donecheck/engine/store'
import { orUsageError } from '../../process/failure.ts'
import { askGit } from '../../tree/git.ts'
import { refuseUnknownProgram } from '../../wiring/loop/loop-options.ts'
import { loadHookedAgent } from '../../agents/agents.ts'
import type { Flags } from '../../options/flags.ts'

export async function initCommand(flags: InitFlags, io: CliIo): Promise<number> {
  const folder = resolveWorkFolder(flags.workdir, io)
  const survey = await surveyProject(folder, io)
  const known = configFileNames.find((name) => existsSync(join(folder, name)))
  const lines = [...surveyLines(survey), ...(known === undefined ? [] : [`  · ${known} stays as it is`])]
  io.stdout.write(`${lines.join('\n')}\n\n`)
  const isAsked = flags.yes !== true && flags.dryRun !== true && io.stdin.isTTY && io.stderr.isTTY
  const byFlags = answersOfFlags(flags, survey)
  const place = { survey, folder, hasConfig: known !== undefined }
  const answers = isAsked ? await askAboutProject(byFlags, place, io) : byFlags
  if (answers === undefined) return 1
  await assertKnownAgents(answers, io)
  const files = await plannedFiles(answers, known, folder)
  const changes = files.map(({ path, content }) => ({
    file: join(folder, path),
    before: undefined,
    after: content,
  }))
  if (files.length > 0 && !(await confirmChanges(changes, flags, io, 'Write these files?')))
    return flags.dryRun === true ? 0 : 1
  writeFiles(files, folder)
  if (files.length > 0) io.stdout.write(`${writtenText(files)}\n`)
  const exitCode = answers.install === undefined ? 0 : await install(answers.install, flags, io)
  io.stdout.write(`${nextText(answers)}\n`)
  return exitCode
}

/** @throws {UsageError} for an unknown agent, before anything is written */
async function assertKnownAgents({ agent, install: hooked }: Answers, { environment }: CliIo): Promise<void> {
  if (agent?.kind === 'agent') await refuseUnknownProgram(agent.name, inheritedEnvironment(environment))
  if (hooked !== undefined) await loadHookedAgent(hooked)
}

/** @throws {UsageError} if the project has nothing to check */
async function plannedFiles(
  answers: Answers,
  known: string | undefined,
  folder: string,
): Promise<readonly NewFile[]> {
  if (known === undefined && answers.presets.length === 0 && answers.until.length === 0)
    throw new UsageError(
      'No tests, linter, type check or build found here. Name a command that exits with 0 when the work is done: donecheck init --until "COMMAND"',
    )
  const config = {
    path: 'donecheck.config.json',
    content: configText(answers, folder),
    takeBack: 'delete it',
  }
  return [
    ...(known === undefined ? [config] : []),
    ...(answers.prePush ? [await prePushFile(folder)] : []),
    ...(answers.ci ? [workflowFile(folder)] : []),
  ]
}

/** @throws {UsageError} listing the files written before */
function writeFiles(files: readonly NewFile[], folder: string): void {
  for (const [index, file] of files.entries())
    try {
      write(file, folder)
    } catch (error) {
      const before = files.slice(0, index)
      const stays = before.length === 0 ? 'Nothing was written.' : writtenText(before)
      throw new UsageError(`${file.path} cannot be written: ${messageOf(error)}\n${stays}`, { cause: error })
    }
}

function write({ path, content, isProgram = false }: NewFile, folder: string): void {
  const file = join(folder, path)
  mkdirSync(dirname(file), { recursive: true })
  // Never overwrites a file.
  writeFileSync(file, content, { flag: 'wx' })
  if (isProgram) chmodSync(file, 0o755)
}

function writtenText(files: readonly NewFile[]): string {
  return ['Written:', ...files.map(({ path, takeBack }) => `  ${path}  (to take it back: ${takeBack})`)].join(
    '\n',
  )
}

async function install(agent: string, { yes, workdir }: InitFlags, io: CliIo): Promise<number> {
  const { installCommand } = await import('../hooks/install.ts')
  const more = { ...(yes === true ? { yes } : {}), ...given({ workdir }) }
  return installCommand(agent, { scope: 'project', ...more }, io)
}

function nextText({ agent }: Answers): string {
  const run =
    agent === undefined
      ? `donecheck run --agent 'program {prompt}' "Fix the failing test."`
      : `donecheck run "Fix the failing test."`
  return ['Next:', '  donecheck verify', `  ${run}`, '  donecheck explain last'].join('\n')
}

interface Found {
  readonly survey: Survey
  readonly folder: string
  readonly hasConfig: boolean
}

/** @returns undefined if the user cancelled */
async function askAboutProject(
  given: Answers,
  { survey, folder, hasConfig }: Found,
  io: CliIo,
): Promise<Answers | undefined> {
  const { confirm, isCancel, multiselect, text } = await import('@clack/prompts')
  const streams = { input: io.stdin, output: io.stderr }
  const say = async (message: string) => confirm({ ...streams, message, initialValue: false })
  let { until, presets, agent } = given
  if (!hasConfig && survey.checks.length > 0) {
    const options = survey.checks.map(({ preset, command }) => ({
      value: preset,
      label: preset,
      hint: command,
    }))
    const message = 'Which checks say that work is done?'
    const chosen = await multiselect({ ...streams, message, options, initialValues: [...presets] })
    if (isCancel(chosen)) return undefined
    presets = chosen
  }
  if (!hasConfig && presets.length === 0 && until.length === 0) {
    const message = 'Which command exits with 0 when work is done?'
    const line = await text({ ...streams, message, placeholder: 'a command line', validate: notEmpty })
    if (isCancel(line)) return undefined
    until = [line]
  }
  if (!hasConfig && survey.agents.length > 1) {
    agent = await pickAgent(survey.agents, io)
    if (agent === undefined) return undefined
  }
  const hooked = survey.agents.find((one) => one.name === agent?.name && one.hasHooks)
  const install =
    hooked === undefined
      ? false
      : await say(`Hold ${hooked.why} to these checks by its hooks, in this project, whoever starts it?`)
  if (isCancel(install)) return undefined
  const prePush =
    (await isPossible(() => prePushFile(folder))) &&
    (await say('Let git push only what passes (a pre-push hook in this clone)?'))
  if (isCancel(prePush)) return undefined
  const ci =
    (await isPossible(() => workflowFile(folder))) &&
    (await say('Check pushes and pull requests on GitHub (.github/workflows/donecheck.yml)?'))
  if (isCancel(ci)) return undefined
  return { until, presets, agent, install: install ? hooked?.name : given.install, prePush, ci }
}

async function isPossible(make: () => NewFile | Promise<NewFile>): Promise<boolean> {
  try {
    await make()
    return true
  } catch (error) {
    if (error instanceof UsageError) return false
    throw error
  }
}

function notEmpty(line: string | undefined): string | undefined {
  return line === undefined || line.trim() === '' ? 'type a command line' : undefined
}

type InitFlags = Flags<
  'agent' | 'model' | 'install' | 'workdir',
  'prePush' | 'ci' | 'yes' | 'dryRun',
  'until' | 'preset'
>

export interface Answers {
  readonly until: readonly string[]
  readonly presets: readonly PresetName[]
  readonly agent: AgentChoice | undefined
  readonly install: string | undefined
  readonly prePush: boolean
  readonly ci: boolean
}

/** Defaults to every check that was found (a build only if it is the only one) and the first agent. */
function answersOfFlags(flags: InitFlags, { checks, agents }: Survey): Answers {
  const { until = [], preset, install, prePush = false, ci = false } = flags
  const all = checks.map((check) => check.preset)
  const found = all.length === 1 ? all : all.filter((name) => name !== 'build')
  const isNamed = until.length > 0 || preset !== undefined
  const presets = isNamed ? (preset ?? []).map(presetNamed) : found
  return { until, presets, agent: readAgentFlags(flags) ?? agents[0], install, prePush, ci }
}

function presetNamed(name: string): PresetName {
  const known = presetNames.find((one) => one === name)
  if (known !== undefined) return known
  throw new UsageError(`there is no preset "${name}"; there are ${presetNames.join(', ')}`)
}

function readAgentFlags({ agent, model }: InitFlags): AgentChoice | undefined {
  const named = { why: 'named by you', hasHooks: false }
  if (agent !== undefined && model !== undefined)
    throw new UsageError('--agent and --model are both given: choose one agent')
  if (agent !== undefined) return { kind: 'agent', name: agent, ...named }
  return model === undefined ? undefined : { kind: 'model', name: model, ...named }
}

export interface NewFile {
  readonly path: string
  readonly content: string
  readonly takeBack: string
  readonly isProgram?: boolean
}

function configText({ until, presets, agent }: Answers, folder: string): string {
  const [only, ...others] = until
  const schema = `node_modules/donecheck/${configSchemaPath}`
  const entries = Object.entries({
    // Only a local installation has a path that is the same on every machine.
    ...(existsSync(join(folder, schema)) ? { $schema: `./${schema}` } : {}),
    ...(only === undefined ? {} : { until: others.length === 0 ? only : until }),
    ...(presets.length === 0 ? {} : { presets }),
    ...(agent === undefined ? {} : { [agent.kind]: agent.name }),
  })
  return `{\n${entries.map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`).join(',\n')}\n}\n`
}

const workflowPath = '.github/workflows/donecheck.yml'
/** @param prefix path from the top of the work tree to the project; may be empty */
function prePushText(prefix: string): string {
  const quoted = `'${prefix.replaceAll("'", `'\\''`)}'`
  const cd = prefix === '' ? '' : `cd "$(git rev-parse --show-toplevel)"/${quoted} || exit 1\n`
  return `#!/bin/sh
# Written by donecheck init: nothing is pushed that the checks do not pass. Delete this file to take it back.
${cd}if command -v donecheck >/dev/null 2>&1; then exec donecheck verify; fi
exec npx --no-install donecheck verify
`
}

/** @throws {UsageError} outside a repository, for hooks outside it, and if another hook exists */
async function prePushFile(folder: string): Promise<NewFile> {
  const [places, paths] = await Promise.all([
    askGit(folder, ['rev-parse', '--path-format=absolute', ...placeWords]),
    askGit(folder, ['config', '--type=path', '--show-scope', '--get-all', 'core.hooksPath']),
  ])
  const [top, common, prefix = ''] = places?.split('\n') ?? []
  if (top === undefined || common === undefined || paths === undefined)
    throw new UsageError(`${folder} is no git repository, so there is no hook to write: leave out --pre-push`)
  // The last value counts; `command` is the one we pass ourselves.
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

function workflowFile(folder: string): NewFile {
  refuseOther(folder, workflowPath, 'add the step "uses: donecheck/donecheck" to it')
  return { path: workflowPath, content: workflowText(folder), takeBack: 'delete it' }
}

/** @throws {UsageError} if something is there already */
function refuseOther(folder: string, path: string, instead: string): void {
  // A dangling link exists, too.
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
