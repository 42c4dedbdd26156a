import { describe, expect, it } from 'vitest'
import { patchFormatOf, planInFolder } from './plan-in-folder.ts'

describe('given a patch', () => {
  it.each([
    ['*** Begin Patch\n*** End Patch', 'v4a'],
    ['\n  *** Begin Patch  \n', 'v4a'],
    ["<<'EOF'\n*** Begin Patch\n*** Add File: x\n+--- a\n+++ b\nEOF", 'v4a'],
    ['*** Begin Patch\n*** Update File: x\n@@\n--- a/x\n+++ b/x\n*** End Patch', 'v4a'],
    ['diff --git a/x b/x\nnew file mode 100644', 'unified'],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b', 'unified'],
    ['From 1234\nSubject: x\n\n---\n x | 2\n\ndiff --git a/x b/x', 'unified'],
    ['--- a/x\n+++ b/x\n@@ -1 +1 @@\n-*** Begin Patch\n+x', 'unified'],
    ['hello', 'v4a'],
    ['', 'v4a'],
  ])('%j is %s', (text, format) => {
    expect(patchFormatOf(text)).toBe(format)
  })
})

describe('given what is no patch', () => {
  it.each([
    ['', 'there is no patch: the input is empty'],
    [' \n\n', 'there is no patch: the input is empty'],
  ])('%j is refused in plain words', async (text, message) => {
    for (const format of [{}, { format: 'v4a' }, { format: 'unified' }] as const)
      expect(await planInFolder('/', text, format)).toMatchObject({
        kind: 'refused',
        problems: [{ kind: 'malformed', message: expect.stringContaining(message) as string }],
      })
  })
})
