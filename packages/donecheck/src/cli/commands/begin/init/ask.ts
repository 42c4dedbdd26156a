/** The questions of `init`, one after the other. What is found is proposed; what goes beyond this project is a no by itself. */
import { UsageError } from '@donecheck/engine/base'
import type { CliIo } from '../../../process/io.ts'
import type { FoundDrive, Survey } from '../../../agents/survey.ts'
import type { Answers } from './answers.ts'
import { prePushFile, workflowFile, type NewFile } from './new-files.ts'

interface Found {
  readonly survey: Survey
  readonly folder: string
  readonly hasConfig: boolean
}

/** Undefined: the person broke it off. */
export async function askAboutProject(
  given: Answers,
  { survey, folder, hasConfig }: Found,
  io: CliIo,
): Promise<Answers | undefined> {
  const { confirm, isCancel, multiselect, select, text } = await import('@clack/prompts')
  const streams = { input: io.stdin, output: io.stderr }
  const say = async (message: string) => confirm({ ...streams, message, initialValue: false })
  let { until, presets, drive } = given
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
  if (!hasConfig && survey.drives.length > 1) {
    const options = survey.drives.map((one) => ({ value: one, label: one.name, hint: one.why }))
    const chosen = await select<FoundDrive>({ ...streams, message: 'Who works?', options })
    if (isCancel(chosen)) return undefined
    drive = chosen
  }
  const hooked = survey.drives.find((one) => one.name === drive?.name && one.hasHooks)
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
  return { until, presets, drive, install: install ? hooked?.name : given.install, prePush, ci }
}

/** What would be refused is not offered. */
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
