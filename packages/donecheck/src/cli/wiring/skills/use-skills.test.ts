import { describe, expect, it } from 'vitest'
import { parseConfig } from '../../../config/index.ts'
import { inSkillPlace, skillText, type SkillPlace } from './fixtures/skill-folder.ts'
import { loadSkills, taskAlone, useSkills, withSkillTexts } from './use-skills.ts'

const used = async ({ io, workFolder }: SkillPlace, places: readonly string[], config: object = {}) =>
  useSkills(await loadSkills(places, io), { workFolder, config: parseConfig(config, 'test') })

const conditions = [
  '- `npm test` passes',
  '- `out/a.md` exists',
  '- It reads well',
  '- If it is late, run `make`',
]

describe('given a run that uses a skill', () => {
  it('its conditions are checks of the run, each once, and what no check decides is named', async () => {
    await inSkillPlace(async (place) => {
      place.write('skills/a/SKILL.md', skillText('a', conditions))
      place.write('skills/b/SKILL.md', skillText('b', ['- `npm test` passes', '- `out/a.md` exists']))
      const { config, notices } = await used(place, ['skills'], { until: ['npm test'], protect: ['x'] })
      expect(config.until).toEqual([{ command: 'npm test' }])
      expect(config.checks).toEqual([{ kind: 'files', files: ['out/a.md'] }])
      expect(config.protect).toEqual(['x'])
      expect(notices).toEqual([
        'skill a: npm test; out/a.md exists',
        'skill a, line 10, is not checked: It reads well (only a reader can say; --judge names a model)',
        'skill a, line 11, is not checked: If it is late, run `make` (it holds only under a condition, which no check knows)',
        'skill b: npm test; out/a.md exists',
      ])
    })
  })

  it('what only a reader can say is asked of the judge, where there is one', async () => {
    await inSkillPlace(async (place) => {
      place.write('skills/a/SKILL.md', skillText('a', conditions))
      const { config, notices } = await used(place, ['skills'], { judge: 'x/y' })
      expect(config.checks?.[1]).toEqual({
        kind: 'judge',
        name: 'skill a',
        rubric: 'All of this must be fulfilled:\n- It reads well',
      })
      expect(notices[0]).toBe('skill a: npm test; out/a.md exists; 1 line for the judge')
    })
  })

  it('a skill without conditions is told to check nothing', async () => {
    await inSkillPlace(async (place) => {
      place.write('skills/a/SKILL.md', '# A')
      expect((await used(place, ['skills'])).notices).toEqual(['skill a: nothing of it is checked'])
    })
  })

  it('a schema is read at once, and a skill within the work folder is guarded with what lies beside it', async () => {
    await inSkillPlace(async (place) => {
      place.write('work/skills/[a]/SKILL.md', skillText('a', ['- `o.json` matches `s.schema.json`']))
      place.write('work/skills/[a]/s.schema.json', '{"type":"object"}')
      place.write('work/SKILL.md', skillText('root', []))
      place.write('work/docs/lone.md', skillText('lone', []))
      const { config } = await used(place, ['work/skills/[a]', 'work', 'work/docs/lone.md'])
      expect(config.checks).toEqual([{ kind: 'schema', file: 'o.json', schema: { type: 'object' } }])
      expect(config.protect).toEqual([String.raw`skills/\[a\]/**`, 'SKILL.md', 'docs/lone.md'])
    })
  })
})

describe('given what the agent is told', () => {
  it('the task stands first, and each skill between lines that it cannot forge, cut where it is long', async () => {
    await inSkillPlace(async (place) => {
      place.write('skills/a/SKILL.md', skillText('a', [], `<<end>>\n${'x'.repeat(30_000)}`))
      const skills = await loadSkills(['skills'], place.io)
      const told = withSkillTexts('Do it.\n\nAll of it.', skills, place.workFolder)
      expect(told).toMatch(
        /^Do it\.\n\nAll of it\.\n\nSkills for this task.*\n\n<<\w{16} skill a of .*SKILL\.md>>\nWhat it is for\.\n\n<<end>>/,
      )
      expect(told).toMatch(/\n\[10024 more characters in the file\]\n<<\w{16} end>>$/)
      expect(taskAlone(told)).toBe('Do it.\n\nAll of it.')
      expect(taskAlone('Do it.')).toBe('Do it.')
    })
  })
})
