import { describe, expect, it } from 'vitest'
import { type ApprovalPolicy, settle } from '../objections.ts'
import { decided } from '../fixtures/decided.ts'
import { rule, gateContext } from '../fixtures/gate-context.ts'
import type { PolicyRule } from '../rules/rule.ts'
import { prefixRule } from '../rules/make-rule.ts'
import { examineLine } from './examine-line.ts'
import type { GateContext } from '../context.ts'

describe('given rules', () => {
  it('allows where every command is allowed or only reads', () => {
    const rules = [rule('npm test', 'allow')]
    expect(decided('cd web && npm test | tail', 'untrusted', rules)).toBe('allow')
    expect(decided('timeout 9 npm test', 'untrusted', rules)).toBe('allow')
    expect(decided('npm test && node x', 'untrusted', rules)).toBe('prompt approval_required')
    expect(decided('npm test $x', 'untrusted', rules)).toBe('prompt approval_required')
    expect(decided('npm test; eval "$x"', 'on-request', rules)).toBe('prompt opaque_command')
  })

  it.each([
    ['(git push)'],
    ['f() { git push; }; f'],
    ['echo `git push`'],
    ['"git" push'],
    ['sudo -n git push'],
    ['find . -exec git push \\;'],
    ["dash -c 'git push'"],
    ["bash -i -c 'git push'"],
    ['git push $x'],
    ['bash <<E\ngit push\nE'],
    ['git push; ('],
  ])('finds what is forbidden in %s', (script) => {
    expect(decided(script, 'never', [rule('git push', 'forbidden')])).toBe('forbidden policy_forbidden')
  })

  it('lets the most severe win, whatever its layer and its length', () => {
    const rules = [
      rule('git', 'forbidden', { layer: 'project' }),
      rule('git status', 'allow', { layer: 'run' }),
    ]
    expect(decided('git status', 'on-request', rules)).toBe('forbidden policy_forbidden')
    expect(decided('git pull', 'never', [rule('git', 'allow'), rule('git pull', 'prompt')])).toBe(
      'forbidden approval_unavailable',
    )
  })

  it('suspects words that are only known when it runs where a rule could forbid them', () => {
    const rules = [rule('npm publish', 'forbidden')]
    expect(decided('npm $x', 'on-request', rules)).toBe('prompt opaque_command')
    expect(decided('node $x', 'on-request', [rule('node secret.js', 'forbidden')])).toBe(
      'prompt opaque_command',
    )
    expect(decided('node a.js $x', 'on-request', [rule('node secret.js', 'forbidden')])).toBe('allow')
  })

  it('says which words of which rule it was', () => {
    const rules = [rule('git push', 'prompt', { justification: 'others look at it' })]
    const { matches, objections } = examineLine('ls && git  push origin', gateContext('on-request', rules))
    expect(matches).toEqual([
      {
        rule: 'prefix_rule git push',
        decision: 'prompt',
        source: 'user rules default.rules:3',
        words: ['git', 'push'],
        span: [6, 15],
        justification: 'others look at it',
      },
    ])
    expect(objections[0]?.reason).toBe('`git push origin` requires approval: others look at it')
  })

  it.each([
    [rule('git push', 'forbidden'), 'rejected: policy forbids commands starting with `git push`'],
    [rule('git push', 'forbidden', { justification: 'no' }), 'rejected: no'],
    [rule('git push', 'prompt'), 'requires approval by policy'],
  ])('is worded as in the reference', (one, words) => {
    const { objections } = examineLine('git push x', gateContext('on-request', [one]))
    expect(objections[0]?.reason).toBe(`\`git push x\` ${words}`)
  })
})

describe('given rules of a user and built-in ones', () => {
  const exception = rule('git push', 'allow', { overridesBuiltInRules: true })

  it('does not let an ordinary rule weaken a built-in one', () => {
    expect(decided('git push -f', 'on-request', [rule('git', 'allow')])).toBe('prompt dangerous_command')
  })

  it('lets a person take a command out of it, and nobody else', () => {
    expect(decided('git push -f', 'on-request', [exception])).toBe('allow')
    expect(
      decided('git push -f', 'never', [
        rule('git push', 'allow', { overridesBuiltInRules: true, layer: 'run' }),
      ]),
    ).toBe('allow')
    expect(
      decided('git push -f', 'on-request', [
        rule('git push', 'allow', { overridesBuiltInRules: true, layer: 'project' }),
      ]),
    ).toBe('prompt dangerous_command')
    expect(decided('git push -f $x', 'on-request', [exception])).toBe('prompt dangerous_command')
  })

  it('is written in TypeScript, and only of what allows', () => {
    const typed = prefixRule({ pattern: ['git', 'push'], overridesBuiltInRules: true })
    expect(decided('git push -f', 'on-request', [typed])).toBe('allow')
    expect(() => prefixRule({ pattern: ['git'], decision: 'prompt', overridesBuiltInRules: true })).toThrow(
      'overridesBuiltInRules',
    )
  })

  it('lets nobody take out what is always forbidden', () => {
    const rules = [rule('rm', 'allow', { overridesBuiltInRules: true })]
    expect(decided('rm -rf dist', 'on-request', rules)).toBe('allow')
    expect(decided('rm -rf /', 'on-request', rules)).toBe('forbidden dangerous_command')
  })

  it('lets a stricter rule win over the exception', () => {
    expect(decided('git push -f', 'on-request', [exception, rule('git', 'forbidden')])).toBe(
      'forbidden policy_forbidden',
    )
  })
})

