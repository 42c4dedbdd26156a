import { describe, expect, it } from 'vitest'
import { decodeUtf8 } from '../file-text.ts'
import { applyCompatible, type CompatibleFiles, invokeCompatible } from '../apply-compatible.ts'

const folder = '/w'
const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** Files by absolute path. `sealed` ones can neither be written nor removed; folders of `closed` ones cannot be created. */
function filesOf(
  content: Readonly<Record<string, string>>,
  { sealed = [], closed = [] }: { sealed?: readonly string[]; closed?: readonly string[] } = {},
) {
  const files = new Map(Object.entries(content).map(([path, text]) => [path, encode(text)] as const))
  const created = new Set<string>()
  const port: CompatibleFiles = {
    async read(path) {
      const bytes = files.get(path)
      if (bytes !== undefined) return { kind: 'read', bytes }
      return { kind: 'failed', problem: 'No such file or directory (os error 2)' }
    },
    async write(path, bytes) {
      if (sealed.includes(path)) return 'failed'
      const parent = path.slice(0, path.lastIndexOf('/'))
      if (parent !== folder && !created.has(parent)) return 'no-folder'
      files.set(path, bytes)
      return 'written'
    },
    async createFolderOf(path) {
      if (!closed.includes(path)) created.add(path.slice(0, path.lastIndexOf('/')))
      return !closed.includes(path)
    },
    async remove(path) {
      return !sealed.includes(path) && files.delete(path)
    },
  }
  const texts = () =>
    Object.fromEntries([...files].map(([path, bytes]) => [path, Buffer.from(bytes).toString()]))
  return { port, texts }
}

function patched(...lines: readonly string[]): string {
  return ['*** Begin Patch', ...lines, '*** End Patch'].join('\n')
}

const failure = (message: string) => ({ exitCode: 1, stdout: '', stderr: `${message}\n` })

describe('given a patch that applies', () => {
  it('lists what was added, changed and deleted, each in the order of the patch', async () => {
    const { port, texts } = filesOf({ '/w/a': 'a\n', '/w/b': 'b\n', '/w/c': 'c\n' })
    const patch = patched(
      '*** Delete File: ./b',
      '*** Update File: a',
      '-a',
      '+A',
      '*** Add File: n/e/w',
      '+new',
      '*** Update File: c',
      '*** Move to: d',
      ' c',
      '*** Add File: e',
    )
    expect(await applyCompatible(patch, port, folder)).toEqual({
      exitCode: 0,
      stdout: 'Success. Updated the following files:\nA n/e/w\nA e\nM a\nM d\nD ./b\n',
      stderr: '',
    })
    expect(texts()).toEqual({ '/w/a': 'A\n', '/w/n/e/w': 'new\n', '/w/d': 'c\n', '/w/e': '' })
  })

  it('sees what its earlier hunks have done', async () => {
    const { port, texts } = filesOf({})
    await applyCompatible(patched('*** Add File: a', '+a', '*** Update File: a', '-a', '+b'), port, folder)
    expect(texts()).toEqual({ '/w/a': 'b\n' })
  })

  it.each(['a\tb', 'a\r\rb', '.\t./w/ab', '\tab'])(
    'takes no notice of tabs and returns in %j',
    async (path) => {
      const { port, texts } = filesOf({ '/w/ab': 'a\n' })
      const { stdout } = await applyCompatible(patched(`*** Update File: ${path}`, '-a', '+b'), port, folder)
      expect(stdout).toContain(`M ${path}\n`)
      expect(texts()).toEqual({ '/w/ab': 'b\n' })
    },
  )

  it('joins paths by their text', async () => {
    const { port, texts } = filesOf({})
    await applyCompatible(patched('*** Add File: x/../../w/./a//', '+a'), port, folder)
    expect(texts()).toEqual({ '/w/a': 'a\n' })
  })

  it('deletes a file that is moved onto itself, as the reference does', async () => {
    const { port, texts } = filesOf({ '/w/a': 'a\n' })
    const result = await applyCompatible(
      patched('*** Update File: a', '*** Move to: ./a', ' a'),
      port,
      folder,
    )
    expect(result.stdout).toContain('M ./a\n')
    expect(texts()).toEqual({})
  })
})

