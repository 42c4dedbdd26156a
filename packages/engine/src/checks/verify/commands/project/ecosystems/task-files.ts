/** Files of tasks that a project has named itself. */
import { readMakefile } from '../../exit-code/follow/read-makefile.ts'
import { nothingDetected, script, type Detection, type ProjectFiles } from '../detected.ts'
import { namedChecks } from '../script-names.ts'

interface TaskFile {
  /** The first that is there is read. */
  readonly files: readonly string[]
  readonly program: string
  readonly what: string
  /** By name, each with its text. */
  readonly tasks: (text: string) => ReadonlyMap<string, string>
}

const taskFiles: readonly TaskFile[] = [
  { files: ['GNUmakefile', 'makefile', 'Makefile'], program: 'make', what: 'target', tasks: targetsIn },
  { files: ['justfile', 'Justfile', '.justfile'], program: 'just', what: 'recipe', tasks: recipesIn },
]

/** Targets of a Makefile, recipes of a justfile. */
export async function detectTasks(files: ProjectFiles): Promise<Detection> {
  const found = await Promise.all(taskFiles.map((one) => detectIn(one, files)))
  return { candidates: found.flatMap(({ candidates }) => candidates), problems: [] }
}

async function detectIn(
  { files: names, program, what, tasks }: TaskFile,
  files: ProjectFiles,
): Promise<Detection> {
  for (const file of names) {
    const text = await files.text(file)
    if (text === undefined) continue
    const candidates = namedChecks(tasks(text)).map(([check, name]) =>
      script(check, `${program} ${name}`, `${file} has the ${what} "${name}"`),
    )
    return { candidates, problems: [] }
  }
  return nothingDetected
}

function targetsIn(text: string): ReadonlyMap<string, string> {
  const { rules } = readMakefile(text)
  return new Map(
    rules.flatMap(({ targets, recipe }) => targets.map((target) => [target, recipe.join('\n')] as const)),
  )
}

function recipesIn(text: string): ReadonlyMap<string, string> {
  const recipes = new Map<string, string>()
  let current = ''
  for (const line of text.split(/\r?\n/)) {
    const [, name] = /^@?([A-Za-z_][\w-]*)(?:\s[^:=]*)?:(?!=)/.exec(line) ?? []
    if (name !== undefined) current = name
    if (current !== '') recipes.set(current, `${recipes.get(current) ?? ''}\n${line}`)
  }
  return recipes
}
