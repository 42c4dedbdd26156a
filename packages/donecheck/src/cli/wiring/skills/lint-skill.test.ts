import { describe, expect, it } from 'vitest'
import { inSkillPlace, skillText } from './fixtures/skill-folder.ts'
import { loadSkills } from './use-skills.ts'
import { lintSkill } from '../../commands/run/skill.ts'

const lint = (text: string, hasJudge = false) =>
  inSkillPlace(async ({ io, write, workFolder }) => {
    write('skills/a/SKILL.md', text)
    write('work/there.sh', '')
    const [skill] = await loadSkills(['skills/a'], io)
    if (skill === undefined) throw new TypeError('there is no skill')
    const { problems } = await lintSkill(skill, workFolder, hasJudge, io)
    return problems.map(({ level, line, message }) => `${level} ${line}: ${message}`)
  })

describe('given a skill', () => {
  it('that says all, there is nothing to say of it', async () => {
    const conditions = ['- `test -f x && sh there.sh` passes', '- `./there.sh` passes', '- `a.md` exists']
    expect(await lint(skillText('a', conditions))).toEqual([])
  })

  it.each([
    [
      '# A\n## Verification\n- `a.md` exists',
      ['error 1: there is no front matter; begin with ---, name, description and ---'],
    ],
    [
      '---\nnam: a\n---\n## Verify\n- `a.md` exists',
      [
        'error 1: the front matter has no name',
        'error 1: the front matter has no description',
        'warning 1: unknown key "nam"; did you mean "name"?',
      ],
    ],
    [skillText('b', ['- `a.md` exists']), ['warning 1: it calls itself "b", and its folder is "a"']],
    [
      skillText('a', []),
      ['error null: it says nowhere when it is done; write conditions under "## Verification"'],
    ],
    [
      skillText('a', ['- `no-such-program-here --x` passes', '- `./gone.sh` passes']),
      [
        'error 8: there is no program no-such-program-here on PATH',
        'error 9: there is no program ./gone.sh in the work folder',
      ],
    ],
    [
      skillText('a', ['- It reads well']),
      ['warning 8: not checked: It reads well (only a reader can say; --judge names a model)'],
    ],
  ])('%j is told what is wrong', async (text, expected) => {
    expect(await lint(text)).toEqual(expected)
  })

  it('with a judge, what only a reader can say is no problem', async () => {
    expect(await lint(skillText('a', ['- It reads well']), true)).toEqual([])
  })
})