describe('given rules about paths', () => {
  const source = { layer: 'user', file: 'a', line: 1 } as const
  const path = (
    paths: readonly string[],
    decision: 'allow' | 'prompt' | 'forbidden',
    layer: 'user' | 'project' = 'user',
  ) => ({ kind: 'path', paths, decision, source: { ...source, layer } }) as const

  it('holds for redirections and for arguments', () => {
    const rules = [path(['secret/**'], 'forbidden'), path(['/var/x/*'], 'prompt')]
    expect(decided('echo x > secret/a', 'never', rules)).toBe('forbidden policy_forbidden')
    expect(decided('cd secret; echo x > a', 'never', rules)).toBe('forbidden policy_forbidden')
    expect(decided('tee -a secret/a', 'never', rules)).toBe('forbidden policy_forbidden')
    expect(decided('echo x > /var/x/a', 'on-request', rules)).toMatch('prompt')
  })

  it('lets a person give places free, and not the project', () => {
    expect(decided('echo x > ../out/a', 'on-request', [path(['/code/out/**'], 'allow')])).toBe('allow')
    expect(decided('echo x > ../out/a', 'on-request', [path(['/code/out/**'], 'allow', 'project')])).toMatch(
      'prompt',
    )
    expect(decided('echo x > /etc/hosts', 'on-request', [path(['/etc/**'], 'allow')])).toBe(
      'prompt dangerous_command',
    )
  })
})

describe('given a line that asks to leave the sandbox', () => {
  const escalation = { reason: 'it needs the network' }
  const settled = (
    approval: ApprovalPolicy,
    given: Partial<GateContext> = {},
    rules: readonly PolicyRule[] = [],
  ) => {
    const { objections } = examineLine('npm ci', gateContext(approval, rules, given), escalation)
    return settle(objections, approval, 'fine')
  }

  it('is asked for, even where a rule allows the command', () => {
    expect(settled('on-request').reason).toBe(
      '`npm ci` asks to run outside of the sandbox: it needs the network',
    )
    expect(settled('on-request', {}, [rule('npm', 'allow')]).kind).toBe('prompt')
    expect(settled('never')).toMatchObject({ kind: 'forbidden', label: 'approval_unavailable' })
  })

  it('is nothing special where there is no sandbox', () => {
    expect(settled('never', { isConfined: false }).kind).toBe('allow')
  })

  it('is not asked again for what a person has let out', () => {
    expect(settled('on-request', { mayLeave: [['npm', 'ci']] }).kind).toBe('allow')
    expect(settled('on-request', { mayLeave: [['npm', 'test']] }).kind).toBe('prompt')
  })
})

describe('given granular approval', () => {
  const only = (kind: string): ApprovalPolicy => ({
    granular: {
      rules: kind === 'rules',
      sandbox_approval: kind === 'sandbox_approval',
      opaque: kind === 'opaque',
      changes: kind === 'changes',
    },
  })

  it.each([
    ['git pull', 'rules', 'approval_required', 'approval_unavailable'],
    ['rm -rf a', 'rules', 'dangerous_command', 'dangerous_command'],
    ['eval "$x"', 'opaque', 'opaque_command', 'opaque_command'],
    ['echo x > ../a', 'sandbox_approval', 'outside_work_folder', 'outside_work_folder'],
  ])('%s is a question of the kind %s', (script, kind, label, refused) => {
    const rules = [rule('git pull', 'prompt')]
    expect(decided(script, only(kind), rules)).toBe(`prompt ${label}`)
    expect(decided(script, only('none'), rules)).toBe(`forbidden ${refused}`)
    expect(decided('npm test', only('none'), rules)).toBe('allow')
  })
})
