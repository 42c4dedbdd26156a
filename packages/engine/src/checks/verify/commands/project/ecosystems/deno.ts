import { z } from 'zod'
import { findFirst, nothingDetected, script, tool, type Detection, type ProjectFiles } from '../detected.ts'
import { namedChecks } from '../script-names.ts'

const manifest = z.object({ tasks: z.record(z.string(), z.unknown()).optional() })

/** Tasks of deno.json, and Deno's own tools. */
export async function detectDeno(files: ProjectFiles): Promise<Detection> {
  const file = await findFirst(files, ['deno.json', 'deno.jsonc'])
  if (file === undefined) return nothingDetected
  const { tasks, problem } = readTasks((await files.text(file)) ?? '', file)
  const own = namedChecks(tasks).map(([check, name]) =>
    script(check, `deno task ${name}`, `${file} has the task "${name}"`),
  )
  return {
    candidates: [
      ...own,
      tool('tests', 'deno test', `${file} makes it a Deno project`),
      tool('lint', 'deno lint', `${file} makes it a Deno project`),
      tool('typecheck', 'deno check .', `${file} makes it a Deno project`),
    ],
    problems: problem === undefined ? [] : [problem],
  }
}

interface Tasks {
  readonly tasks: ReadonlyMap<string, string>
  readonly problem?: string
}

function readTasks(text: string, file: string): Tasks {
  // Comments and trailing commas are allowed in it; text in quotes is kept as it is.
  const plain = text
    .replace(/("(?:[^"\\]|\\.)*")|\/\/[^\n]*|\/\*[\s\S]*?\*\//g, (_, quoted?: string) => quoted ?? '')
    .replace(/("(?:[^"\\]|\\.)*")|,(?=\s*[}\]])/g, (_, quoted?: string) => quoted ?? '')
  try {
    const { tasks = {} } = manifest.parse(JSON.parse(plain))
    return { tasks: new Map(Object.entries(tasks).map(([name, task]) => [name, JSON.stringify(task)])) }
  } catch {
    return { tasks: new Map(), problem: `${file} cannot be read: it is no JSON with tasks` }
  }
}
