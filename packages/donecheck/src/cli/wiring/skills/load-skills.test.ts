import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { inSkillPlace, skillText } from './fixtures/skill-folder.ts'
import { loadSkills } from './use-skills.ts'

describe('given places of skills', () => {
  it('a file, its folder and the folder above mean the same, once', async () => {
    await inSkillPlace(({ io, write, skills }) => {
      write('skills/b/SKILL.md', skillText('bee', []))
      write('skills/a/SKILL.md', '# no front matter')
      write('skills/notes/README.md', '')
      write('skills/lone.md', skillText('', []))
      symlinkSync(join(skills, 'a'), join(skills, 'link'))
      const names = (...places: string[]) => loadSkills(places, io).map(({ name }) => name)
      expect(names('skills/b/SKILL.md', 'skills/b')).toEqual(['bee'])
      expect(names('skills')).toEqual(['a', 'bee'])
      expect(names('skills/lone.md')).toEqual(['lone'])
    })
  })

  it.each(['nothing', 'work', 'a\0b', ''])('says that there is no skill at %j', async (place) => {
    await inSkillPlace(({ io }) => {
      expect(() => loadSkills([place], io)).toThrow(UsageError)
    })
  })

  it('names the file and the line of one that cannot be read', async () => {
    await inSkillPlace(({ io, write }) => {
      write('skills/a/SKILL.md', '---\nname: a\n?\n---')
      expect(() => loadSkills(['skills'], io)).toThrow(/skills\/a\/SKILL\.md:3: "\?" is no line/)
    })
  })
})
