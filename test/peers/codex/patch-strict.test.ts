import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { denseCases, structuredCases } from './patch-cases.ts'
import { deviationsIn, mayMiss, plainTree, refusals } from './patch-deviations.ts'
import { inCaseFolder, runOurs, type PatchCase, type TreeLook } from './patch-runs.ts'
import { runStrict } from './patch-strict.ts'

/** A longer run: `DONECHECK_CODEX_STRICT_CASES=5000`, and `DONECHECK_CODEX_PATCH_SEED` for other cases. */
const cases = Number(process.env['DONECHECK_CODEX_STRICT_CASES'] ?? 200)
const seed = Number(process.env['DONECHECK_CODEX_PATCH_SEED'] ?? 1)
const oneHourMs = 3_600_000

const textOf = ({ patch }: PatchCase) => (typeof patch === 'string' ? patch : Buffer.from(patch).toString())

/** The compatible mode stands for the reference: the test beside this one holds them equal. */
async function problemOf(test: PatchCase): Promise<string | undefined> {
  const untouched = await inCaseFolder(test.tree, () => Promise.resolve())
  const [compatible, strict] = [await runOurs(test), await runStrict(test)]
  if (strict.problems !== undefined) {
    if (JSON.stringify(strict.tree) !== JSON.stringify(untouched.tree)) return 'refused, and changed'
    return compatible.exitCode === 0
      ? unlistedRefusal(
          test,
          strict.problems.map(({ kind }) => kind),
        )
      : undefined
  }
  if (compatible.exitCode !== 0 || deviationsIn(textOf(test), strict).size > 0) return undefined
  const [theirs, ours] = [plainTree(compatible.tree), plainTree(strict.tree)]
  return sameFiles(theirs, ours, test) ? undefined : 'other files'
}

/** A blank line that is added after a last line without a newline has none either: one newline fewer than the reference writes. */
function sameFiles(theirs: TreeLook, ours: TreeLook, { tree }: PatchCase): boolean {
  const isUnended = Object.values(tree).some(
    (entry) => entry.kind === 'file' && /[^\n]$/.test(String(entry.content)),
  )
  const paths = Object.keys({ ...theirs, ...ours })
  return paths.every(
    (path) => theirs[path] === ours[path] || (isUnended && theirs[path] === `${String(ours[path])}\n`),
  )
}

function unlistedRefusal(test: PatchCase, kinds: readonly (keyof typeof refusals)[]): string | undefined {
  const unlisted = kinds.find((kind) => refusals[kind] === undefined)
  if (unlisted !== undefined) return `refused: ${unlisted}`
  const first = kinds[0]
  return first === 'not-found' && !mayMiss(textOf(test)) ? 'refused: not found' : undefined
}

describe(`given ${cases} random cases in the strict mode`, () => {
  const check = async (arbitrary: fc.Arbitrary<PatchCase>) => {
    const waiting = fc.sample(arbitrary, { numRuns: Math.ceil(cases / 2), seed })
    const problems: { readonly problem: string; readonly test: PatchCase }[] = []
    for (const test of waiting) {
      const problem = await problemOf(test)
      if (problem !== undefined) problems.push({ problem, test })
    }
    return problems
  }

  it(
    'leaves the files of the reference behind, or deviates for a listed reason',
    { timeout: oneHourMs },
    async () => {
      expect(await check(structuredCases)).toEqual([])
    },
  )

  it('does so with few lines, many of them blank', { timeout: oneHourMs }, async () => {
    expect(await check(denseCases)).toEqual([])
  })
})

