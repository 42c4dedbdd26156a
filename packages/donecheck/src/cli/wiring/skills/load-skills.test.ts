import { symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '@donecheck/engine/internal/base'
import { inSkillPlace, skillText } from './fixtures/skill-folder.ts'
import { loadSkills } from './use-skills.ts'

describe('given places of skills', () => {
  it('a file, its folder and the folder above mean the same, once', async () => {
    await inSkillPlace(async ({ io, write, skills }) => {
      write('skills/b/SKILL.md', skillText('bee', []))
      write('skills/a/SKILL.md', '# no front matter')
      write('skills/notes/README.md', '')
      write('skills/lone.md', skillText('', []))
      symlinkSync(join(skills, 'a'), join(skills, 'link'))
      const names = async (...places: string[]) => (await loadSkills(places, io)).map(({ name }) => name)
      expect(await names('skills/b/SKILL.md', 'skills/b')).toEqual(['bee'])
      expect(await names('skills')).toEqual(['a', 'bee'])
      expect(await names('skills/lone.md')).toEqual(['lone'])
    })
  })

  it.each(['nothing', 'work', 'a\0b', ''])('says that there is no skill at %j', async (place) => {
    await inSkillPlace(async ({ io }) => {
      await expect(loadSkills([place], io)).rejects.toThrow(UsageError)
    })
  })

  it('names the file and the line of one that cannot be read', async () => {
    await inSkillPlace(async ({ io, write }) => {
      write('skills/a/SKILL.md', '---\nname: a\n?\n---')
      await expect(loadSkills(['skills'], io)).rejects.toThrow(/skills\/a\/SKILL\.md:3: "\?" is no line/)
    })
  })
})
