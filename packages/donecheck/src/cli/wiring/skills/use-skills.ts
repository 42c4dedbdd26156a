/** Skills of a run: their conditions become its checks, and the drive is told their text. */
import { UsageError, fenceAround } from '@donecheck/engine/base'
import { isInside } from '@donecheck/engine/store'
import { plural } from '@donecheck/core/base'
import { parseConfig, type Config } from '../../../config/index.ts'
import { withCheckFiles } from '../../settings/check-files.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Skill } from './load-skills.ts'
import { checksOfSkill, placeOf, type SkillChecks } from './skill-checks.ts'

/** Of all skills of a run, in what the drive is told. */
const maxCharacters = 60_000
const maxCharactersOfOne = 20_000

export interface UsedSkills {
  readonly config: Config
  /** What is told before the run begins: which checks there are, and which conditions no check decides. */
  readonly notices: readonly string[]
}

/** @throws {UsageError} for a schema that is no JSON */
export async function useSkills(
  skills: readonly Skill[],
  { config, workFolder }: Settings,
): Promise<UsedSkills> {
  const found = skills.map((skill) => ({ skill, ...checksOfSkill(skill, workFolder) }))
  const hasJudge = config.judge !== undefined
  const checks = found.flatMap((one) => one.checks)
  const judged = found.flatMap(({ skill, rubric }) =>
    hasJudge && rubric.length > 0
      ? [{ kind: 'judge', name: `skill ${skill.name}`, rubric: rubricText(rubric) }]
      : [],
  )
  const until = [...(config.until ?? []), ...checks.flatMap((one) => ('until' in one ? [one.until] : []))]
  const others = [...checks.flatMap((one) => ('check' in one ? [one.check] : [])), ...judged]
  const withSkills = {
    ...config,
    until: distinct(until, ({ command }) => command),
    checks: [...(config.checks ?? []), ...distinct(others, (one) => JSON.stringify(one))],
    protect: [...(config.protect ?? []), ...skills.flatMap((skill) => protectedPaths(skill, workFolder))],
  }
  return {
    config: await withCheckFiles(parseConfig(withSkills, 'the skills'), workFolder),
    notices: found.flatMap((one) => noticesOf(one, hasJudge)),
  }
}

export function rubricText(rubric: SkillChecks['rubric']): string {
  return ['All of this must be fulfilled:', ...rubric.map(({ text }) => `- ${text}`)].join('\n')
}

/** What a check decides is told in one line; what none does, each in its own. */
function noticesOf(
  { skill, checks, rubric, unchecked }: SkillChecks & { readonly skill: Skill },
  hasJudge: boolean,
): readonly string[] {
  const made = checks.map(({ text }) => text)
  const asked = hasJudge && rubric.length > 0 ? [`${plural(rubric.length, 'line')} for the judge`] : []
  const list = [...made, ...asked]
  return [
    `skill ${skill.name}: ${list.length === 0 ? 'nothing of it is checked' : list.join('; ')}`,
    ...notChecked({ rubric, unchecked }, hasJudge).map(
      ({ line, text, problem }) => `skill ${skill.name}, line ${line}, is not checked: ${text} (${problem})`,
    ),
  ]
}

export function notChecked(
  { rubric, unchecked }: Pick<SkillChecks, 'rubric' | 'unchecked'>,
  hasJudge: boolean,
): SkillChecks['unchecked'] {
  const unread = rubric.map((one) => ({ ...one, problem: 'only a reader can say; --judge names a model' }))
  return [...unchecked, ...(hasJudge ? [] : unread)].toSorted((one, other) => one.line - other.line)
}

/** The skill, and what lies beside it where it has a folder of its own. */
function protectedPaths({ file, folder }: Skill, workFolder: string): readonly string[] {
  if (!isInside(file, workFolder)) return []
  const glob = (path: string) => path.replace(/^\.\//, '').replaceAll(/[\\*?[\]{}()!+@|]/g, String.raw`\$&`)
  const isOwn = !isInside(workFolder, folder) && file.endsWith('/SKILL.md')
  return [glob(placeOf(isOwn ? folder : file, workFolder)) + (isOwn ? '/**' : '')]
}

function distinct<One>(list: readonly One[], keyOf: (one: One) => string): One[] {
  return [...new Map(list.toReversed().map((one) => [keyOf(one), one])).values()].toReversed()
}

const opening = 'Skills for this task, to be followed where they apply:'

/** The task first, then each skill between lines that it cannot forge. */
export function withSkillTexts(task: string, skills: readonly Skill[], workFolder: string): string {
  const each = Math.min(maxCharactersOfOne, Math.floor(maxCharacters / skills.length))
  if (each < 1000)
    throw new UsageError(`${skills.length} skills are too many for one run; name those that it needs`)
  const fence = fenceAround(
    skills.flatMap(({ name, description = '', body, file }) => [name, description, body, file]),
  )
  const texts = skills.map((skill) => {
    const { name, description, body, file } = skill
    const about = `skill ${name} of ${placeOf(file, workFolder)}`
    const cut = body.slice(0, each).toWellFormed()
    const rest = body.length > each ? `\n[${body.length - each} more characters in the file]` : ''
    return [
      fence.open(about),
      ...(description === undefined ? [] : [description, '']),
      cut + rest,
      fence.close,
    ].join('\n')
  })
  return [task, opening, ...texts].join('\n\n')
}

/** As it was typed. */
export function taskAlone(task: string): string {
  const at = task.indexOf(`\n\n${opening}\n\n`)
  return at === -1 ? task : task.slice(0, at)
}
