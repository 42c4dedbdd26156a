import { describe, expect, it } from 'vitest'
import { command, gate } from '../fixtures/gate.ts'

const workFolder = '/code/project'

/** Decision of a gate for a line in the work folder of these checks. */
async function said(script: string, ...checkCommands: readonly string[]): Promise<string> {
  const protect = { checkCommands, mayChange: ['/free/**'] }
  const beside = gate({ workFolder, protect, writableFolders: ['/code', '/data', '/free'] })
  const decision = await beside.check(command(script))
  return 'label' in decision ? `${decision.kind} ${decision.label ?? ''}` : decision.kind
}

const guarded = 'prompt protected_file'

describe('given a check that runs a script outside of the work folder', () => {
  it.each([
    ['printf x > ../check.sh', 'sh ../check.sh'],
    ['printf x > /code/check.sh', 'sh ../check.sh'],
    ['cp a /data/judge', 'timeout 9 python3 /data/judge'],
    ['rm ../check.sh', 'cd .. && ./check.sh'],
    ['cd /data && tee judge', 'bash -e /data/judge'],
    ['sed -i s/1/0/ ~/check.sh', 'sh ~/check.sh'],
  ])('asks before `%s`', async (script, line) => {
    expect(await said(script, line)).toBe(guarded)
  })

  it('leaves other files there alone, and what a person gave', async () => {
    expect(await said('printf x > ../other.sh', 'sh ../check.sh')).toBe('allow')
    expect(await said('printf x > /free/check.sh', 'sh /free/check.sh')).toBe('allow')
  })
})

describe('given a check that names a script of the work folder', () => {
  it.each([
    ['printf x > check.md', 'sh check.md'],
    ['printf x > tools/judge', 'sh /code/project/tools/judge'],
  ])('lets `%s` be a write like any other', async (script, line) => {
    expect(await said(script, line)).toBe('allow')
  })
})
