import { mkdirSync, existsSync } from 'node:fs'
import { dirname, resolve, basename } from 'node:path'
import { oneLine, plural, harmless, nearest } from '@donecheck/core/internal/base'
import { messageOf, UsageError } from '@donecheck/engine/internal/base'
import type { CliIo } from '../../process/io.ts'
import { print } from '../../output/wrap.ts'
import { orUsageError, writeText } from '../../process/failure.ts'
import { withRun, resolveSettings } from '../../settings/settings.ts'
import {
  loadSkills,
  rubricText,
  useSkills,
  taskAlone,
  type Skill,
  checksOfSkill,
  type SkillChecks,
  notChecked,
} from '../../wiring/skills/use-skills.ts'
import { verify } from '../check/verify.ts'
import { type Settings, assertRunnable } from '../../settings/store-folder.ts'
import type { RunEvent } from '@donecheck/core/internal/events'
import { fold } from '@donecheck/core/internal/state'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import { distil } from '@donecheck/engine/memory'
import { findProgram } from '@donecheck/engine/internal/system/process'
import { decompose } from '@donecheck/engine/internal/analysis/shell'
import type { RunFlags, StoreFlags, Flags } from '../../options/flags.ts'

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
  const skills = await loadSkills(places, io)
  const hasJudge = config.judge !== undefined
  const lints = await Promise.all(skills.map((skill) => lintSkill(skill, workFolder, hasJudge, io)))
  print(io, json, lints.map(jsonOf), () => lints.map(textOf).join('\n\n'))
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
  return lines.join('\n')
}

export async function skillProposeCommand(wanted: string, flags: ProposeFlags, io: CliIo): Promise<number> {
  const { output, ...place } = flags
  const draft = await withRun(wanted, place, io, async ({ runId, imported }, store) => {
    if (imported === true)
      throw new UsageError(
        `run ${runId} was imported: nothing of it was observed here, so it teaches no skill`,
      )
    return draftSkill(await store.read(runId))
  })
  if (output === undefined) io.stdout.write(draft)
  else {
    orUsageError(
      () => mkdirSync(dirname(resolve(io.currentFolder, output)), { recursive: true }),
      (error) => `${output} cannot be written: ${messageOf(error)}`,
    )
    writeText(output, draft, io, { flag: 'wx' })
    io.stderr.write(`a draft is in ${output}; nothing uses it until you name it with --skill\n`)
  }
  return 0
}

const maxTaskCharacters = 2000

export function draftSkill(events: readonly RunEvent[]): string {
  const state = fold(events)
  const learnt = distil(events)
  if (state === undefined || learnt?.outcome !== 'verified')
    throw new UsageError(
      'only a run that ended as verified can propose a skill; "donecheck list" shows which did',
    )
  const task = harmless(taskAlone(state.task)).trim()
  const title = oneLine(task.split('\n')[0] ?? '', 100)
  const section = (heading: string, lines: readonly string[]) =>
    lines.length === 0 ? [] : [`## ${heading}`, '', ...lines, '']
  const lessonsOf = (...kinds: readonly string[]) =>
    learnt.lessons
      .filter(({ kind }) => kinds.includes(kind))
      // The text may contain the start of a comment.
      .map(({ text }) => `- ${text.replaceAll('<', '&lt;')}`)
  return [
    '---',
    `name: ${slugOf(title)}`,
    `description: ${JSON.stringify(`Use this for tasks such as: ${title}`)}`,
    '---',
    '',
    `<!-- A draft from run ${learnt.runId}. Read it, and write down how the work is done, before you use it. -->`,
    '',
    ...section('When to use', quoteOf(task)),
    ...section('What happened', lessonsOf('run')),
    ...section('Pitfalls', lessonsOf('mended', 'detector', 'flaky')),
    ...section('Verification', verification(events, state.settings.verifiers)),
  ].join('\n')
}

function slugOf(title: string): string {
  const slug = title
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 48)
    .replaceAll(/^-+|-+$/g, '')
  return slug === '' ? 'new-skill' : slug
}

/** Quoted, so that headings in it have no effect. */
function quoteOf(task: string): readonly string[] {
  const text = task.slice(0, maxTaskCharacters).toWellFormed()
  return [...text.split('\n'), ...(task.length > maxTaskCharacters ? ['…'] : [])].map((line) =>
    `> ${line}`.trimEnd(),
  )
}

interface Verifier {
  readonly name: string
  readonly required: boolean
  readonly role: string
}

/** Only checks that decided and that the agent knew. */
function verification(events: readonly RunEvent[], verifiers: readonly Verifier[]): readonly string[] {
  const passed = new Map<string, Verdict>()
  for (const event of events)
    if (event.type === 'verdict-given' && event.verdict.status === 'passed')
      passed.set(event.verdict.verifier, event.verdict)
  return verifiers.flatMap(({ name, required, role }) => {
    const verdict = passed.get(name)
    return required && role === 'check' && verdict !== undefined ? conditionLines(verdict) : []
  })
}

