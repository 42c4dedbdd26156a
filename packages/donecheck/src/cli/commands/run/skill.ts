import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { oneLine, plural } from '@donecheck/core/base'
import { messageOf, UsageError } from '@donecheck/engine/base'
import type { RunFlags, StoreFlags, Flags } from '../../options/flags.ts'
import type { CliIo } from '../../process/io.ts'
import { orUsageError } from '../../process/failure.ts'
import { findSummary } from '../../settings/recipe.ts'
import { withStore, resolveSettings } from '../../settings/settings.ts'
import { draftSkill } from '../../wiring/skills/draft-skill.ts'
import { lintSkill, type SkillLint } from '../../wiring/skills/lint-skill.ts'
import { loadSkills, rubricText, useSkills } from '../../wiring/skills/use-skills.ts'
import { verify } from '../check/verify.ts'
import { type Settings, assertRunnable } from '../../settings/store-folder.ts'

type SkillCheckFlags = RunFlags & Flags<never, 'run'>

type ProposeFlags = StoreFlags & Flags<'output'>

const foundProblems = 1

export async function skillCheckCommand(
  places: readonly string[],
  { run = false, ...flags }: SkillCheckFlags,
  io: CliIo,
): Promise<number> {
  const { json = false, ...configured } = flags
  const settings = await resolveSettings(configured, io)
  const { workFolder, config } = settings
  assertRunnable(settings, io)
  const skills = loadSkills(places, io)
  const hasJudge = config.judge !== undefined
  const lints = await Promise.all(skills.map((skill) => lintSkill(skill, workFolder, hasJudge, io)))
  io.stdout.write(json ? `${JSON.stringify(lints.map(jsonOf))}\n` : lints.map(textOf).join('\n'))
  const hasErrors = lints.some(({ problems }) => problems.some(({ level }) => level === 'error'))
  const exitCode = run ? await runChecks(lints, settings, flags, io) : 0
  return exitCode === 0 && hasErrors ? foundProblems : exitCode
}

/** Runs only the skills' checks. A judge sees the work; there is no answer. */
async function runChecks(
  lints: readonly SkillLint[],
  { workFolder, config }: Settings,
  flags: RunFlags,
  io: CliIo,
): Promise<number> {
  const { judge, maxJudgeCostUsd, store, secrets, prices, verifyTimeoutSeconds, parallelChecks } = config
  const alone = { store, secrets, prices, verifyTimeoutSeconds, parallelChecks }
  const skills = lints.map(({ skill }) => skill)
  const asked = await useSkills(skills, { workFolder, config: alone })
  const rubric = lints.flatMap((lint) => lint.rubric)
  const isJudged = judge !== undefined && rubric.length > 0
  const { until = [], checks = [] } = asked.config
  if (until.length + checks.length === 0 && !isJudged)
    throw new UsageError('there is nothing to run: no condition of these skills can be made a check')
  const withJudge = isJudged
    ? { ...asked.config, judge, maxJudgeCostUsd, rubric: rubricText(rubric) }
    : asked.config
  return verify({ workFolder, config: withJudge }, flags, io)
}

function jsonOf({ skill, checks, rubric, unchecked, problems }: SkillLint): object {
  const { file, name, description } = skill
  const named = checks.map(({ line, kind, text }) => ({ line, kind, text }))
  return { file, name, description, checks: named, rubric, unchecked, problems }
}

function textOf({ skill, checks, problems }: SkillLint): string {
  const count = (level: string) => problems.filter((one) => one.level === level).length
  const lines = [
    `${skill.name}  ${skill.file}`,
    ...checks.map(({ line, kind, text }) => `  ✓ line ${line}  ${kind}  ${oneLine(text, 160)}`),
    ...problems.map(
      ({ level, line, message }) =>
        `  ${level === 'error' ? '✗' : '!'} ${line === null ? '' : `line ${line}  `}${oneLine(message, 400)}`,
    ),
    `  ${plural(checks.length, 'check')}, ${plural(count('error'), 'error')}, ${plural(count('warning'), 'warning')}`,
  ]
  return `${lines.join('\n')}\n`
}

export async function skillProposeCommand(wanted: string, flags: ProposeFlags, io: CliIo): Promise<number> {
  const { output, ...place } = flags
  const draft = await withStore(place, io, async (store) => {
    const { runId, imported } = await findSummary(store, wanted)
    if (imported === true)
      throw new UsageError(
        `run ${runId} was imported: nothing of it was observed here, so it teaches no skill`,
      )
    return draftSkill(await store.read(runId))
  })
  if (output === undefined) io.stdout.write(draft)
  else {
    writeNew(resolve(io.currentFolder, output), draft)
    io.stderr.write(`a draft is in ${output}; nothing uses it until you name it with --skill\n`)
  }
  return 0
}

function writeNew(file: string, text: string): void {
  const write = () => {
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text, { flag: 'wx' })
  }
  orUsageError(write, (error) => `${file} cannot be written: ${messageOf(error)}`)
}
