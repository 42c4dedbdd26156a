import { nothingDetected, script, type Detection, type ProjectFiles } from '../detected.ts'
import { namedChecks } from '../script-names.ts'

/** Recipes of a justfile. */
export async function detectJust(files: ProjectFiles): Promise<Detection> {
  for (const file of ['justfile', 'Justfile', '.justfile']) {
    const text = await files.text(file)
    if (text === undefined) continue
    const recipes = new Map<string, string>()
    let current = ''
    for (const line of text.split(/\r?\n/)) {
      const [, name] = /^@?([A-Za-z_][\w-]*)(?:\s[^:=]*)?:(?!=)/.exec(line) ?? []
      if (name !== undefined) current = name
      if (current !== '') recipes.set(current, `${recipes.get(current) ?? ''}\n${line}`)
    }
    const candidates = namedChecks(recipes).map(([check, name]) =>
      script(check, `just ${name}`, `${file} has the recipe "${name}"`),
    )
    return { candidates, problems: [] }
  }
  return nothingDetected
}
