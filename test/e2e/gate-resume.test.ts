/** The policy of a run is that of its start: whatever the agent writes meanwhile, and whoever goes on from where. */
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'
import { mends, readRecord, shell, shop, type Step, type Story } from './gate-run.ts'
import { says, withModelServer } from './model-server.ts'

const files = {
  ...shop,
  '.donecheck/rules/project.rules': 'prefix_rule(pattern=["make"], decision="forbidden")\n',
  'agent.rules': 'prefix_rule(pattern=["deploy"], decision="forbidden")\n',
}

/** No gate can see what a script will write. */
const rewrite = (path: string, text: string) =>
  shell(`node -e 'require("fs").writeFileSync("${path}", ${JSON.stringify(text)})'`)

const loosens = [rewrite('.donecheck/rules/project.rules', ''), rewrite('agent.rules', '')]
/** What the guard of the checks would not let pass. */
const restores = rewrite('.donecheck/rules/project.rules', files['.donecheck/rules/project.rules'])

/** `run` up to a cap, then `resume` with the words. */
function resumed(
  steps: readonly Step[],
  words: readonly string[],
  again: readonly string[] = [],
): Promise<Story> {
  return inPlace(files, (place) =>
    withModelServer(steps, says('Done.'), async ({ baseUrl, requests }) => {
      const model = ['--base-url', baseUrl, '--model', 'fake-model', '--final-summary', 'off']
      const line = ['run', '--until', 'sh check.sh', ...model, '--rules', 'agent.rules', ...words, 'Mend it.']
      const first = await place.run(line)
      expect(first.stdout).toContain('hard_cap: turn limit reached')
      const ended = await place.run(['resume', 'last', '--top-up', 'turns=20', ...again])
      return { ended, ...(await readRecord(place, requests())) }
    }),
  )
}

describe('given an agent that writes into the files of the rules', () => {
  it('its run goes on by the rules of the start, also after a resume', async () => {
    const tries = [...loosens, shell('make all'), shell('ls'), shell('deploy now'), restores]
    const story = await resumed(
      [...tries, ...tries, mends],
      ['--sandbox', 'off', '--yes', '--max-turns', String(tries.length)],
    )
    const labels = story.statuses.map(({ refusal }) => refusal?.label)
    const none = undefined
    const ofTries = [none, none, 'policy_forbidden', none, 'policy_forbidden', none]
    expect(labels).toEqual([...ofTries, ...ofTries, none])
    expect(story.ended.stdout).toContain('→ verified after')
    expect(story.ended.exitCode).toBe(0)
  })
})

describe('given a run that is resumed', () => {
  it('its flags are those of the start, and --trace shows what they decide', async () => {
    const story = await resumed(
      [shell('ls'), shell('rm $leftovers'), mends],
      ['--approval', 'never', '--max-turns', '1'],
      ['--trace'],
    )
    expect(story.statuses[1]?.refusal).toMatchObject({ by: 'gate', label: 'opaque_command' })
    expect(story.ended.stderr).toContain('gate: forbidden (opaque_command)')
    expect(story.ended.exitCode).toBe(0)
  })
})
