import { nothingDetected, tool, type Detection, type ProjectFiles } from '../detected.ts'

/** A .NET solution or project in the folder itself. */
export async function detectDotnet(files: ProjectFiles): Promise<Detection> {
  const names = await files.names('.')
  const found = [/\.slnx?$/, /\.(cs|fs|vb)proj$/].flatMap((pattern) =>
    names.filter((name) => pattern.test(name)),
  )
  const [manifest] = found
  if (manifest === undefined) return nothingDetected
  const why = `${manifest} makes it a .NET project`
  return {
    candidates: [
      tool('tests', 'dotnet test', why),
      tool('lint', 'dotnet format --verify-no-changes', why),
      tool('typecheck', 'dotnet build', why),
      tool('build', 'dotnet build', why),
    ],
    problems: [],
  }
}
