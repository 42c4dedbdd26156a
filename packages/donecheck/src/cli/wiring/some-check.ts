/** What decides if no check is named: the project's own tests. */
import { UsageError } from '@donecheck/engine/internal/base'
import { detectChecks } from '@donecheck/engine/verify'
import type { CheckConfig, Config } from '../../config/index.ts'
import { isAtTerminal, type CliIo } from '../process/io.ts'
import { presetNames, type PresetName } from '../agents/survey.ts'
import { writeNotice } from '../output/wrap.ts'
import { storeFolderOf } from '../settings/store-folder.ts'
import { judgeChecks } from './judging/judge.ts'
import { namesChecks } from './checks.ts'

export async function decides(config: Config, workFolder: string, io: CliIo): Promise<boolean> {
  const store = { folder: storeFolderOf(config.store, workFolder, io) }
  const judges = await judgeChecks({ config, workFolder, store, io, reads: 'answer' })
  return namesChecks(config) || judges.some(({ description }) => description.required)
}

export async function withProjectTests(
  config: Config,
  workFolder: string,
  io: CliIo,
  notice: (message: string) => void = (message) =>
    writeNotice(`${message} (--until, --preset and --check name others)`, io),
): Promise<Config> {
  if (await decides(config, workFolder, io)) return await withoutDoubles(config, workFolder)
  const { tests } = await detectChecks(workFolder)
  if (tests.kind !== 'found') return config
  notice(`no check is named, so the project's own tests decide: ${tests.command}`)
  return { ...config, presets: ['tests'] }
}

/** Drops commands that a preset runs as well; the preset also requires executed tests. */
export async function withoutDoubles(config: Config, workFolder: string): Promise<Config> {
  const { presets = [], until = [] } = config
  if (presets.length === 0 || until.length === 0) return config
  const lines = await checkLinesOf({ presets }, workFolder)
  const isDouble = (check: CheckConfig) => Object.keys(check).length === 1 && lines.includes(check.command)
  return { ...config, until: until.filter((check) => !isDouble(check)) }
}

/** Held-out checks are left out: the agent must not see them. */
export async function checkLinesOf(
  { presets = [], until = [] }: Config,
  workFolder: string,
): Promise<readonly string[]> {
  const lines = until.map(({ command }) => command)
  if (presets.length === 0) return lines
  const detected = await detectChecks(workFolder)
  const found = presets.flatMap((name) => (detected[name].kind === 'found' ? detected[name].command : []))
  return [...lines, ...found]
}

export function hasVerifiedReplies({ verifyReplies = false }: Config): boolean {
  return verifyReplies !== false
}

/** @throws {UsageError} if nothing checks the work */
export async function withSomeCheck(config: Config, workFolder: string, io: CliIo): Promise<Config> {
  await assertPresetsExist(config, workFolder)
  const checked = await withProjectTests(config, workFolder, io)
  if (await mayBegin(checked, workFolder, io)) return checked
  const other = await withOtherPresets(checked, workFolder, io)
  if (other !== undefined) return other
  throw await nothingToCheck(checked, workFolder)
}

async function assertPresetsExist({ presets = [] }: Config, workFolder: string): Promise<void> {
  if (presets.length === 0) return
  const detected = await detectChecks(workFolder)
  const missing = presets.find((preset) => detected[preset].kind === 'not-found')
  // An unreadable manifest may be what the agent is asked to fix.
  if (missing === undefined || detected.problems.length > 0) return
  throw new UsageError(
    `--preset ${missing}: nothing in ${workFolder} makes it${foundInstead(detected)}. Name its command: --until "COMMAND"`,
  )
}

function presetsFound(detected: Awaited<ReturnType<typeof detectChecks>>): readonly PresetName[] {
  return presetNames.filter((preset) => detected[preset].kind === 'found')
}

function foundInstead(detected: Awaited<ReturnType<typeof detectChecks>>): string {
  const flags = presetsFound(detected).map((preset) => `--preset ${preset}`)
  return flags.length === 0 ? '' : `; found here: ${flags.join(' ')}`
}

/** @returns undefined if the user declines or nothing was found */
async function withOtherPresets(config: Config, workFolder: string, io: CliIo): Promise<Config | undefined> {
  const presets = presetsFound(await detectChecks(workFolder))
  if (presets.length === 0 || !isAtTerminal(io)) return undefined
  const message = `No tests found here. Check with ${presets.join(' and ')} instead?`
  return (await isConfirmed(message, true, io)) ? { ...config, presets: [...presets] } : undefined
}

/** @throws {UsageError} if nothing checks the work and the user does not accept that */
export async function withSomeCheckOrConsent(config: Config, workFolder: string, io: CliIo): Promise<Config> {
  if (hasVerifiedReplies(config)) return config
  await assertPresetsExist(config, workFolder)
  const checked = await withProjectTests(config, workFolder, io)
  if (checked.unchecked === true || (await mayBegin(checked, workFolder, io))) return checked
  // Reports a wrong agent before asking about its checks.
  await (await import('./loop/loop-options.ts')).chooseAgent(checked, workFolder, io)
  const other = await withOtherPresets(checked, workFolder, io)
  if (other !== undefined) return other
  if (isAtTerminal(io) && (await isConfirmed(runUnchecked, false, io))) return checked
  throw await nothingToCheck(checked, workFolder, ', or run the agent without any: --unchecked')
}

/** Held-out checks alone are refused later, with their own message. */
async function mayBegin(config: Config, workFolder: string, io: CliIo): Promise<boolean> {
  return (config.heldOut ?? []).length > 0 || (await decides(config, workFolder, io))
}

const runUnchecked = 'Nothing here checks the work: the run can end only as unverified. Run it anyway?'

async function isConfirmed(message: string, initialValue: boolean, io: CliIo): Promise<boolean> {
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({ message, initialValue, input: io.stdin, output: io.stderr })
  return !isCancel(answer) && answer
}

async function nothingToCheck({ judge }: Config, workFolder: string, otherwise = ''): Promise<UsageError> {
  const presets = presetsFound(await detectChecks(workFolder)).map((preset) => `--preset ${preset}`)
  const ways =
    presets.length === 0
      ? '--until "COMMAND" or --check KIND:TEXT'
      : `${presets.join(' ')}, or --until "COMMAND"`
  const advises =
    judge === undefined
      ? ''
      : `the judge ${judge.models.join(', ')} only advises, because it is not measured; let it decide with --trust-check judge, or measure it with donecheck judge calibrate --judge ${judge.models.join(' ')}; or `
  return new UsageError(
    `there is nothing to check in ${workFolder}: ${advises}name a check with ${ways}, or in a donecheck.config.ts${otherwise}`,
  )
}
