import { nothingDetected, tool, type Detection, type ProjectFiles } from '../detected.ts'

/** A Mix project. */
export async function detectElixir(files: ProjectFiles): Promise<Detection> {
  const manifest = await files.text('mix.exs')
  if (manifest === undefined) return nothingDetected
  const why = 'mix.exs makes it a Mix project'
  return {
    candidates: [
      tool('tests', 'mix test', why),
      ...(manifest.includes(':credo') ? [tool('lint', 'mix credo', 'mix.exs names credo')] : []),
      ...((await files.has('.formatter.exs'))
        ? [tool('lint', 'mix format --check-formatted', 'there is .formatter.exs')]
        : []),
      ...(manifest.includes(':dialyxir')
        ? [tool('typecheck', 'mix dialyzer', 'mix.exs names dialyxir')]
        : []),
      tool('build', 'mix compile', why),
    ],
    problems: [],
  }
}
