import { readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { verifierContract } from '../../../testing/contracts/verifier-contract.ts'
import { ask, brokenSource, waitingSource } from '../texts/fixtures/ask.ts'
import { workFolder } from '../texts/fixtures/work-folder.ts'
import { patchApplies } from './patch-applies.ts'

const v4a = (...lines: readonly string[]) => ['*** Begin Patch', ...lines, '*** End Patch', ''].join('\n')
const change = (path: string, from: string) =>
  `--- a/${path}\n+++ b/${path}\n@@ -1,3 +1,3 @@\n one\n-${from}\n+2\n three\n`
const adds = v4a('*** Add File: new.txt', '+new')

verifierContract('patchApplies', {
  passing: () => patchApplies({ source: { value: () => adds } }),
  failing: () => patchApplies({ source: { value: () => change('a.txt', 'two') } }),
  makeUndecided: () => patchApplies({ source: brokenSource }),
  hanging: (onStart) => patchApplies({ source: waitingSource(onStart) }),
})

const folder = workFolder()

async function checked(finalText: string) {
  await folder.write('a.txt', 'one\ntwo\nthree\n')
  return ask(patchApplies(), finalText, folder.path)
}

describe('given an answer with a patch', () => {
  it.each([
    ['a unified diff', change('a.txt', 'two'), '"a.txt"'],
    ['a V4A patch', v4a('*** Update File: a.txt', '@@', '-two', '+2'), '"a.txt"'],
    ['a new file', adds, '"new.txt"'],
    ['a fence called diff', `So:\n\`\`\`diff\n${change('a.txt', 'two')}\`\`\`\n`, '"a.txt"'],
    ['a fence beside code', `\`\`\`patch\n${adds}\`\`\`\n\`\`\`ts\ncode\n\`\`\`\n`, '"new.txt"'],
  ])('passes %s, names its files and changes nothing', async (_, text, files) => {
    expect(await checked(text)).toMatchObject({ status: 'passed', evidence: [{ kind: 'note', text: files }] })
    expect(readFileSync(join(folder.path, 'a.txt'), 'utf8')).toBe('one\ntwo\nthree\n')
  })

  it.each([
    ['whose context is another one', change('a.txt', 'zwei')],
    ['whose white space is another one', change('a.txt', 'two ')],
    ['for a file that is not there', change('b.txt', 'two')],
    ['that leads out of the folder', change('../a.txt', 'two')],
    ['that goes through a symlink out of it', change('link/a.txt', 'two')],
    ['that deletes a file that is not there', v4a('*** Delete File: b.txt')],
    ['that is none', 'please change a.txt'],
    ['that is cut off', change('a.txt', 'two').slice(0, -10)],
    ['of two, of which one is meant', `\`\`\`diff\n${adds}\`\`\`\n\`\`\`diff\n${adds}\`\`\`\n`],
    ['of nothing', ' \n'],
    ['in an empty fence', '```diff\n```\n'],
  ])('fails one %s', async (_, text) => {
    symlinkSync('..', join(folder.path, 'link'))
    expect(await checked(text)).toMatchObject({ status: 'failed' })
  })
})
