/** For whatever is bundled: the command, the page. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Plugin } from 'rolldown'

/** The licences of what is copied into the files stand beside them. */
export const licences: Plugin = {
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
