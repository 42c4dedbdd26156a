/** The policy as it is asked from a shell. */
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from './donecheck.ts'

const rules = 'prefix_rule(pattern=["git", "push"], decision="forbidden", justification="ask ann")\n'

describe('given rules in a file', () => {
  it('then one command is answered as in the reference, and options behind it are its own', async () => {
    await inPlace({ 'a.rules': rules }, async (place) => {
      const asked = await place.run([
        'policy',
        'check',
        '--rules',
        'a.rules',
        'git',
        'push',
        '--force',
        '--pretty',
      ])
      expect(asked).toMatchObject({ exitCode: 0, stderr: '' })
      expect(lastJson(asked)).toEqual({
        matchedRules: [
          {
            prefixRuleMatch: {
              matchedPrefix: ['git', 'push'],
              decision: 'forbidden',
              justification: 'ask ann',
            },
          },
        ],
        decision: 'forbidden',
      })
    })
  })

  it('then a forbidden command is found wherever it hides in a line', async () => {
    await inPlace({ 'a.rules': rules }, async (place) => {
      const script = `true && (env -i sh -c "git 'push'")`
      const asked = await place.run(['policy', 'check', '-r', 'a.rules', '--script', script])
      expect(lastJson(asked)).toMatchObject({ decision: 'forbidden', label: 'policy_forbidden' })
      const told = await place.run(['policy', 'explain', '-r', 'a.rules', '--script', 'ls; git push'])
      expect(told.stdout).toContain('rejected: ask ann')
      expect(told.stdout).toContain('^^^^^^^^')
    })
  })

  it('then broken rules end with 1, and wrong usage with 2', async () => {
    await inPlace({ 'broken.rules': 'prefix_rule(' }, async (place) => {
      expect((await place.run(['policy', 'check', '-r', 'broken.rules', 'ls'])).exitCode).toBe(1)
      expect((await place.run(['policy', 'check', '-r', 'broken.rules'])).exitCode).toBe(2)
      expect((await place.run(['policy', 'check', '--nonsense', 'ls'])).exitCode).toBe(2)
    })
  })
})

describe('given a project with rules of its own', () => {
  const project = {
    '.donecheck/rules/own.rules': rules,
    'donecheck.config.json': JSON.stringify({
      approval: 'untrusted',
      commandRules: [{ pattern: ['make'], decision: 'forbidden' }],
    }),
  }
  const kindOf = (stdout: string) => (JSON.parse(stdout) as { decision: string }).decision

  it('then a line is decided as a run would decide it, or with --rules-only without them', async () => {
    await inPlace(project, async (place) => {
      const decided = async (script: string, ...more: readonly string[]) =>
        kindOf((await place.run(['policy', 'check', ...more, '--script', script])).stdout)
      expect(await decided('git push')).toBe('forbidden')
      expect(await decided('make')).toBe('forbidden')
      expect(await decided('npm test')).toBe('prompt')
      expect(await decided('git push', '--rules-only')).toBe('allow')
      expect(await decided('git push', '--project-rules', 'off')).toBe('prompt')
      expect((await place.run(['policy', 'check', 'git', 'push'])).stdout).toBe('{"matchedRules":[]}\n')
      expect((await place.run(['policy', 'explain', 'git', 'push'])).stdout).toContain('rejected: ask ann')
    })
  })

  it('then a work folder that is none is wrong usage', async () => {
    await inPlace(project, async (place) => {
      const asked = await place.run(['policy', 'check', '--workdir', 'gone', '--script', 'ls'])
      expect(asked.exitCode).toBe(2)
      expect(asked.stderr).toContain('does not exist')
    })
  })
})
