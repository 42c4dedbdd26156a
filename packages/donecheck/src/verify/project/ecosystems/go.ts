import { firstOf, nothingDetected, tool, type Detection, type ProjectFiles } from '../detected.ts'

/** A Go module. */
export async function detectGo(files: ProjectFiles): Promise<Detection> {
  if (!(await files.has('go.mod'))) return nothingDetected
  const linter = await firstOf(files, ['.golangci.yml', '.golangci.yaml', '.golangci.toml', '.golangci.json'])
  return {
    candidates: [
      tool('tests', 'go test ./...', 'go.mod makes it a Go module'),
      ...(linter === undefined
        ? []
        : [tool('lint', 'golangci-lint run', `${linter} configures golangci-lint`)]),
      tool('lint', 'go vet ./...', 'go.mod makes it a Go module'),
      tool('typecheck', 'go vet ./...', 'go.mod makes it a Go module; vet compiles the tests too'),
      tool('build', 'go build ./...', 'go.mod makes it a Go module'),
    ],
    problems: [],
  }
}
