import { checkKinds, type CheckKind } from './detected.ts'

/** Names that projects give to their checks, best first. */
const names: Readonly<Record<CheckKind, readonly string[]>> = {
  tests: ['test', 'tests', 'test:unit', 'unit-test', 'unit'],
  lint: ['lint', 'lint:check', 'eslint'],
  typecheck: ['typecheck', 'type-check', 'types:check', 'check-types', 'check:types', 'types', 'tsc'],
  build: ['build', 'compile'],
}

const typeCheckers = /\b(tsc|vue-tsc|svelte-check|astro check|mypy|pyright)\b/
const linters = /\b(eslint|biome|oxlint|ruff|flake8|prettier|clippy)\b/

/** Which of a project's own scripts make which check. `check` is what its text shows it to be. */
export function namedChecks(scripts: ReadonlyMap<string, string>): readonly (readonly [CheckKind, string])[] {
  const found = checkKinds.flatMap((kind) => {
    const name = names[kind].find((candidate) => scripts.has(candidate))
    return name === undefined ? [] : [[kind, name] as const]
  })
  const check = scripts.get('check')
  if (check === undefined) return found
  const has = (kind: CheckKind) => found.some(([other]) => other === kind)
  const kinds: readonly CheckKind[] = typeCheckers.test(check)
    ? ['typecheck']
    : linters.test(check)
      ? ['lint']
      : ['tests']
  return [...found, ...kinds.filter((kind) => !has(kind)).map((kind) => [kind, 'check'] as const)]
}
