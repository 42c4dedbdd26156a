import { glob, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { checkKind, count, loadVerifiers, texts } from './check-kind.ts'

export const size = checkKind({
  name: 'size',
  what: 'how large files are, such as what is shipped to a browser',
  options: {
    files: texts.describe('globs; at least one file must match'),
    maxBytes: count.describe('of each file'),
  },
  line: () => 'size:{"files":["dist/*.js"],"maxBytes":200000}',
  async verifiers({ files, maxBytes }, { name = `size of ${files.join(', ')}`, ...options }) {
    const { verifierOf } = await loadVerifiers()
    const measure = async ({ workFolder }: { readonly workFolder: string | null }) => {
      if (workFolder === null) throw new TypeError('there is no work folder')
      const sizes: { readonly path: string; readonly bytes: number }[] = []
      for await (const path of glob(files, { cwd: workFolder })) {
        const found = await stat(join(workFolder, path))
        if (found.isFile()) sizes.push({ path, bytes: found.size })
      }
      const tooLarge = sizes.filter(({ bytes }) => bytes > maxBytes)
      if (sizes.length === 0) return { passed: false, reason: `no file matches ${files.join(', ')}` }
      const words = tooLarge.map(({ path, bytes }) => `${path} has ${bytes} bytes`)
      return words.length === 0
        ? { passed: true, reason: `${sizes.length} files have at most ${maxBytes} bytes` }
        : { passed: false, reason: `${words.join(', ')}; the limit is ${maxBytes}` }
    }
    return [verifierOf(name, measure, { ...options, reads: 'workspace' })]
  },
})
