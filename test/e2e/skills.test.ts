/** A skill over a real model server: its conditions end the run, its text is told, and what it may not do is held. */
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'
import { calls, says, withModelServer } from './model-server.ts'

const skill = `---
name: monthly-report
description: Write the report of a month.
---
# How
Read data.csv, then write report.json.
## Verification
- \`sh scripts/total.sh\` passes
- \`report.json\` matches \`report.schema.json\`
- The summary is friendly
`
const files = {
  'skills/monthly-report/SKILL.md': skill,
  'skills/monthly-report/scripts/total.sh': 'grep -q "$(cat skills/monthly-report/wanted.txt)" report.json',
  'skills/monthly-report/wanted.txt': '42',
  'skills/monthly-report/report.schema.json': '{"type":"object","required":["total"]}',
}
const writes = (path: string, content: string) => calls('write_file', { path, content })

describe('given a skill with conditions of completion', () => {
  it('a run that is resumed has the same conditions, whatever has become of the skill', async () => {
    await inPlace(files, async (place) => {
      const steps = ['{"sum":42}', '{"all":42}', '{"total":42}'].map((text) => writes('report.json', text))
      await withModelServer(steps, says('Done.'), async ({ baseUrl }) => {
        const model = ['--base-url', baseUrl, '--model', 'fake-model', '--yes', '--max-turns', '1']
        const begun = await place.run([
          'run',
          '--skill',
          'skills',
          ...model,
          '--final-summary',
          'off',
          'Write it.',
        ])
        expect(begun.exitCode).toBe(3)
        await place.write('skills/monthly-report/SKILL.md', '# gone')
        await place.write('skills/monthly-report/report.schema.json', '{}')
        const goOn = () => place.run(['resume', 'last', '--top-up', 'turns=1'])
        const second = await goOn()
        expect(second.stderr).toContain('report.json')
        expect(second.exitCode).toBe(3)
        expect((await goOn()).exitCode).toBe(0)
      })
    })
  })

  it.each([
    ['there is no skill', ['--skill', 'nowhere']],
    ['S.md:2: "?" is no line', ['--skill', 'S.md']],
  ])('says "%s" where it cannot be used', async (message, words) => {
    await inPlace({ 'S.md': '---\n?\n---\n' }, async (place) => {
      const ended = await place.run(['run', ...words, '--until', 'true', '--agent', 'true', 'x'])
      expect(ended.stderr).toContain(message)
      expect(ended.exitCode).toBe(2)
    })
  })
})
