import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import type { GateRequest } from '../../../ports/gate.ts'
import { command, gate, no, request, yes } from '../fixtures/gate.ts'
import { rule } from '../fixtures/gate-context.ts'

const folders: string[] = []
afterEach(async () => {
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true, force: true })
})

async function ruleFile(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'donecheck-gate-'))
  folders.push(folder)
  return join(folder, 'rules', 'default.rules')
}

describe('given an answer for the session', () => {
  it('does not ask for the same line again, and asks for others', async () => {
    const one = gate({ approval: 'untrusted' })
    await one.learn(command('npm test'), yes('session'), undefined)
    expect(await one.check(command('npm test '))).toMatchObject({
      kind: 'allow',
      reason: 'approved by ann for this session',
    })
    expect((await one.check(command('npm test x'))).kind).toBe('prompt')
    expect((await one.check(command('npm test > a'))).kind).toBe('prompt')
    expect((await one.check(command('npm test & npm test'))).kind).toBe('prompt')
  })

  it('does not take a yes to one question for one to another', async () => {
    const one = gate({ approval: 'untrusted' })
    await one.learn(command('npm ci'), yes('session'), undefined)
    expect((await one.check(command('npm ci', undefined, true))).kind).toBe('prompt')
  })

  it('remembers a no', async () => {
    const one = gate({ approval: 'untrusted' })
    await one.learn(command('npm test'), no('session'), undefined)
    expect(await one.check(command('npm test'))).toMatchObject({
      kind: 'forbidden',
      label: 'approval_denied',
      reason: 'denied by ann for this session: not here',
    })
  })

  it('remembers the files of a change', async () => {
    const one = gate({ approval: 'writes' })
    const change = (path: string): GateRequest =>
      request({ kind: 'change', files: [{ path, before: 'a', after: 'b' }] }, 'write')
    await one.learn(change('src/a.ts'), yes('session'), undefined)
    expect((await one.check(change('src/a.ts'))).kind).toBe('allow')
    expect((await one.check(change('src/b.ts'))).kind).toBe('prompt')
  })

  it('keeps nothing of an answer for once', async () => {
    const one = gate({ approval: 'untrusted' })
    await one.learn(command('npm test'), yes('once'), { prefix: ['npm', 'test'] })
    expect((await one.check(command('npm test'))).kind).toBe('prompt')
  })

  it('never takes back what is forbidden', async () => {
    const one = gate({ approval: 'untrusted' })
    await one.learn(command('rm -rf /'), yes('session'), undefined)
    expect((await one.check(command('rm -rf /'))).kind).toBe('forbidden')
    await one.learn(command('rm -rf /'), no('session'), undefined)
    expect((await one.check(command('rm -rf /'))).label).toBe('dangerous_command')
  })
})

describe('given an answer as a rule', () => {
  it('is kept, and holds at once and for a later gate', async () => {
    const file = await ruleFile()
    const one = gate({ approval: 'untrusted', keep: { file } })
    const { amendment } = await one.check(command('npm run build'))
    expect(amendment).toEqual({ prefix: ['npm', 'run', 'build'] })
    await one.learn(command('npm run build'), yes('rule'), amendment)
    await one.learn(command('npm run build'), yes('rule'), amendment)
    expect(await one.check(command('npm run build && ls'))).toMatchObject({
      kind: 'allow',
      reason: 'rules allow all of it',
    })
    expect(await readFile(file, 'utf8')).toBe(
      'prefix_rule(pattern=["npm", "run", "build"], decision="allow")\n',
    )
  })

  it('can be a no', async () => {
    const file = await ruleFile()
    const one = gate({ approval: 'untrusted', keep: { file } })
    await one.learn(command('npm install left-pad'), no('rule'), { prefix: ['npm', 'install'] })
    expect(await one.check(command('cd x && npm install y'))).toMatchObject({
      kind: 'forbidden',
      label: 'policy_forbidden',
    })
    expect(await readFile(file, 'utf8')).toContain('decision="forbidden"')
  })

  it('forbids word for word where nothing was proposed', async () => {
    const file = await ruleFile()
    const one = gate({ keep: { file } })
    await one.learn(command('git push -f'), no('rule'), undefined)
    expect((await one.check(command('git push -f origin'))).label).toBe('policy_forbidden')
    expect(await readFile(file, 'utf8')).toContain('["git", "push", "-f"]')
  })

  it('lasts for the session where there is no file for it', async () => {
    const one = gate({ approval: 'untrusted' })
    await one.learn(command('npm test'), yes('rule'), { prefix: ['npm', 'test'] })
    expect((await one.check(command('npm test'))).kind).toBe('allow')
  })

  it('holds even where it cannot be kept, and says that', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'donecheck-gate-'))
    folders.push(folder)
    await writeFile(join(folder, 'file'), '')
    const one = gate({ approval: 'untrusted', keep: { file: join(folder, 'file', 'default.rules') } })
    await expect(one.learn(command('npm test'), yes('rule'), { prefix: ['npm', 'test'] })).rejects.toThrow()
    expect((await one.check(command('npm test'))).kind).toBe('allow')
  })

  it('lets nothing else out of the sandbox with it', async () => {
    const one = gate()
    await one.learn(command('npm ci', ['npm', 'ci']), yes('rule'), { prefix: ['npm', 'ci'] })
    const kindOf = async (script: string) => (await one.check(command(script, undefined, true))).kind
    expect(await kindOf('cd web && npm ci')).toBe('allow')
    expect(await kindOf('cat /home/ann/.ssh/id_rsa > key; npm ci')).toBe('prompt')
    expect(await kindOf('echo $(<~/.ssh/id_rsa) > key; npm ci')).toBe('prompt')
    expect(await kindOf('FOO=1 npm ci')).toBe('prompt')
  })

  it('lets out of the sandbox in this session alone', async () => {
    const one = gate()
    const asked = await one.check(command('npm ci', ['npm', 'ci']))
    expect(asked).toMatchObject({
      kind: 'prompt',
      outsideSandbox: true,
      amendment: { prefix: ['npm', 'ci'] },
    })
    await one.learn(command('npm ci', ['npm', 'ci']), yes('rule'), asked.amendment)
    expect(await one.check(command('npm ci', undefined, true))).toMatchObject({
      kind: 'allow',
      outsideSandbox: true,
    })
    expect((await one.check(command('npm ci'))).outsideSandbox).toBeUndefined()
    const later = gate({ rules: [rule('npm ci', 'allow')] })
    expect((await later.check(command('npm ci', undefined, true))).kind).toBe('prompt')
  })
})
