import { fc, test } from '@fast-check/vitest'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../base/index.ts'
import type { Amendment, GateRequest } from '../../ports/gate.ts'
import { command, gate, request } from './fixtures/gate.ts'
import { rule } from './fixtures/gate-context.ts'
import type { PolicyGateOptions } from './context.ts'

describe('given a call of which only the effect is known', () => {
  it.each([
    ['never', 'execute', 'allow'],
    ['on-request', 'read', 'allow'],
    ['on-request', 'write', 'prompt'],
    ['on-request', 'execute', 'prompt'],
    ['untrusted', 'write', 'prompt'],
    ['all', 'read', 'prompt'],
  ] as const)('under "%s" and with effect "%s": %s', async (approval, effect, kind) => {
    expect((await gate({ approval }).check(request(undefined, effect))).kind).toBe(kind)
  })
})

describe('given one of the checks of the run', () => {
  const own = { ownChecks: ['npm test'], sandbox: { isConfined: false } } as const
  const decide = async (script: string, given: Partial<PolicyGateOptions> = {}) =>
    (await gate({ ...own, ...given }).check(command(script))).kind

  it.each(['on-request', 'untrusted', 'writes', 'never'] as const)(
    'runs without a question under "%s", and another line does not',
    async (approval) => {
      expect(await decide('npm test 2>&1 | tail -20', { approval })).toBe('allow')
      expect(await decide('npm test -- --update-snapshots', { approval })).toBe(
        approval === 'never' ? 'allow' : 'prompt',
      )
    },
  )

  it('may leave the sandbox, as the check itself runs outside', async () => {
    const confined = gate({ ...own, sandbox: { isConfined: true } })
    expect(await confined.check(command('npm test', undefined, true))).toMatchObject({
      kind: 'allow',
      outsideSandbox: true,
      isOwnCheck: true,
    })
  })

  it('is refused where a rule forbids it, and asked for where every call is', async () => {
    expect(await decide('npm test', { rules: [rule('npm test', 'forbidden')] })).toBe('forbidden')
    expect(await decide('npm test', { approval: 'all' })).toBe('prompt')
  })
})

describe('given somebody with permissions of its own', () => {
  const asked = async (
    { action, effect, ...one }: GateRequest,
    given: Partial<PolicyGateOptions> = {},
  ): Promise<string> => {
    const unconfined = gate({ sandbox: { isConfined: false }, ...given })
    const request = { ...one, effect, ...(action && { action }), hasOwnPermissions: true as const }
    return (await unconfined.check(request)).kind
  }

  it('leaves to them what no rule knows', async () => {
    expect(await asked(command('mytool a'))).toBe('allow')
    expect(await asked(request(undefined, 'execute'))).toBe('allow')
    expect(await asked(request(undefined, 'write'))).toBe('allow')
  })

  it.each([
    ['a rule forbids', 'mytool a', 'forbidden', { rules: [rule('mytool', 'forbidden')] }],
    ['a rule wants asked', 'mytool a', 'prompt', { rules: [rule('mytool', 'prompt')] }],
    ['a built-in rule forbids', 'rm -rf /', 'forbidden', {}],
    ['a built-in rule wants asked', 'git push -f', 'prompt', {}],
    ['reads what is private', 'cat ~/.ssh/id_rsa', 'prompt', {}],
    ['is to be asked in any case', 'mytool a', 'prompt', { approval: 'untrusted' }],
  ] as const)('does not leave to them what %s', async (_, script, kind, given) => {
    expect(await asked(command(script), given)).toBe(kind)
  })

  it('asks for a call of which only the effect is known, where every such call is to be asked for', async () => {
    expect(await asked(request(undefined, 'write'), { approval: 'writes' })).toBe('prompt')
  })
})

describe('given a line that is allowed because of what its programs do', () => {
  it.each([
    ['echo x', 'it only reads'],
    ['grep x a 2> /dev/null', 'it only reads'],
    ['echo x > a', 'it only reads, and writes to files that are open to it'],
  ])('then the reason is true of the whole line: %s', async (script, reason) => {
    expect(await gate().check(command(script))).toMatchObject({ kind: 'allow', reason })
  })
})

