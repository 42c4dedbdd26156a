import { existsSync, watch } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { UsageError } from '../../../base/index.ts'
import type { Verdict } from '@donecheck/core/internal/events/verdicts'
import type { Verifier, VerifierContext, VerifierResult } from '../../../ports/checks.ts'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { contextOf } from '../texts/fixtures/ask.ts'
import { buildPass, lintPass, testsPass, typecheckPass } from './presets.ts'
import { eachInFolder } from '../texts/fixtures/temporary-folder.ts'

verifierContract('lintPass', {
  passing: () => lintPass({ command: 'true' }),
  failing: () => lintPass({ command: 'exit 1' }),
  makeUndecided: () => lintPass(),
  hanging: (onStart, folder) => {
    const watcher = watch(folder, () => {
      watcher.close()
      onStart()
    })
    return buildPass({ command: 'touch started; sleep 1000' })
  },
})

let folder = ''

eachInFolder((made) => {
  folder = made
})

function ask(verifier: Verifier, changes: Partial<VerifierContext> = {}) {
  return verifier.verify(contextOf({ workFolder: folder, ...changes }), new AbortController().signal)
}

async function makefile(text: string) {
  await writeFile(join(folder, 'Makefile'), text)
}

const notesOf = ({ evidence }: VerifierResult) =>
  evidence.flatMap((one) => (one.kind === 'note' ? [one.text] : []))
const linesOf = ({ evidence }: VerifierResult) =>
  evidence.flatMap((one) => (one.kind === 'command' ? [one.command] : []))

describe('given a project with its own commands', () => {
  it.each([
    ['lint', lintPass],
    ['typecheck', typecheckPass],
    ['build', buildPass],
  ] as const)('runs its %s, and says what was detected and why', async (check, preset) => {
    await makefile(`${check}:\n\t@echo fine\n`)
    const report = await ask(preset())
    expect(report).toMatchObject({ status: 'passed', reason: `${check} passed (exit 0)` })
    expect(notesOf(report)).toEqual([
      `detected "make ${check}" for ${check}: Makefile has the target "${check}"`,
    ])
    expect(linesOf(report)).toEqual([`make ${check}`])
  })

  it('has to be seen to fail, by the line that was chosen', async () => {
    await makefile('lint:\n\tnode lint.js\n')
    const lint = lintPass()
    expect(lint.doubt?.()).toBeUndefined()
    await ask(lint)
    expect(lint.doubt?.()).toEqual({ kind: 'unseen', line: 'make lint' })
  })
})

describe('given an agent that changes the manifest', () => {
  it('still runs what was detected first', async () => {
    await makefile('lint:\n\t@exit 1\n')
    const verifier = lintPass()
    expect(await ask(verifier, { trigger: 'baseline' })).toMatchObject({ status: 'failed' })
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { lint: 'true' } }))
    const report = await ask(verifier)
    expect(report).toMatchObject({ status: 'failed' })
    expect(linesOf(report)).toEqual(['make lint'])
  })

  it('takes the line of the baseline after a resume', async () => {
    await makefile('lint:\n\t@exit 1\n')
    const first = await ask(lintPass(), { trigger: 'baseline' })
    const baseline: Verdict = { ...first, verifier: 'lint', durationMs: 1 }
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { lint: 'true' } }))
    expect(linesOf(await ask(lintPass(), { baseline }))).toEqual(['make lint'])
    expect(linesOf(await ask(lintPass()))).toEqual(['npm run lint'])
  })
})

describe('given that it is asked to get ready', () => {
  it('knows what its verdict depends on before its first look, and stays with it', async () => {
    await makefile('lint:\n\t@touch seen\n')
    const verifier = lintPass()
    await verifier.ready?.(contextOf({ workFolder: folder }))
    expect(verifier.inputs?.definition).toMatchObject({ line: 'make lint' })
    expect(existsSync(join(folder, 'seen'))).toBe(false)
    await writeFile(join(folder, 'package.json'), JSON.stringify({ scripts: { lint: 'true' } }))
    await verifier.ready?.(contextOf({ workFolder: folder }))
    expect(linesOf(await ask(verifier))).toEqual(['make lint'])
  })
})

describe('given a project in which nothing is found', () => {
  it('is a question that no turn can answer, which names what was looked for and the way out', async () => {
    const report = await ask(testsPass())
    expect(report).toMatchObject({ status: 'error', canRetry: false, qualifiers: ['unverifiable'] })
    expect(report.reason).toMatch(
      /looked for .*Makefile.*--until "npm test" \(testsPass\(\{ command: 'npm test' \}\)\)/,
    )
  })

  it('may be answered yet where a manifest cannot be read', async () => {
    await writeFile(join(folder, 'package.json'), '{ "scripts": ')
    const report = await ask(testsPass())
    expect(report).toMatchObject({ status: 'error', canRetry: true, qualifiers: ['infrastructure'] })
    expect(report.reason).toContain('package.json cannot be read')
  })

  it('looks again the next time', async () => {
    const verifier = lintPass()
    expect(await ask(verifier)).toMatchObject({ status: 'error' })
    await makefile('lint:\n\t@true\n')
    expect(await ask(verifier)).toMatchObject({ status: 'passed' })
  })
})

describe('given misuse', () => {
  it('refuses an empty command, an empty name and an impossible bound', () => {
    expect(() => testsPass({ command: ' ' })).toThrow(UsageError)
    expect(() => testsPass({ name: '' })).toThrow(UsageError)
    expect(() => testsPass({ timeoutMs: 0 })).toThrow(UsageError)
  })
})
