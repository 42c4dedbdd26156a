import { describe, expect, it } from 'vitest'
import { inSkillPlace, skillText, type SkillPlace } from './fixtures/skill-folder.ts'
import { loadSkills, checksOfSkill } from './use-skills.ts'

async function checksIn(
  { io, write, workFolder }: SkillPlace,
  folder: string,
  conditions: readonly string[],
) {
  write(`${folder}/SKILL.md`, skillText('s', conditions))
  const [skill] = await loadSkills([folder], io)
  if (skill === undefined) throw new TypeError('there is no skill')
  return checksOfSkill(skill, workFolder)
}
const commandsOf = ({ checks }: ReturnType<typeof checksOfSkill>) =>
  checks.flatMap((check) => (check.kind === 'command' ? [check.until.command] : []))

describe('given commands that name files of the skill', () => {
  it('a skill from elsewhere is named where it lies', async () => {
    await inSkillPlace(async (place) => {
      place.write('skills/s/scripts/a b.py', '')
      place.write('skills/s/scripts/both.py', '')
      place.write('work/scripts/both.py', '')
      const made = await checksIn(place, 'skills/s', [
        '- `python "scripts/a b.py" x` passes',
        '- `python scripts/both.py` passes',
        '- `sh {baseDir}/run.sh && sh ${CLAUDE_SKILL_DIR}/run.sh` passes',
        '- `npm test` passes',
      ])
      const own = `${place.skills}/s`
      expect(commandsOf(made)).toEqual([
        `python '${own}/scripts/a b.py' x`,
        'python scripts/both.py',
        `sh ${own}/run.sh && sh ${own}/run.sh`,
        'npm test',
      ])
    })
  })

  it('a skill within the work folder is named from there, so that a copy of the folder has its own', async () => {
    await inSkillPlace(async (place) => {
      place.write('work/skills/s/check.d/run.sh', '')
      const made = await checksIn(place, 'work/skills/s', [
        '- `sh check.d/run.sh` passes',
        '- `sh {baseDir}/x.sh` passes',
      ])
      expect(commandsOf(made)).toEqual(['sh skills/s/check.d/run.sh', 'sh ./skills/s/x.sh'])
    })
  })
})

describe('given a schema', () => {
  it('is looked for beside the skill first, then in the work folder, and named where it is in neither', async () => {
    await inSkillPlace(async (place) => {
      place.write('skills/s/own.schema.json', '{}')
      place.write('work/own.schema.json', '{}')
      place.write('work/project.schema.json', '{}')
      const { checks, unchecked } = await checksIn(place, 'skills/s', [
        '- `a.json` matches `own.schema.json`',
        '- `b.json` conforms to `project.schema.json`',
        '- `c.json` is valid against `gone.schema.json`',
      ])
      expect(checks.map((one) => ('check' in one ? one.check : one))).toEqual([
        { kind: 'schema', file: 'a.json', schema: `${place.skills}/s/own.schema.json` },
        { kind: 'schema', file: 'b.json', schema: `${place.workFolder}/project.schema.json` },
      ])
      expect(unchecked).toEqual([
        { line: 10, text: 'c.json keeps to gone.schema.json', problem: 'there is no gone.schema.json' },
      ])
    })
  })
})
