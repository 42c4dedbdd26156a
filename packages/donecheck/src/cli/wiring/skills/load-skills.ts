/** Skills as they lie on the disk: read once, before anything is run. */
import { existsSync, readdirSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { oneLine } from '@donecheck/core/base'
import { UsageError } from '@donecheck/engine/base'
import { readSkill, type SkillFile } from '../../../config/index.ts'
import type { CliIo } from '../../process/io.ts'
import { orUsageError } from '../../process/usage-error.ts'

export interface Skill extends Omit<SkillFile, 'name'> {
  /** Absolute, without links. */
  readonly file: string
  readonly folder: string
  /** As it calls itself, or as its file is called. */
  readonly name: string
  readonly ownName: string | undefined
}

const fileName = 'SKILL.md'

/**
 * Each place is a file, a folder with a `SKILL.md`, or a folder of such folders. A skill that is named twice is there once.
 * @throws {UsageError} where there is no skill, and for one that cannot be read
 */
export function loadSkills(places: readonly string[], { currentFolder }: CliIo): readonly Skill[] {
  const files = places.flatMap((place) => filesAt(resolve(currentFolder, place)))
  return [...new Set(files.map((file) => realpathSync(file)))].map(loadSkill)
}

function filesAt(place: string): readonly string[] {
  if (place.includes('\0') || !existsSync(place)) throw new UsageError(`there is no skill ${place}`)
  if (!statSync(place).isDirectory()) return [place]
  const own = fileIn(place)
  if (own !== undefined) return [own]
  const files = readdirSync(place)
    .toSorted()
    .flatMap((name) => fileIn(join(place, name)) ?? [])
  if (files.length === 0)
    throw new UsageError(`there is no ${fileName} in ${place}, nor in a folder of it; name a skill`)
  return files
}

function fileIn(folder: string): string | undefined {
  const file = join(folder, fileName)
  return statSync(file, { throwIfNoEntry: false })?.isFile() === true ? file : undefined
}

function loadSkill(file: string): Skill {
  const text = orUsageError(
    () => readFileSync(file, 'utf8'),
    (error) => `the skill ${file} cannot be read: ${String(error)}`,
  )
  const { name: ownName, ...skill } = readSkill(text, file)
  const folder = dirname(file)
  const called = basename(file) === fileName ? basename(folder) : basename(file).replace(/\.md$/i, '')
  return { ...skill, file, folder, name: oneLine(ownName ?? called, 80), ownName }
}
