/** Comments that silence a linter, a type checker or the counting of coverage: how they are taken out of a copy. */

const directive =
  /(?:eslint-disable(?:-next-line|-line)?|@ts-(?:ignore|nocheck|expect-error)|(?:istanbul|c8|v8) ignore|biome-ignore|deno-lint-ignore|oxlint-disable|tslint:disable|type:\s*ignore|(?:ruff:\s*|flake8:\s*)?noqa|pragma:\s*no\s*(?:cover|branch)|pylint:\s*disable|pyright:\s*ignore|mypy:\s*ignore|nolint|#nosec|lint:ignore)/giu

/** It can be taken out without changing what the code does. */
export function isSilencing(text: string): boolean {
  return text.search(directive) !== -1
}

/** The text with the directives of these lines (from 1) made to plain words; every line stays where it is. */
export function withoutSilencing(text: string, lines: ReadonlySet<number>): string {
  return text
    .split('\n')
    .map((row, index) => (lines.has(index + 1) ? row.replaceAll(directive, 'put aside') : row))
    .join('\n')
}
