/** A home in which somebody has settings of Claude Code, and the command beside it. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { inPlace, type Ended, type Place } from './donecheck.ts'

export interface Installed extends Pick<Place, 'home' | 'folder'> {
  readonly file: string
  readonly run: (words: readonly string[]) => Promise<Ended>
  readonly write: (file: string, content: string) => Promise<void>
}

/** @param text undefined: there are no settings yet */
export async function withSettings(
  text: string | undefined,
  work: (place: Installed) => Promise<void>,
): Promise<void> {
  await inPlace({ 'package.json': '{}' }, async (place) => {
    const file = join(place.home, '.claude', 'settings.json')
    if (text !== undefined) {
      await mkdir(join(place.home, '.claude'))
      await writeFile(file, text)
    }
    const { home, folder } = place
    const run = (given: readonly string[]) => place.run(given)
    await work({ home, folder, file, run, write: (name, content) => place.write(name, content) })
  })
}