function conditionLines({ verifier, evidence }: Verdict): readonly string[] {
  const commands = evidence.flatMap((piece) => (piece.kind === 'command' ? [piece.command] : []))
  const [command] = commands
  if (command !== undefined) return commandLines(command)
  const files = evidence.flatMap((piece) => (piece.kind === 'file' ? [piece.path] : []))
  const isAboutFiles = files.length > 0 && files.length === evidence.length && verifier.endsWith(' exists')
  return isAboutFiles ? files.map((path) => `- \`${path}\` exists`) : [`- ${oneLine(verifier, 200)}`]
}

function commandLines(command: string): readonly string[] {
  const marked = command.replaceAll(/\[masked:/g, '[not kept:')
  if (marked !== command) return [`- ${oneLine(marked, 200)}`]
  const isPlain = !/[`\n]/.test(command) && command === command.trim()
  return isPlain ? [`- \`${command}\` passes`] : ['', '```sh', command, '```', '']
}

interface SkillProblem {
  readonly level: 'error' | 'warning'
  readonly line: number | null
  readonly message: string
}

export interface SkillLint extends SkillChecks {
  readonly skill: Skill
  readonly problems: readonly SkillProblem[]
}

const knownKeys: readonly string[] = (
  'name description version license author authors homepage repository tags category keywords platforms metadata ' +
  'compatibility requires dependencies allowed-tools disallowed-tools user-invocable disable-model-invocation ' +
  'argument-hint arguments when_to_use model effort context agent hooks paths shell triggers emoji ' +
  'command-dispatch command-tool command-arg-mode'
).split(' ')

export async function lintSkill(
  skill: Skill,
  workFolder: string,
  hasJudge: boolean,
  { environment }: Pick<CliIo, 'environment'>,
): Promise<SkillLint> {
  const found = checksOfSkill(skill, workFolder)
  const missing = await missingPrograms(found, workFolder, environment)
  const open = notChecked(found, hasJudge).map(({ line, text, problem }): SkillProblem => ({
    level: 'warning',
    line,
    message: `not checked: ${text} (${problem})`,
  }))
  const none: readonly SkillProblem[] =
    skill.conditions.length > 0
      ? []
      : [
          {
            level: 'error',
            line: null,
            message: 'it says nowhere when it is done; write conditions under "## Verification"',
          },
        ]
  return { skill, ...found, problems: [...headProblems(skill), ...none, ...missing, ...open] }
}

function headProblems({ keys, ownName, description, file, folder }: Skill): readonly SkillProblem[] {
  const problem = (level: SkillProblem['level'], message: string): SkillProblem => ({
    level,
    line: 1,
    message,
  })
  if (keys === undefined)
    return [problem('error', 'there is no front matter; begin with ---, name, description and ---')]
  const isNamed = ownName !== undefined
  const unknown = keys.filter((key) => !knownKeys.includes(key))
  return [
    ...(isNamed ? [] : [problem('error', 'the front matter has no name')]),
    ...(description === undefined ? [problem('error', 'the front matter has no description')] : []),
    ...(isNamed && basename(file) === 'SKILL.md' && ownName !== basename(folder)
      ? [
          problem(
            'warning',
            `it calls itself "${oneLine(ownName, 80)}", and its folder is "${basename(folder)}"`,
          ),
        ]
      : []),
    ...unknown.map((key) => {
      const near = nearest(key, knownKeys)
      return problem(
        'warning',
        `unknown key "${key}"${near === undefined ? '' : `; did you mean "${near}"?`}`,
      )
    }),
  ]
}

const builtins = new Set(
  '. : [ [[ alias bg break cd command continue declare echo eval exec exit export false fg getopts hash jobs kill let local printf pwd read readonly return set shift source test times trap true type ulimit umask unalias unset wait'.split(
    ' ',
  ),
)

async function missingPrograms(
  { checks }: SkillChecks,
  workFolder: string,
  environment: CliIo['environment'],
): Promise<readonly SkillProblem[]> {
  const named = checks.flatMap((check) =>
    check.kind !== 'command'
      ? []
      : decompose(check.until.command).commands.flatMap(({ words }) => {
          const program = words[0]?.text ?? null
          return program === null || builtins.has(program) ? [] : [{ line: check.line, program }]
        }),
  )
  const looked = named.map(async ({ line, program }): Promise<readonly SkillProblem[]> => {
    const isPath = program.includes('/')
    const isThere = isPath
      ? existsSync(resolve(workFolder, program))
      : findProgram(program, environment) !== undefined
    const where = isPath ? 'in the work folder' : 'on PATH'
    return isThere ? [] : [{ level: 'error', line, message: `there is no program ${program} ${where}` }]
  })
  return (await Promise.all(looked)).flat()
}
