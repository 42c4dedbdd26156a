/** Texts that come back from tools. */
import type { Random } from '../random.ts'
import type { Project } from './project.ts'

/** Lines of source that look like source, numbered where the tool numbers them. */
export function sourceText(random: Random, project: Project, lines: number, firstLine = 0): string {
  return Array.from({ length: lines }, (_, index) => {
    const line = sourceLine(random, project)
    return firstLine === 0 ? line : `${String(firstLine + index).padStart(6)}\t${line}`
  }).join('\n')
}

function sourceLine(random: Random, project: Project): string {
  const [one, two] = [random.pick(project.symbols), random.pick(project.symbols)]
  const number = random.between(0, 400)
  return random.pick([
    `const value${number} = ${one}(input, ${number})`,
    `  if (${one}(item) > ${number}) return ${two}(item)`,
    `  // ${one} must run before ${two}`,
    `  total += ${two}(row, ${number})`,
    `  return ${one}(${two}(state))`,
    '',
    `  log.debug('${one}', ${number})`,
  ])
}

/** What a runner says. `took` changes from run to run in real life; left out it is not printed. */
export function testText(project: Project, failing: readonly string[], total: number, took?: string): string {
  const passed = total - failing.length
  const time = took === undefined ? '' : ` in ${took}`
  const blocks = failing.map((name, index) => failureText(project, name, index))
  const sum =
    project.extension === 'py'
      ? `${failing.length === 0 ? '' : `${failing.length} failed, `}${passed} passed${time}`
      : project.extension === 'go'
        ? failing.length === 0
          ? `ok  \tproject/internal\t(${passed} tests)${time}`
          : `FAIL\tproject/internal\t(${failing.length} of ${total})${time}`
        : `Tests  ${failing.length === 0 ? '' : `${failing.length} failed | `}${passed} passed (${total})${time}`
  return [...blocks, sum].join('\n')
}

function failureText(project: Project, name: string, index: number): string {
  const line = 10 + ((name.length * 7 + index) % 90)
  const [expected, received] = [name.length, (name.length * 3 + 1) % 50]
  switch (project.extension) {
    case 'py':
      return `FAILED tests/test_main.py::test_${name.replaceAll(' ', '_')} - AssertionError: assert ${received} == ${expected}`
    case 'go':
      return `--- FAIL: Test_${name.replaceAll(' ', '_')}\n    main_test.go:${line}: got ${received}, want ${expected}`
    case 'ts':
    case 'js':
      return ` FAIL  test/main.test.${project.extension}:${line} > ${name}\nAssertionError: expected ${received} to be ${expected}`
  }
}

export function searchText(random: Random, project: Project, pattern: string, hits: number): string {
  if (hits === 0) return ''
  return Array.from(
    { length: hits },
    () =>
      `${random.pick(project.paths)}:${random.between(1, 400)}:  ${pattern}(${random.pick(project.symbols)})`,
  ).join('\n')
}

export function listText(random: Random, project: Project): string {
  return random
    .shuffled(project.paths)
    .slice(0, random.between(3, 14))
    .map((path) => path.split('/').at(-1) ?? path)
    .toSorted()
    .join('\n')
}
