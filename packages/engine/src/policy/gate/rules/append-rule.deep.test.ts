import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { StoreError, UsageError } from '../../../base/index.ts'
import { matchPrefixRules } from './match-prefix-rules.ts'
import { appendAmendment, type AmendmentRule, readRules, ruleLine } from './read-rules.ts'

let folder: string
let file: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'amendment-'))
  file = join(folder, 'default.rules')
})
afterEach(async () => {
  await rm(folder, { recursive: true, force: true })
})

const script = join(import.meta.dirname, 'fixtures', 'append-in-process.ts')

const allow = (...prefix: string[]): AmendmentRule => ({ prefix, decision: 'allow' })
const text = () => readFile(file, 'utf8')
const modeOf = async (path: string) => (await stat(path)).mode & 0o777

describe('given a rule that is to be kept', () => {
  it('the file and its folders come into being for nobody else', async () => {
    file = join(folder, 'home', 'rules', 'default.rules')
    expect(await appendAmendment(file, allow('git', 'status'))).toBe('added')
    expect(await text()).toBe('prefix_rule(pattern=["git", "status"], decision="allow")\n')
    expect(await modeOf(file)).toBe(0o600)
    expect(await modeOf(join(folder, 'home', 'rules'))).toBe(0o700)
    expect(await readdir(join(folder, 'home', 'rules'))).toEqual(['default.rules'])
  })

  it('it stands at the end, and a missing line end is added', async () => {
    await writeFile(file, '# mine\nprefix_rule(["a"])')
    await chmod(file, 0o640)
    await appendAmendment(file, { prefix: ['b "b"'], decision: 'forbidden' })
    expect(await text()).toBe(
      '# mine\nprefix_rule(["a"])\nprefix_rule(pattern=["b \\"b\\""], decision="forbidden")\n',
    )
    expect(await modeOf(file)).toBe(0o640)
  })

  it.each([
    ['prefix_rule(["git", "push"])\n', 'present'],
    ['prefix_rule([["x", "git"], ["push", "pull"]])\n', 'present'],
    ['GIT = ["git"]\nprefix_rule(GIT + ["push"], "allow", justification="why")\n', 'present'],
    ['prefix_rule(["git", "push"], "prompt")\n', 'added'],
    ['prefix_rule(["git", "push", "-f"])\n', 'added'],
    ['# prefix_rule(["git", "push"])\n', 'added'],
  ])('beside %j it is %s', async (before, expected) => {
    await writeFile(file, before)
    expect(await appendAmendment(file, allow('git', 'push'))).toBe(expected)
    expect(await appendAmendment(file, allow('git', 'push'))).toBe('present')
  })

  it('what a link leads to is changed, and stays where it is', async () => {
    await mkdir(join(folder, 'dotfiles'))
    await writeFile(join(folder, 'dotfiles', 'x'), '')
    await symlink(join(folder, 'dotfiles', 'x'), file)
    await appendAmendment(file, allow('a'))
    expect(await readFile(join(folder, 'dotfiles', 'x'), 'utf8')).toContain('"a"')
  })

  it('a file with mistakes is left as it is', async () => {
    await writeFile(file, 'prefix_rule(1)\n')
    await expect(appendAmendment(file, allow('a'))).rejects.toThrow(/line 1 must be corrected first/)
    await expect(appendAmendment(file, allow('a'))).rejects.toThrow(StoreError)
    expect(await text()).toBe('prefix_rule(1)\n')
  })

  it.each<AmendmentRule>([allow(), allow('\ud800')])(
    '%#: what no rule can be is a usage error, and nothing is written',
    async (rule) => {
      await expect(appendAmendment(file, rule)).rejects.toThrow(UsageError)
      expect(await readdir(folder)).toEqual([])
    },
  )

  it('every word comes back as it was', () => {
    const word = fc.string({ unit: 'binary' }).filter((candidate) => candidate.isWellFormed())
    fc.assert(
      fc.property(fc.array(word, { minLength: 1, maxLength: 4 }), (words) => {
        const line = ruleLine(allow(...words))
        const read = readRules(`${line}\n`, { file: 'x', layer: 'user' })
        expect(line).not.toMatch(/[\n\r\u2028]/)
        expect(read.kind === 'rules' && matchPrefixRules(read.rules, words)).toHaveLength(1)
      }),
    )
  })
})

describe('given many processes at once', () => {
  it('no rule is lost', async () => {
    const shared = ['shared-1', 'shared-2', 'shared-3']
    const processes = Array.from({ length: 5 }, (_, index) =>
      spawn(
        process.execPath,
        [script, file, ...Array.from({ length: 6 }, (_unused, n) => `own-${index}-${n}`), ...shared],
        { stdio: 'inherit' },
      ),
    )
    const codes = await Promise.all(processes.map(async (child) => (await once(child, 'exit'))[0] as number))
    expect(codes).toEqual([0, 0, 0, 0, 0])
    const lines = (await text()).trimEnd().split('\n')
    expect(new Set(lines.filter((line) => line !== '')).size).toBe(5 * 6 + shared.length)
    expect(await readdir(folder)).toEqual(['default.rules'])
  })
})