describe('given a case for each deviation', () => {
  const file = (content: string, mode?: number) => ({
    kind: 'file' as const,
    content,
    ...(mode === undefined ? {} : { mode }),
  })
  const run = async (content: string, lines: readonly string[], mode?: number) => {
    const patch = ['*** Begin Patch', '*** Update File: a', ...lines, '*** End Patch'].join('\n')
    const test: PatchCase = { tree: { a: file(content, mode) }, patch, by: 'argument' }
    const strict = await runStrict(test)
    return {
      compatible: filesOf((await runOurs(test)).tree),
      strict: filesOf(strict.tree),
      problems: strict.problems?.map(({ kind }) => kind),
    }
  }
  const filesOf = (tree: TreeLook) =>
    Object.fromEntries(
      Object.entries(tree).flatMap(([path, entry]) =>
        entry.startsWith('file') ? [[path.slice(2), entry.slice(5)]] : [],
      ),
    )

  it('keeps a file that is moved onto itself', async () => {
    const { compatible, strict } = await run('x\n', ['*** Move to: ./a', '-x', '+y'])
    expect([compatible, strict]).toEqual([{}, { a: '644 y\n' }])
  })

  it('adds lines below their context', async () => {
    const { compatible, strict } = await run('x\ny\n', ['@@ x', '+new'])
    expect([compatible, strict]).toEqual([{ a: '644 x\ny\nnew\n' }, { a: '644 x\nnew\ny\n' }])
  })

  it('keeps the mode of a file that is moved', async () => {
    const { compatible, strict } = await run('x\n', ['*** Move to: b', ' x'], 0o755)
    expect([compatible, strict]).toEqual([{ b: '644 x\n' }, { b: '755 x\n' }])
  })

  it('ends new lines as their neighbours, and leaves the end of the file alone', async () => {
    const { compatible, strict } = await run('x\ry\r\nz', ['-y', '+new'])
    expect([compatible, strict]).toEqual([{ a: '644 x\rnew\rz\r' }, { a: '644 x\rnew\r\nz' }])
  })

  it('refuses what may be meant at several places', async () => {
    const { compatible, strict, problems } = await run('x\nx\n', ['-x', '+y'])
    expect([compatible, strict, problems]).toEqual([{ a: '644 y\nx\n' }, { a: '644 x\nx\n' }, ['ambiguous']])
  })

  it('refuses a blank line that is not there', async () => {
    const { compatible, strict, problems } = await run('x\n', ['-x', '+y', '-'])
    expect([compatible, strict, problems]).toEqual([{ a: '644 y\n' }, { a: '644 x\n' }, ['not-found']])
  })

  it('takes a byte order mark for the encoding', async () => {
    const marked = await run('\ufeffx\n', ['-x', '+y'])
    expect(marked.strict).toEqual({ a: `644 ${Buffer.from('\ufeffy\n').toString('latin1')}` })
    expect(marked.compatible).toEqual({ a: `644 ${Buffer.from('\ufeffx\n').toString('latin1')}` })
  })

  it('places all chunks in the file as it was', async () => {
    const { compatible, strict } = await run('\n', [' ', '@@', '-'])
    expect([compatible, strict]).toEqual([{ a: '644 \n' }, { a: '644 ' }])
    const adjacent = await run('x\ny\n', ['-x', ' y', '@@', '-y', '+z'])
    expect([adjacent.compatible, adjacent.strict]).toEqual([{ a: '644 x\ny\n' }, { a: '644 z\n' }])
  })

  it('prefers what stands in the block of the @@, if white space is forgiven', async () => {
    const { compatible, strict } = await run('def f\n  x \ndef g\n  x\n', ['@@ def f', '-  x'])
    expect([compatible, strict]).toEqual([
      { a: '644 def f\n  x \ndef g\n' },
      { a: '644 def f\ndef g\n  x\n' },
    ])
  })

  it('takes stacked contexts, and a rename alone, and chunks in their order only', async () => {
    const unordered = await run('x\ny\n', ['-y', '@@', '-x'])
    expect([unordered.compatible, unordered.strict]).toEqual([{ a: '644 x\ny\n' }, { a: '644 x\ny\n' }])
    const stacked = await run('class A\n  def f\n    x\n', ['@@ class A', '@@   def f', '-    x'])
    expect(stacked.strict).toEqual({ a: '644 class A\n  def f\n' })
    const renamed = await run('x\n', ['*** Move to: b'])
    expect([renamed.compatible, renamed.strict]).toEqual([{ a: '644 x\n' }, { b: '644 x\n' }])
  })
})