describe('given a patch that does not apply', () => {
  it('keeps what was done before the error, and does nothing after it', async () => {
    const { port, texts } = filesOf({ '/w/a': 'a\n' })
    const patch = patched('*** Add File: b', '+b', '*** Update File: a', '-x', '*** Delete File: a')
    expect(await applyCompatible(patch, port, folder)).toEqual(
      failure('Failed to find expected lines in /w/a:\nx'),
    )
    expect(texts()).toEqual({ '/w/a': 'a\n', '/w/b': 'b\n' })
  })

  it('does nothing where the patch is invalid', async () => {
    const { port, texts } = filesOf({})
    const result = await applyCompatible(patched('*** Add File: b', '+b', 'x'), port, folder)
    expect(result.stderr).toContain('Invalid patch hunk on line 4')
    expect(texts()).toEqual({})
  })

  it.each([
    [patched(), 'No files were modified.'],
    [patched('*** Delete File: x'), 'Failed to delete file /w/x'],
    [
      patched('*** Update File: x', ' a'),
      'Failed to read file to update /w/x: No such file or directory (os error 2)',
    ],
    [patched('*** Add File: sealed'), 'Failed to write file /w/sealed'],
    [patched('*** Update File: sealed', ' a'), 'Failed to write file /w/sealed'],
    [patched('*** Add File: no/x'), 'Failed to create parent directories for /w/no/x'],
    [patched('*** Update File: sealed', '*** Move to: b', ' a'), 'Failed to remove original /w/sealed'],
    [patched('*** Delete File: a\0b'), "'a\0b' is invalid on 'linux'"],
    [patched('*** Update File: sealed', '*** Move to: a\0b', ' a'), "'a\0b' is invalid on 'linux'"],
  ])('says of %j: %s', async (patch, message) => {
    const { port } = filesOf({ '/w/sealed': 'a\n' }, { sealed: ['/w/sealed'], closed: ['/w/no/x'] })
    expect(await applyCompatible(patch, port, folder)).toEqual(failure(message))
  })

  it('says what is no text in a file', async () => {
    const bytes: Uint8Array = Uint8Array.of(0x61, 0xff)
    const port: CompatibleFiles = { ...filesOf({}).port, read: async () => ({ kind: 'read', bytes }) }
    expect(decodeUtf8(bytes).kind).toBe('invalid')
    expect(await applyCompatible(patched('*** Update File: a', ' a'), port, folder)).toEqual(
      failure('Failed to read file to update /w/a: invalid utf-8 sequence of 1 bytes from index 1'),
    )
  })
})

describe('given the words of a command line', () => {
  const patch = patched('*** Add File: a', '+a')
  const invoke = (words: readonly (string | Uint8Array)[], input: Uint8Array | string = '') =>
    invokeCompatible(
      { words, standardInput: async () => (typeof input === 'string' ? encode(input) : input) },
      filesOf({}).port,
      folder,
    )

  it('takes the patch from the argument or from standard input', async () => {
    expect(await invoke([patch])).toMatchObject({ exitCode: 0 })
    expect(await invoke([encode(patch)])).toMatchObject({ exitCode: 0 })
    expect(await invoke([], patch)).toMatchObject({ exitCode: 0 })
    expect(await invoke([], '  ')).toMatchObject({ exitCode: 1 })
  })

  it('says how it is used', async () => {
    const usage = "Usage: apply_patch 'PATCH'\n       echo 'PATCH' | apply_patch\n"
    expect(await invoke([])).toEqual({ exitCode: 2, stdout: '', stderr: usage })
    const twice = 'Error: apply_patch accepts exactly one argument.\n'
    expect(await invoke([patch, patch])).toEqual({ exitCode: 2, stdout: '', stderr: twice })
  })

  it('refuses bytes that are no text', async () => {
    const bytes = Uint8Array.of(0xff)
    expect(await invoke([bytes])).toEqual(failure('Error: apply_patch requires a UTF-8 PATCH argument.'))
    expect(await invoke([], bytes)).toEqual(
      failure('Error: Failed to read PATCH from stdin.\nstream did not contain valid UTF-8'),
    )
  })
})
