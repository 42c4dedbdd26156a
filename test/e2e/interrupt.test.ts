/** Signals, and two runs in one folder. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { inPlace, lastJson, type Place } from './donecheck.ts'

/** An agent that notes its process id, then works for ever, with a child of its own. */
const endless = `#!/bin/sh
echo $$ >> pids.txt
sleep 1000 &
echo $! >> pids.txt
echo working
wait
`
const words = ['run', '--until', 'test -e done.txt', '--agent', 'sh agent.sh', 'Work.'] as const

function processesOf({ folder }: Place): readonly number[] {
  return readFileSync(join(folder, 'pids.txt'), 'utf8').trim().split('\n').map(Number)
}

function isRunning(processId: number): boolean {
  return existsSync(`/proc/${processId}`) && !readFileSync(`/proc/${processId}/stat`, 'utf8').includes(') Z ')
}

describe('given a run whose agent works for ever', () => {
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    it(`when ${signal} comes, then it ends as user_interrupt, leaves no child, and can be resumed`, async () => {
      await inPlace({ 'agent.sh': endless }, async (place) => {
        const started = place.start([...words, '--events'])
        await started.shows('"model-called"')
        await expect
          .poll(() => existsSync(join(place.folder, 'pids.txt')) && processesOf(place).length)
          .toBe(2)
        started.child.kill(signal)
        const ended = await started.ended
        expect(ended.exitCode).toBe(130)
        expect(lastJson(ended)).toMatchObject({
          type: 'result',
          reason: 'user_interrupt',
          outcome: 'interrupted',
        })
        expect(processesOf(place).filter(isRunning)).toEqual([])
        await place.write('agent.sh', 'cat > prompt.txt; touch done.txt; echo finished')
        const resumed = await place.run(['resume', 'last'])
        expect(resumed.stdout).toContain('→ verified after 1 turn')
        expect(resumed.exitCode).toBe(0)
        expect(readFileSync(join(place.folder, 'prompt.txt'), 'utf8')).toContain('look before you repeat')
      })
    })
  }

  it('when a second SIGINT comes, then everything ends at once and no event is lost', async () => {
    const stubborn = `trap '' TERM INT\n${endless.replace('wait', 'while :; do wait; done')}`
    await inPlace({ 'agent.sh': stubborn }, async (place) => {
      const started = place.start([...words, '--json'])
      await expect.poll(() => existsSync(join(place.folder, 'pids.txt')) && processesOf(place).length).toBe(2)
      started.child.kill('SIGINT')
      await started.shows('once more ends it at once')
      started.child.kill('SIGINT')
      const ended = await started.ended
      expect(ended.exitCode).toBe(130)
      expect(lastJson(ended)).toMatchObject({ type: 'result', outcome: 'interrupted' })
      await expect.poll(() => processesOf(place).filter(isRunning)).toEqual([])
      const events = await place.run(['show', 'last', '--json'])
      expect(events.stdout).toContain('"model-called"')
    })
  })

  it('when a second run begins in the same folder, then it is refused and the holder is named', async () => {
    await inPlace({ 'agent.sh': endless }, async (place) => {
      const started = place.start(words)
      await started.shows('turn 1')
      const second = await place.run(words)
      expect(second.exitCode).toBe(2)
      expect(second.stderr).toContain(`is held by process ${started.child.pid}`)
      expect(second.stderr).toContain('DONECHECK_ALLOW_CONCURRENT=true')
      started.child.kill('SIGINT')
      await started.ended
    })
  })

  it('when another process resumes it meanwhile, then that is refused and the holder is named', async () => {
    await inPlace({ 'agent.sh': endless }, async (place) => {
      const started = place.start(words)
      await started.shows('turn 1')
      const second = await place.run(['resume', 'last', 'DONECHECK_ALLOW_CONCURRENT=true'])
      expect(second.exitCode).toBe(2)
      expect(second.stderr).toContain(`is held by process ${started.child.pid}`)
      started.child.kill('SIGINT')
      await started.ended
    })
  })

  it('when it is killed hard, then the next process takes it over at once', async () => {
    await inPlace({ 'agent.sh': endless }, async (place) => {
      const started = place.start(words)
      await started.shows('turn 1')
      await expect.poll(() => existsSync(join(place.folder, 'pids.txt')) && processesOf(place).length).toBe(2)
      started.child.kill('SIGKILL')
      await started.ended
      // Nobody is left to end what the killed process had started.
      for (const processId of processesOf(place)) process.kill(processId, 'SIGKILL')
      await place.write('agent.sh', 'touch done.txt; echo finished')
      const resumed = await place.run(['resume', 'last'])
      expect(resumed.stdout).toContain('→ verified')
      expect(resumed.exitCode).toBe(0)
    })
  })
})
