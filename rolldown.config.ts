/**
 * The entry of hooks as few files: a hook runs at every call of a tool, and must not load the whole program for it. What it needs
 * for a verification stays where it is, and is loaded from there. CommonJS, because Node starts that in half the time.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { defineConfig, type Plugin } from 'rolldown'

const whole: Plugin = {
  name: 'the whole program stays outside',
  resolveId: (source) =>
    source.endsWith('/full-ride.js') ? { id: '../cli/hook/full-ride.js', external: true } : null,
}

/** The licences of what is copied into the files stand beside them. */
const licences: Plugin = {
  name: 'licences of what is bundled',
  generateBundle(_options, bundle) {
    const modules = Object.values(bundle).flatMap((file) => (file.type === 'chunk' ? file.moduleIds : []))
    const folders = new Set(
      modules.flatMap((id) => /^.*\/node_modules\/(?:@[^/]+\/)?[^/]+/.exec(id)?.[0] ?? []),
    )
    const source = [...folders].toSorted().map(licenceOf).join('\n\n')
    this.emitFile({ type: 'asset', fileName: 'LICENSES.txt', source: `${source}\n` })
  },
}

/** @throws {Error} for a package without one: it must not be copied */
function licenceOf(folder: string): string {
  const { name, version } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<
    string,
    string
  >
  const file = readdirSync(folder).find((entry) => /^licen[cs]e(?:\.|$)/i.test(entry))
  if (file === undefined) throw new Error(`${name} has no file with its licence`)
  return `${name} ${version}\n\n${readFileSync(join(folder, file), 'utf8').trim()}`
}

export default defineConfig({
  input: { main: 'packages/donecheck/dist/cli/hook/main.js' },
  platform: 'node',
  treeshake: { moduleSideEffects: false },
  preserveEntrySignatures: 'allow-extension',
  plugins: [whole, licences],
  output: {
    dir: 'packages/donecheck/dist/hook',
    format: 'cjs',
    minify: true,
    cleanDir: true,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name]-[hash].cjs',
  },
})
