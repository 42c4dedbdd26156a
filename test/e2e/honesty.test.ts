/** Ways in which a run could come to be called verified without being it. */
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson } from './donecheck.ts'

async function outcomeOf(words: readonly string[], files: Readonly<Record<string, string>> = {}) {
  return inPlace(files, async (place) => {
    const ended = await place.run(['run', ...words, '--json', 'Work.'])
    return lastJson(ended)
  })
}

describe('given a check that was green before', () => {
  const files = { start: 'here\n' }

  for (const check of ['test -e start && echo x > .cache', 'test -e start && date +%N > out.txt']) {
    it(`when "${check}" itself writes into the tree, then that is not the agent's work`, async () => {
      const ended = await outcomeOf(['--until', check, '--agent', 'echo done'], files)
      expect(ended).toMatchObject({ outcome: 'unverified' })
    })
  }

  for (const agent of ['echo half > f; exit 3', 'echo half > f; kill -9 $$']) {
    it(`when the agent "${agent}" crashes at work, then that is not its word that it is done`, async () => {
      const words = ['--until', 'test -e start', '--agent', agent, '--max-turns', '2']
      expect(await outcomeOf(words, files)).toMatchObject({ outcome: 'exhausted' })
    })
  }

  it('when it could not decide at first and an idle agent does nothing, then its passing is no news', async () => {
    const slowOnce = 'test -e warm || { touch warm; sleep 20; false; }'
    const words = ['--until', slowOnce, '--verify-timeout', '1', '--agent', 'echo hello']
    expect(await outcomeOf(words)).toMatchObject({ outcome: 'unverified' })
  })
})

describe('given an agent that writes the configuration of donecheck', () => {
  const evil = 'console.log("PWNED"); export default { store: "elsewhere" }'

  it('then looking at the run and going on with it do not read it', async () => {
    await inPlace({ 'agent.sh': `echo '${evil}' > donecheck.config.ts; echo wrote` }, async (place) => {
      await place.run([
        'run',
        '--until',
        'test -e done.txt',
        '--agent',
        'sh agent.sh',
        '--max-turns',
        '1',
        'Work.',
      ])
      for (const words of [['show', 'last'], ['list'], ['show', 'last', '--json'], ['resume', 'last']]) {
        const ended = await place.run(words)
        expect(ended.stdout + ended.stderr).not.toContain('PWNED')
      }
    })
  })
})

describe('given a store inside the work folder', () => {
  it('then it is refused before anything is written', async () => {
    await inPlace({}, async (place) => {
      const ended = await place.run(['run', '--agent', 'true', '--store', 'record', 'Work.'])
      expect(ended.stderr).toContain('inside the work folder')
      expect(ended.exitCode).toBe(2)
      expect((await place.run(['list', '--store', 'record'])).stdout).toContain('no runs')
    })
  })
})

describe('given a reader that goes away', () => {
  it('then the run goes on to its own end', async () => {
    await inPlace({ 'agent.sh': 'touch done.txt; echo finished' }, async (place) => {
      const started = place.start(['run', '--until', 'test -e done.txt', '--agent', 'sh agent.sh', 'Work.'])
      const exit = new Promise((resolve) => started.child.on('exit', resolve))
      started.ended.catch(() => undefined)
      started.child.stderr?.destroy()
      started.child.stdout?.destroy()
      expect(await exit).toBe(0)
      expect((await place.run(['list'])).stdout).toContain('verified')
    })
  })
})

describe('given a check that does not exist yet', () => {
  it('when the agent still works and writes it, then it is not blocked before, and a name stands for it', async () => {
    const agent =
      'n=$(cat n 2>/dev/null || echo 0); echo $((n+1)) > n; [ $n -lt 3 ] || printf "#!/bin/sh\\ntest -e n\\n" > check.sh; [ $n -lt 3 ] || chmod +x check.sh; echo step'
    const words = ['--until', './check.sh', '--agent', agent, '--max-turns', '8']
    const allowed = await outcomeOf([...words, '--may-change', 'check.sh'])
    expect(allowed).toMatchObject({ outcome: 'verified', turns: 4 })
    expect(await outcomeOf(words)).toMatchObject({ outcome: 'blocked', reason: 'awaiting_approval' })
  })
})