describe('given what may be proposed', () => {
  const proposed = async (
    script: string,
    prefix?: readonly string[],
    given: Partial<PolicyGateOptions> = {},
  ): Promise<Amendment | undefined> =>
    (await gate({ approval: 'untrusted', ...given }).check(command(script, prefix))).amendment

  it('is none where the gate is made for one call: no answer is kept', async () => {
    expect(await proposed('npm run build', undefined, { isForOneCall: true })).toBeUndefined()
    expect(await proposed('npm run build')).toEqual({ prefix: ['npm', 'run', 'build'] })
  })

  it('takes what the model proposes where it is safe and allows all of it', async () => {
    expect(await proposed('mytool a b', ['mytool', 'a'])).toEqual({ prefix: ['mytool', 'a'] })
    expect(await proposed('cd x && mytool a b', ['mytool', 'a'])).toEqual({ prefix: ['mytool', 'a'] })
    expect(await proposed('python run.py', ['python'])).not.toEqual({ prefix: ['python'] })
    expect(await proposed('mytool a', ['other'])).toEqual({ prefix: ['mytool', 'a'] })
  })

  it.each([
    ['two commands that no rule covers', 'mytool a && yourtool b'],
    ['words that are not known', 'mytool $x'],
    ['a question of a built-in rule', 'git push -f'],
    ['a question about a file', 'mytool > test/a.test.ts'],
    ['an interpreter', "python -c 'x'"],
  ])('proposes nothing for %s', async (_, script) => {
    expect(await proposed(script)).toBeUndefined()
  })

  it('proposes nothing where a rule asks, or where every call is asked for', async () => {
    expect(await proposed('mytool a', undefined, { rules: [rule('mytool', 'prompt')] })).toBeUndefined()
    expect(await proposed('mytool a', undefined, { approval: 'all' })).toBeUndefined()
  })
})

describe('given a gate that only watches', () => {
  it('allows everything inside of the sandbox, and says what it would have been', async () => {
    const one = gate({ mode: 'shadow' })
    expect(await one.check(command('rm -rf /'))).toMatchObject({
      kind: 'allow',
      shadow: 'forbidden',
      label: 'dangerous_command',
      matches: [
        { rule: 'built-in: removal of everything' },
        { rule: 'built-in: forced removal' },
        { rule: 'built-in: recursive removal' },
      ],
    })
    const leaving = await one.check(command('npm ci', undefined, true))
    expect(leaving).toMatchObject({ kind: 'allow', shadow: 'prompt' })
    expect(leaving.outsideSandbox).toBeUndefined()
    expect((await one.check(command('ls'))).shadow).toBe('allow')
  })
})

describe('given a gate that fails', () => {
  it('forbids', async () => {
    const canBeMadeAgain = () => {
      throw new Error('the disk is gone')
    }
    expect(await gate({ canBeMadeAgain }).check(command('rm -rf dist'))).toEqual({
      kind: 'forbidden',
      label: 'gate_failed',
      reason: 'the gate failed, and so nothing may run: the disk is gone',
    })
  })

  it('forbids what is no request', async () => {
    const nonsense = { ...request(undefined), action: { kind: 'command' } } as unknown as GateRequest
    expect((await gate().check(nonsense)).label).toBe('gate_failed')
  })

  it.each([
    [{ workFolder: 'here' }, 'must be absolute'],
    [{ approval: 'sometimes' as never }, 'approval is "sometimes"'],
    [{ approval: { granular: { rules: true } } as never }, 'says nothing of sandbox_approval'],
  ])('is not made from what cannot be meant', (given, problem) => {
    expect(() => gate(given)).toThrow(UsageError)
    expect(() => gate(given)).toThrow(problem)
  })
})

describe('given any line', () => {
  const pieces = fc.constantFrom(
    ...[...'rm -rf --force && | ; ( ) $x $( ` " > <<E ~ / { }'.split(' '), 'git push', "'", '\n', 'sh -c'],
  )
  const line = fc.oneof(
    fc.string({ maxLength: 60 }),
    fc.array(pieces, { maxLength: 12 }).map((all) => all.join(' ')),
  )

  test.prop([line, fc.constantFrom('never', 'on-request', 'untrusted', 'all')])(
    'a decision comes, never a fault',
    async (script, approval) => {
      const decision = await gate({ approval }).check(command(script))
      expect(decision.label).not.toBe('gate_failed')
      if (approval === 'never') expect(decision.kind).not.toBe('prompt')
      if (approval === 'all') expect(decision.kind).not.toBe('allow')
    },
  )

  test.prop([line])('what is added to a line never makes it milder', async (script) => {
    const decision = await gate({ rules: [rule('git push', 'forbidden')] }).check(
      command(`git push; ${script}`),
    )
    expect(decision.kind).toBe('forbidden')
  })

  test.prop([line])('no rule that allows makes anything stricter', async (script) => {
    const severity = { allow: 0, prompt: 1, forbidden: 2 }
    const without = await gate({ approval: 'untrusted' }).check(command(script))
    const allowing = await gate({
      approval: 'untrusted',
      rules: [rule('rm', 'allow'), rule('git', 'allow')],
    }).check(command(script))
    expect(severity[allowing.kind]).toBeLessThanOrEqual(severity[without.kind])
  })
})
