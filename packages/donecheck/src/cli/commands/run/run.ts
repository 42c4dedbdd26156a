import { existsSync, readFileSync } from 'node:fs'
import { basename, resolve } from 'node:path'
import type { AgentLoop, RunOptions } from '@donecheck/engine/internal/loop/compose'
import { parseConfig, readGoalFile, type Config, type GoalFile } from '../../../config/index.ts'
import { given, UsageError } from '@donecheck/engine/internal/base'
import { conduct } from '../../wiring/loop/conduct.ts'
import type { CliIo } from '../../process/io.ts'
import { print, writeNotice } from '../../output/wrap.ts'
import { resolveSettings } from '../../settings/settings.ts'
import { submitRun, type SubmitFlags } from '../fleet/submit.ts'
import { loadSkills, type Skill, useSkills, withSkillTexts } from '../../wiring/skills/use-skills.ts'
import { writableOf, unfixedHookNotices, withHooksKept } from '../../wiring/gate/gate.ts'
import { projectRulesNow, rulesNow } from '../../wiring/gate/rules.ts'
import { text } from 'node:stream/consumers'
import { type Settings, assertRunnable, withOpenStore } from '../../settings/store-folder.ts'
import { withTextsRead } from '../../wiring/judging/judge.ts'
import { checkLinesOf, withSomeCheckOrConsent } from '../../wiring/some-check.ts'
import { outputFormatOf, type OutputFormat, type RunFlags, type Flags } from '../../options/flags.ts'

type GoalRunFlags = RunFlags & SubmitFlags & Flags<'goal' | 'runId', 'dryRun', 'skill'>

export async function runCommand(words: readonly string[], flags: GoalRunFlags, io: CliIo): Promise<number> {
  const settings = await resolveSettings(flags, io)
  const skills = await loadSkills(flags.skill ?? [], io)
  const named = runIdOf(flags)
  const format = outputFormatOf(flags)
  if (flags.dryRun === true)
    return await (await import('./dry-run.ts')).dryRun(settings, format !== 'text', io)
  if (flags.fleet !== undefined) return await submit(words, skills, settings, flags, io)
  return flags.goal === undefined
    ? await run({ task: await readTask(words, io), skills, format }, settings, io, named)
    : await runGoal(words, { ...(await goalOf(flags.goal, io)), skills, named, format }, settings, io)
}

function runIdOf({ runId }: GoalRunFlags): RunOptions {
  if (runId === undefined) return {}
  if (!/^[0-9A-Z]{26}$/.test(runId))
    throw new UsageError(`--run-id takes 26 digits and capital letters, not "${runId}"`)
  return { runId }
}

async function goalOf(named: string, io: CliIo): Promise<GoalFile> {
  const file = resolve(io.currentFolder, named)
  if (!existsSync(file)) throw new UsageError(`there is no goal ${file}; write one, or give a task instead`)
  return readGoalFile(readFileSync(file, 'utf8'), basename(file))
}

async function submit(
  words: readonly string[],
  skills: readonly Skill[],
  settings: Settings,
  flags: GoalRunFlags,
  io: CliIo,
): Promise<number> {
  if (flags.goal !== undefined || skills.length > 0)
    throw new UsageError('--fleet takes a task, not --goal or --skill: both name files of this machine')
  const { workFolder } = settings
  const task = await readTask(words, io)
  const read = await withTextsRead(settings.config, workFolder, io)
  const config = await withPolicyKept(await withSomeCheckOrConsent(read, workFolder, io), workFolder, io)
  const runId = await submitRun({ task, config, workFolder, ...runIdOf(flags) }, flags, io)
  const isJson = outputFormatOf(flags) !== 'text'
  print(io, isJson, { runId }, () => runId)
  if (config.quiet !== true && !isJson)
    writeNotice(
      `run ${runId} was given to the fleet; "donecheck fleet status ${runId}" says where it is, "donecheck watch ${runId}" follows it once it has begun`,
      io,
    )
  return 0
}

async function runGoal(
  words: readonly string[],
  {
    task,
    rules,
    skills,
    checks,
    subGoals,
    caps,
    named,
    format,
  }: GoalFile & Asked & { readonly named: RunOptions },
  { workFolder, config }: Settings,
  io: CliIo,
): Promise<number> {
  if (words.length > 0)
    throw new UsageError('a task and --goal were both given; write the task into the file, or leave one out')
  const until = [...(config.until ?? []), ...checks]
  const withGoal = parseConfig({ ...caps, ...config, until, keptGoal: true }, 'the goal')
  return run({ task, skills, format }, { workFolder, config: withGoal }, io, { ...named, subGoals, rules })
}

interface Asked {
  readonly task: string
  readonly format: OutputFormat
  readonly skills: readonly Skill[]
}

async function run(asked: Asked, settings: Settings, io: CliIo, more: RunOptions = {}): Promise<number> {
  const { workFolder } = settings
  assertRunnable(settings, io)
  const { task, config: named } =
    asked.skills.length === 0 ? { ...asked, ...settings } : await withSkills(asked, settings, io)
  const config = await withSomeCheckOrConsent(await withTextsRead(named, workFolder, io), workFolder, io)
  return withOpenStore({ config, workFolder }, io, async (store) => {
    const kept = await withPolicyKept(config, workFolder, io)
    const begin = (loop: AgentLoop) => loop.run(task, more)
    return conduct({ config: kept, workFolder, store, io, past: [], begin, format: asked.format })
  })
}

/** Reads skills now: the agent may change the files. */
async function withSkills({ task, skills }: Omit<Asked, 'format'>, settings: Settings, io: CliIo) {
  const { config, notices } = await useSkills(skills, settings)
  for (const line of notices) writeNotice(line, io)
  return { task: withSkillTexts(task, skills, settings.workFolder), config }
}

/** Fixes rules and check lines at the start: the agent may change the files later. */
export async function withPolicyKept(config: Config, workFolder: string, io: CliIo): Promise<Config> {
  for (const line of await unfixedHookNotices(config, workFolder, io.environment)) writeNotice(line, io)
  return {
    ...withHooksKept(config, workFolder),
    keptRules: await rulesNow(config, io),
    keptProjectRules: await projectRulesNow(config, workFolder),
    keptCheckLines: [...(await checkLinesOf(config, workFolder))],
    ...given({ writable: writableOf(config, io) }),
  }
}

/** Larger than any prompt, small enough to record. */
const maxTaskCharacters = 10_000_000

/** Joins the words, or reads standard input for `-`. */
async function readTask(words: readonly string[], io: CliIo): Promise<string> {
  const task = (words.length === 1 && words[0] === '-' ? await text(io.stdin) : words.join(' ')).trim()
  if (task === '') throw new UsageError('the task is empty; say what is to be done')
  if (task.length > maxTaskCharacters)
    throw new UsageError(
      `the task has ${task.length} characters; at most ${maxTaskCharacters} can be given: put the rest into a file of the work folder`,
    )
  return task
}
