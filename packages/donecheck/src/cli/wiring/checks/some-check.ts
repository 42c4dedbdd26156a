/** One rule for whoever names no check, of `run`, `chat`, `verify`, `baseline`, `install`, `mcp` and `tiers`: the project's own tests decide. */
import { UsageError } from '@donecheck/engine/base'
import { detectChecks } from '@donecheck/engine/verify'
import type { CheckConfig, Config } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { writeNotice } from '../../output/painter.ts'
import { storeFolderOf } from '../../settings/store-folder.ts'
import { judgeChecks } from '../judging/judge.ts'
import { namesChecks } from './checks.ts'

/** Something that is named decides: a check, or a judge that was measured. */
export async function decides(config: Config, workFolder: string, io: CliIo): Promise<boolean> {
  const store = { folder: storeFolderOf(config.store, workFolder, io) }
  const judges = await judgeChecks({ config, workFolder, store, io, reads: 'answer' })
  return namesChecks(config) || judges.some(({ description }) => description.required)
}

/** Where something decides already, without what is named twice. @param notice what is taken, for people */
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

/** A preset and a line that says the same are one check: the preset, which also asks for tests that were executed. */
export async function withoutDoubles(config: Config, workFolder: string): Promise<Config> {
  const { presets = [], until = [] } = config
  if (presets.length === 0 || until.length === 0) return config
  const detected = await detectChecks(workFolder)
  const lines = presets.flatMap((name) => (detected[name].kind === 'found' ? detected[name].command : []))
  const isDouble = (check: CheckConfig) => Object.keys(check).length === 1 && lines.includes(check.command)
  return { ...config, until: until.filter((check) => !isDouble(check)) }
}

/** Of a run: sealed checks and verified replies decide by themselves. */
export function isJudgedOtherwise({ seal, verifyReplies = false }: Config): boolean {
  return seal !== undefined || verifyReplies !== false
}

/** @throws {UsageError} where there is nothing to check */
export async function withSomeCheck(config: Config, workFolder: string, io: CliIo): Promise<Config> {
  const checked = await withProjectTests(config, workFolder, io)
  if (await mayBegin(checked, workFolder, io)) return checked
  throw nothingToCheck(workFolder)
}

/**
 * Of a run: an agent whose work nothing checks costs money all the same, so somebody has to want that.
 * @throws {UsageError} where nobody does
 */
export async function withSomeCheckOrConsent(config: Config, workFolder: string, io: CliIo): Promise<Config> {
  if (isJudgedOtherwise(config)) return config
  const checked = await withProjectTests(config, workFolder, io)
  if (checked.unchecked === true || (await mayBegin(checked, workFolder, io))) return checked
  // What is wrong with the drive is told before anybody is asked about its work.
  await (await import('../loop/drive-choice.ts')).chooseDrive(checked, workFolder, io)
  if (await isWantedUnchecked(io)) return checked
  throw nothingToCheck(workFolder, ', or run the agent without any: --unchecked')
}

/** Held-out checks alone are refused later, with a reason of their own. */
async function mayBegin(config: Config, workFolder: string, io: CliIo): Promise<boolean> {
  return (config.heldOut ?? []).length > 0 || (await decides(config, workFolder, io))
}

async function isWantedUnchecked({ stdin, stderr }: CliIo): Promise<boolean> {
  if (!stdin.isTTY || !stderr.isTTY) return false
  const { confirm, isCancel } = await import('@clack/prompts')
  const answer = await confirm({
    message: 'Nothing here checks the work: the run can end only as unverified. Run it all the same?',
    initialValue: false,
    ...{ input: stdin, output: stderr },
  })
  return !isCancel(answer) && answer
}

function nothingToCheck(workFolder: string, otherwise = ''): UsageError {
  return new UsageError(
    `there is nothing to check in ${workFolder}: name a check with --until "npm test", --preset tests or --check KIND:TEXT, or in a donecheck.config.ts${otherwise}`,
  )
}
