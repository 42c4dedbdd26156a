import { UsageError, fenceAround, given } from '@donecheck/engine/internal/base'
import { isInside } from '@donecheck/engine/store'
import { plural, oneLine } from '@donecheck/core/internal/base'
import {
  parseConfig,
  readSkill,
  type SkillFile,
  type CheckConfig,
  type CheckSpec,
  type Condition,
} from '../../../config/index.ts'
import { withCheckFiles } from '../../settings/settings.ts'
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve, isAbsolute, relative, sep } from 'node:path'
import type { CliIo } from '../../process/io.ts'
import { orUsageError } from '../../process/failure.ts'
import { decompose } from '@donecheck/engine/internal/analysis/shell'
import { quoteWord } from '../../output/wrap.ts'
import type { Settings } from '../../settings/store-folder.ts'

const maxCharacters = 60_000
const maxCharactersOfOne = 20_000

/** @throws {UsageError} for an invalid schema */
export async function useSkills(skills: readonly Skill[], { config, workFolder }: Settings) {
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

/** Fences each skill with lines that it cannot forge. */
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

export function taskAlone(task: string): string {
  const at = task.indexOf(`\n\n${opening}\n\n`)
  return at === -1 ? task : task.slice(0, at)
}

export interface Skill extends Omit<SkillFile, 'name'> {
  readonly file: string
  readonly folder: string
  readonly name: string
  readonly ownName: string | undefined
}

const fileName = 'SKILL.md'

/** Accepts a file, a folder with `SKILL.md`, or a folder of such folders. @throws {UsageError} if there is none */
export async function loadSkills(
  places: readonly string[],
  { currentFolder }: CliIo,
): Promise<readonly Skill[]> {
  const files = places.flatMap((place) => filesAt(resolve(currentFolder, place)))
  return await Promise.all([...new Set(files.map((file) => realpathSync(file)))].map(loadSkill))
}

function filesAt(place: string): readonly string[] {
  if (place.includes('\0') || !existsSync(place)) throw new UsageError(`there is no skill ${place}`)
  if (!statSync(place).isDirectory()) return [place]
  const own = fileIn(place)
  if (own !== undefined) return [own]
  const files = readdirSync(place)
    .toSorted()
    .flatMap((name) => fileIn(join(place, name)) ?? [])
  if (files.length === 0)
    throw new UsageError(`there is no ${fileName} in ${place}, nor in a folder of it; name a skill`)
  return files
}

function fileIn(folder: string): string | undefined {
  const file = join(folder, fileName)
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined
}

async function loadSkill(file: string): Promise<Skill> {
  const text = orUsageError(
    () => readFileSync(file, 'utf8'),
    (error) => `the skill ${file} cannot be read: ${String(error)}`,
  )
  const { name: ownName, ...skill } = await readSkill(text, file)
  const folder = dirname(file)
  const called = basename(file) === fileName ? basename(folder) : basename(file).replace(/\.md$/i, '')
  return { ...skill, file, folder, name: oneLine(ownName ?? called, 80), ownName }
}

type SkillCheck = { readonly line: number; readonly text: string } & (
  | { readonly kind: 'command'; readonly until: CheckConfig }
  | { readonly kind: 'files' | 'schema'; readonly check: CheckSpec }
)

interface Unchecked {
  readonly line: number
  readonly text: string
  readonly problem: string
}

export interface SkillChecks {
  readonly checks: readonly SkillCheck[]
  readonly rubric: readonly { readonly line: number; readonly text: string }[]
  readonly unchecked: readonly Unchecked[]
}

/** Looks for files of the skill next to it, and for others in the work folder. */
export function checksOfSkill(skill: Skill, workFolder: string): SkillChecks {
  const checks: SkillCheck[] = []
  const rubric: SkillChecks['rubric'][number][] = []
  const unchecked: Unchecked[] = []
  for (const condition of skill.conditions) {
    const made = madeOf(condition, skill, workFolder)
    if ('problem' in made) unchecked.push(made)
    else if ('kind' in made) checks.push(made)
    else rubric.push(made)
  }
  return { checks, rubric, unchecked }
}

function madeOf(
  condition: Condition,
  skill: Skill,
  workFolder: string,
): SkillCheck | SkillChecks['rubric'][number] | Unchecked {
  const { line } = condition
  switch (condition.kind) {
    case 'command': {
      const command = withOwnFiles(condition.command, skill, workFolder)
      return { kind: 'command', line, text: oneLine(command, 200), until: { command } }
    }
    case 'file': {
      const { path, contains } = condition
      const check: CheckSpec = {
        kind: 'files',
        files: [path],
        ...given({ contain: contains }),
      }
      const what = contains === undefined ? 'exists' : `contains ${oneLine(contains, 80)}`
      return { kind: 'files', line, text: `${path} ${what}`, check }
    }
    case 'schema': {
      const { file, schema: named } = condition
      const schema = [skill.folder, workFolder].map((folder) => resolve(folder, named)).find(existsSync)
      const text = `${file} keeps to ${named}`
      if (schema === undefined) return { line, text, problem: `there is no ${named}` }
      return { kind: 'schema', line, text, check: { kind: 'schema', schema, file } }
    }
    case 'rubric':
      return { line, text: oneLine(condition.text, 600) }
    case 'unclear':
      return { line, text: oneLine(condition.text, 200), problem: condition.problem }
  }
}

/** Replaces `{baseDir}` and `${CLAUDE_SKILL_DIR}`, and paths that exist only next to the skill. */
function withOwnFiles(command: string, { folder }: Skill, workFolder: string): string {
  const own = placeOf(folder, workFolder)
  const named = command.replaceAll(/\{baseDir\}|\$\{CLAUDE_SKILL_DIR\}|\$CLAUDE_SKILL_DIR\b/g, () => own)
  let made = named
  const words = decompose(named).commands.flatMap((one) => one.words)
  const spans = new Map(
    words.flatMap(({ text, span }) => (text === null || span === null ? [] : [[span[0], { text, span }]])),
  )
  // From the end, so that earlier offsets stay valid.
  for (const [, { text, span }] of [...spans].toSorted(([one], [other]) => other - one)) {
    const isMeant = text.includes('/') && !isAbsolute(text) && existsSync(join(folder, text))
    if (isMeant && !existsSync(join(workFolder, text)))
      made = made.slice(0, span[0]) + quoteWord(join(own, text)) + made.slice(span[1])
  }
  return made
}

/** Relative inside the work folder, so that copies use their own files. */
export function placeOf(path: string, workFolder: string): string {
  if (!isInside(path, workFolder)) return path
  const way = relative(realpathSync(workFolder), path).split(sep).join('/')
  return way === '' ? '.' : `./${way}`
}
