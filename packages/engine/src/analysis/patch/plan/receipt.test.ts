import { describe, expect, it } from 'vitest'
import type { FileImage } from '../change-set.ts'
import {
  changed,
  envelope,
  filesOf,
  image,
  imagesOf,
  memoryFiles,
  outcomeOf,
  type Tree,
} from '../fixtures/memory-tree.ts'
import { planPatch } from './plan-patch.ts'
import { isReceipt, planReceipt, receiptOf } from './receipt.ts'

async function receiptFor(tree: Tree, body: string): Promise<string> {
  const plan = await planPatch(envelope(body), filesOf(tree))
  if (plan.kind === 'refused') throw new Error(JSON.stringify(plan.problems))
  return receiptOf(plan.changes)
}

/** What a patch makes of a tree. */
async function patched(tree: Tree, body: string): Promise<ReadonlyMap<string, FileImage>> {
  const plan = await planPatch(envelope(body), filesOf(tree))
  if (plan.kind === 'refused') throw new Error(JSON.stringify(plan.problems))
  return changed(imagesOf(tree), plan.changes)
}

const body = '*** Update File: a\n-2\n+b\n*** Add File: n\n+x\n*** Delete File: old'
const tree = { a: '1\n2\n', old: image('o', 0o600) }

describe('given the receipt of a patch', () => {
  it('says of every file what the patch left and what was there, readable where it is text', async () => {
    expect(
      JSON.parse(await receiptFor({ ...tree, b: image(Uint8Array.of(255)) }, `${body}\n*** Delete File: b`)),
    ).toEqual({
      format: 'donecheck-patch-receipt-1',
      files: [
        { path: 'a', before: { mode: '0644', text: '1\nb\n' }, after: { mode: '0644', text: '1\n2\n' } },
        { path: 'n', before: { mode: '0644', text: 'x\n' }, after: null },
        { path: 'old', before: null, after: { mode: '0600', text: 'o' } },
        { path: 'b', before: null, after: { mode: '0644', base64: '/w==' } },
      ],
      madeFolders: [],
    })
  })

  it('begins with what marks it', async () => {
    expect(isReceipt(await receiptFor(tree, body))).toBe(true)
    expect(isReceipt(envelope(body))).toBe(false)
  })

  it.each([
    ['modes', { a: image('x', 0o755) }, '*** Delete File: a'],
    ['line ends that are lost', { a: '1\n2\r\n' }, '*** Update File: a\n-1\n-2\n+x'],
    ['what is no text', { a: image(Uint8Array.of(0, 255)) }, '*** Delete File: a'],
    ['a byte order mark', { a: '\uFEFFa\n' }, '*** Delete File: a'],
  ] as const)('restores %s', async (_, before, change) => {
    const back = await planReceipt(
      await receiptFor(before, change),
      memoryFiles(await patched(before, change)),
    )
    expect(back).toMatchObject({
      kind: 'planned',
      changes: [{ path: 'a', after: imagesOf(before).get('a') }],
    })
  })

  it('names the folders that the patch made, for whoever removes them', async () => {
    const changes = [{ path: 'd/e/n', before: null, after: image('') }]
    const receipt = receiptOf(changes, ['d', 'd/e'])
    expect(await planReceipt(receipt, filesOf({ 'd/e/n': '' }))).toMatchObject({
      kind: 'planned',
      madeFolders: ['d', 'd/e'],
    })
  })

  it.each([
    ['an updated file was edited', { a: image('1\nb\n3\n') }, 'a has changed since the patch: its content'],
    ['an updated file has another mode', { a: image('1\nb\n', 0o755) }, 'its mode is 755 now'],
    ['an added file was edited', { n: image('x\nmore\n') }, 'n has changed since the patch: its content'],
    ['an updated file is gone', { a: undefined }, 'a has changed since the patch: it is gone'],
    ['an added file is gone', { n: undefined }, 'n has changed since the patch: it is what it was before'],
    [
      'a deleted file is there again',
      { old: image('new') },
      'old has changed since the patch: there is a file',
    ],
    ['one file is back already', { old: image('o', 0o600) }, 'other files are not'],
  ] as const)('is refused as a whole where %s', async (_, disturbance, message) => {
    const now = new Map(await patched(tree, body))
    for (const [path, file] of Object.entries<FileImage | undefined>(disturbance))
      if (file === undefined) now.delete(path)
      else now.set(path, file)
    const plan = await planReceipt(await receiptFor(tree, body), memoryFiles(now))
    expect(plan).toMatchObject({ kind: 'refused', problems: [{ kind: 'contradiction' }] })
    expect(outcomeOf(plan)).toContain(message)
  })

  it('is refused where a symlink leads from a file to one that is alike', async () => {
    const files = memoryFiles(new Map([['b', image('1\nb\n')]]), { a: 'b' })
    const receipt = await receiptFor({ a: '1\n2\n' }, '*** Update File: a\n-2\n+b')
    expect(outcomeOf(await planReceipt(receipt, files))).toContain('a symbolic link leads from it to b now')
  })

  it('is no change where every file is back already, and for no changes', async () => {
    for (const receipt of [await receiptFor(tree, body), receiptOf([])])
      expect(await planReceipt(receipt, filesOf(tree))).toMatchObject({
        kind: 'planned',
        changes: [],
        notes: [expect.any(String)],
      })
  })
})

describe('given what is no receipt', () => {
  it.each([
    ['nothing', ' \n', 'there is no receipt: the input is empty'],
    ['a patch', envelope('*** Add File: x\n+x'), 'a patch is applied with `donecheck patch apply`'],
    ['a unified diff', '--- a/x\n+++ b/x\n@@ -1 +1 @@\n-a\n+b\n', 'this is no receipt'],
    ['JSON', '{}', 'this is no receipt'],
    ['a receipt that breaks off', '{"format":"donecheck-patch-receipt-1","files":', 'is damaged'],
    [
      'a later version',
      '{"format":"donecheck-patch-receipt-9","files":[],"madeFolders":[]}',
      'of another version',
    ],
  ])('%s is refused, with the way out', async (_, text, message) => {
    const plan = await planReceipt(text, filesOf({ x: 'a\n' }))
    expect(plan).toMatchObject({ kind: 'refused', problems: [{ kind: 'malformed' }] })
    expect(outcomeOf(plan)).toContain(message)
  })

  const file = { path: 'x', before: null, after: { mode: '0644', text: '' } }
  it.each([
    ['a path out of the root', { files: [{ ...file, path: '../x' }] }],
    ['a path that is written in another way', { files: [{ ...file, path: './x' }] }],
    ['the same file twice', { files: [file, file] }],
    ['neither side of a file', { files: [{ ...file, after: null }] }],
    ...['?', 'a', '====', 'ab=c', 'abcd\n'].map((base64): [string, object] => [
      `${JSON.stringify(base64)} for base 64`,
      { files: [{ ...file, after: { mode: '0644', base64 } }] },
    ]),
    ['what is no mode', { files: [{ ...file, after: { mode: '0999', text: '' } }] }],
    ['a folder of somebody else', { files: [file], madeFolders: ['theirs'] }],
    ['a folder out of the root', { files: [file], madeFolders: ['..'] }],
  ])('%s in it is refused', async (_, parts) => {
    const text = JSON.stringify({ format: 'donecheck-patch-receipt-1', madeFolders: [], ...parts })
    expect(outcomeOf(await planReceipt(text, filesOf({})))).toContain('is damaged')
  })
})
