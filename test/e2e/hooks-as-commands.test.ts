/** Commands of the configuration at the points of the loop: they refuse, rewrite and veto, and their scripts are not the agent's. */
import { describe, expect, it } from 'vitest'
import { inPlace } from './donecheck.ts'
import { mends, shell, tell, writes } from './gate-run.ts'

const guard = `input=$(cat)
case "$input" in *"rm -rf"*) echo "nothing is removed here" >&2; exit 2;; esac
`
const config = { hooks: { before_tool_call: 'sh guard.sh', run_ended: 'cat > ended.json' } }
const files = { 'donecheck.config.json': JSON.stringify(config), 'guard.sh': guard }

describe('given a guard that the configuration names', () => {
  it('when the agent rewrites it, then no call passes any more', async () => {
    const steps = [writes('guard.sh', 'exit 0\n'), shell('rm -rf build'), mends]
    const { statuses } = await tell({ steps, files, words: ['--sandbox', 'off', '--max-turns', '4'] })
    for (const { refusal } of statuses.slice(1)) expect(refusal).toMatchObject({ by: 'hook' })
    expect(statuses[1]?.answer).toContain('guard.sh was changed since the run began')
  })

  it('when it is a package script that the agent rewrites, then nothing is verified', async () => {
    const hooks = {
      before_finalize: { command: 'npm run -s guard', onFailure: 'open' },
      run_ended: 'npm run -w other guard',
    }
    const packaged = {
      'donecheck.config.json': JSON.stringify({ hooks }),
      'package.json': JSON.stringify({ scripts: { guard: 'exit 2' } }),
    }
    const steps = [writes('package.json', '{"scripts":{"guard":"exit 0"}}'), mends]
    const { ended } = await tell({
      steps,
      files: packaged,
      words: ['--sandbox', 'off', '--max-turns', '4'],
    })
    expect(ended.exitCode).not.toBe(0)
    expect(ended.stderr).toContain('package.json was changed since the run began')
    expect(ended.stderr).toContain('nothing of the hook "npm run -w other guard" could be fixed')
  })
})

it('given a point that there is not, then nothing is started, and the nearest one is named', async () => {
  const misspelt = { 'donecheck.config.json': JSON.stringify({ hooks: { before_tool_cal: 'true' } }) }
  await inPlace(misspelt, async (place) => {
    const { exitCode, stderr } = await place.run(['run', '--until', 'false', '--agent', 'true', 'x'])
    expect(exitCode).toBe(2)
    expect(stderr).toContain('did you mean "before_tool_call"?')
  })
})
