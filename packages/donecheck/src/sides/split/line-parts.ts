/** Manifests that are lists of lines: which of them belong to the checks. */

export type LineManifest = 'go.mod' | 'requirements.txt'

/** Of Go, another module in the place of one that is named; of pip, options, addresses and folders. */
const checkLine: Readonly<Record<LineManifest, RegExp>> = {
  'go.mod': /^(?:replace|exclude|godebug|toolchain|tool|ignore)\b/u,
  'requirements.txt': /^(?:-|[.~]{0,2}\/|[\w+]+:|[^#]*@)/u,
}

export function mergeLines(before: string, after: string, manifest: LineManifest): string {
  const isCheck = (part: string): boolean =>
    checkLine[manifest].test(part.trimStart()) && !(manifest === 'go.mod' && isOwnNewModule(part, before))
  const [earlier, now] = [partsIn(before), partsIn(after)]
  const checks = earlier.filter(isCheck)
  if (
    checks.map((part) => part.trim()).join('\n') ===
    now
      .filter(isCheck)
      .map((part) => part.trim())
      .join('\n')
  )
    return after
  const product = now.filter((part) => !isCheck(part)).join('')
  const between = product === '' || product.endsWith('\n') || checks.length === 0 ? '' : '\n'
  return product + between + checks.join('')
}

const ownModule = /^replace[ \t]+([\w-]+\.[\w.-]*(?:\/[\w.~-]+)+)[ \t]+=>[ \t]+\.\/(?!.*\.\.)[\w./-]+[ \t]*$/u

/**
 * A module of the same tree that no earlier file can have imported: nothing of its name is there before. From Go 1.17 on, a
 * manifest lists every module that tests need, the modules of modules too.
 */
function isOwnNewModule(part: string, before: string): boolean {
  const module = ownModule.exec(part.trim())?.[1]
  const version = /^go[ \t]+1\.(\d+)/mu.exec(before)?.[1]
  if (module === undefined || version === undefined || Number(version) < 17) return false
  const known = before.match(/[\w-]{1,100}\.[\w.-]{0,200}(?:\/[\w.~-]+)+|^module[ \t]+\S+/gmu) ?? []
  return known
    .map((name) => name.replace(/^module[ \t]+"?|"$/gu, ''))
    .every((name) => name !== module && !name.startsWith(`${module}/`) && !module.startsWith(`${name}/`))
}

/** Lines, and blocks in parentheses as one. */
function partsIn(text: string): readonly string[] {
  const parts: string[] = []
  let isInBlock = false
  for (const line of text.match(/[^\n]*\n|[^\n]+$/gu) ?? []) {
    parts.push(isInBlock ? `${parts.pop() ?? ''}${line}` : line)
    if (/^\w+\s*\(\s*(?:\/\/.*)?$/u.test(line.trimEnd())) isInBlock = true
    else if (/^\s*\)/u.test(line)) isInBlock = false
  }
  return parts
}
