import { nothingDetected, tool, type Detection, type ProjectFiles } from '../detected.ts'

/** A Cargo package or workspace. */
export async function detectRust(files: ProjectFiles): Promise<Detection> {
  const manifest = await files.text('Cargo.toml')
  if (manifest === undefined) return nothingDetected
  const isWorkspace = /^\s*\[workspace\b/m.test(manifest)
  const all = isWorkspace ? ' --workspace' : ''
  const why = isWorkspace ? 'Cargo.toml makes it a Cargo workspace' : 'Cargo.toml makes it a Cargo package'
  return {
    candidates: [
      tool('tests', `cargo test${all}`, why),
      tool(
        'lint',
        `cargo clippy${all} --all-targets -- -D warnings`,
        `${why}; without "-D warnings" it never fails`,
      ),
      tool('typecheck', `cargo check${all} --all-targets`, why),
      tool('build', `cargo build${all}`, why),
    ],
    problems: [],
  }
}
