/** An agent that speaks as Claude Code does, and does what no honest one would. */
import { describe, expect, it } from 'vitest'
import { lastJson } from './donecheck.ts'
import { calls, init, isAlive, noted, result, returned, says, withAgent } from './fake-claude.ts'

describe('given an agent that floods or lies', () => {
  it('reads past garbage and a line of 20 MB', async () => {
    const flood = `echo 'Warning: {not json'; head -c 20000000 /dev/zero | tr '\\0' x; echo; printf '\\377\\376\\n'\n`
    await withAgent(`${flood}${says(init)}${flood}touch done.txt\n${says(result)}`, async (_, run) => {
      const ended = await run()
      expect(ended.exitCode, ended.output).toBe(0)
    })
  })

  it('takes an end that nobody has told for no claim', async () => {
    await withAgent(`${says(init)}touch done.txt; exit 0\n`, async (_, run) => {
      const ended = await run('--max-turns', '1', 'DONECHECK_COMPLETE_WHEN=checks-and-claim')
      expect(ended.stdout).toContain('said nothing of the end of its turn')
    })
  })

  it('ends at the first call that ran without a question, although calls are made for ever and nobody listens', async () => {
    const loop = `i=0; while :; do i=$((i+1)); printf '%s\\n' "$(sed "s/ID/$i/g" "$HOME/round")"; sleep 0.05; done\n`
    const round = `${JSON.stringify(calls('ID'))}\n${JSON.stringify(returned('ID'))}\n`
    const script = `trap '' TERM; echo $$ > "$HOME/pid"\nprintf '%s' '${round}' > "$HOME/round"\n${says(init)}${loop}`
    await withAgent(script, async (place, run) => {
      const ended = await run()
      expect(ended.exitCode, ended.output).toBe(70)
      expect(lastJson(ended)).toMatchObject({ reason: 'error', turns: 1 })
      expect(ended.stdout).toContain('call_ran_unasked')
      expect(isAlive(noted(place, 'pid'))).toBe(false)
    })
  })

  it('does not wait for a daemon that holds its output', async () => {
    const script = `${says(init)}setsid sleep 1000 & echo $! > "$HOME/pid"\ntouch done.txt\n${says(result)}`
    await withAgent(script, async (place, run) => {
      const ended = await run()
      expect(ended.exitCode, ended.output).toBe(0)
      const processId = noted(place, 'pid')
      if (isAlive(processId)) process.kill(Number(processId), 'SIGKILL')
    })
  })

  it('ends a turn that hangs, with all that it has started', async () => {
    const script = `trap '' TERM; sleep 1000 & echo $! > "$HOME/pid"\n${says(init)}while :; do wait; done\n`
    await withAgent(script, async (place, run) => {
      const ended = await run('DONECHECK_AGENT_TIMEOUT_SECONDS=1', '--max-turns', '1')
      expect(ended.exitCode, ended.output).toBe(3)
      expect(ended.stdout).toContain('did not end within 1 s')
      expect(isAlive(noted(place, 'pid'))).toBe(false)
    })
  })
})
