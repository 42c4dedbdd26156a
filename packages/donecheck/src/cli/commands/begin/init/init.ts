/** `donecheck init`: a small configuration from what is found, and three offers. */
import { chmodSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { configFileNames } from '../../../../config/index.ts'
import { given, messageOf, UsageError } from '@donecheck/engine/base'
import { inheritedEnvironment } from '@donecheck/engine/process'
import { confirmChanges } from '../../../agent-hooks/install/confirm-changes.ts'
import { loadHookedAgent } from '../../../agents/agent-adapters.ts'
import { surveyLines, surveyProject } from '../../../agents/survey.ts'
import type { CliIo } from '../../../process/io.ts'
import { refuseUnknownProgram } from '../../../wiring/loop/own-agent-line.ts'
import { resolveWorkFolder } from '../../../settings/work-folder.ts'
import { askAboutProject } from './ask.ts'
import { answersOfFlags, type Answers, type InitFlags } from './answers.ts'
import { configText, prePushFile, workflowFile, type NewFile } from './new-files.ts'

/** Exits with 0 where all is as it should be, and with 1 where the person said no. */
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

/** Before anything is written. @throws {UsageError} for an agent that is misspelt, and one without hooks */
async function assertKnownAgents({ drive, install: hooked }: Answers, { environment }: CliIo): Promise<void> {
  if (drive?.kind === 'agent') await refuseUnknownProgram(drive.name, inheritedEnvironment(environment))
  if (hooked !== undefined) await loadHookedAgent(hooked)
}

/** @throws {UsageError} where there is nothing that could decide */
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

/** @throws {UsageError} which names what was written before */
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
  // Whatever has come there since it was looked at stays.
  writeFileSync(file, content, { flag: 'wx' })
  if (isProgram) chmodSync(file, 0o755)
}

function writtenText(files: readonly NewFile[]): string {
  return ['Written:', ...files.map(({ path, takeBack }) => `  ${path}  (to take it back: ${takeBack})`)].join(
    '\n',
  )
}

async function install(agent: string, { yes, workdir }: InitFlags, io: CliIo): Promise<number> {
  const { installCommand } = await import('../../hooks/install.ts')
  const more = { ...(yes === true ? { yes } : {}), ...given({ workdir }) }
  return installCommand(agent, { scope: 'project', ...more }, io)
}

function nextText({ drive }: Answers): string {
  const run =
    drive === undefined
      ? `donecheck run --agent 'program {prompt}' "Fix the failing test."`
      : `donecheck run "Fix the failing test."`
  return ['Next:', '  donecheck verify', `  ${run}`, '  donecheck explain last'].join('\n')
}
