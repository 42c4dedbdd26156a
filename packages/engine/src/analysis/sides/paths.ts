export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

export function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}

/** Path used in imports: `a/b.ts` → `a/b`, `a/b/index.ts` → `a/b`. */
export function modulePathOf(path: string): string {
  const stem = nameOf(path).replace(/(?:\.d)?\.\w+$/u, '')
  const folder = folderOf(path)
  const standsForFolder = /^(?:index|__init__|mod)$/u.test(stem) && folder !== ''
  return standsForFolder ? folder : join(folder, stem)
}

/** Removes `.`, `..` and empty parts. @returns undefined if it leaves the work folder */
export function resolvePath(folder: string, written: string): string | undefined {
  const parts: string[] = []
  for (const part of `${folder}/${written}`.split('/')) {
    if (part === '..') {
      if (parts.pop() === undefined) return undefined
    } else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

export function join(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('/')
}

export function foldersAround(folder: string): readonly string[] {
  return folder === '' ? [folder] : [folder, ...foldersAround(folderOf(folder))]
}

export function isWithin(path: string, folder: string): boolean {
  return folder === '' || path === folder || path.startsWith(`${folder}/`)
}

type Fields = readonly (readonly [string, unknown])[]

/** Empty if the text is not a JSON object. */
export function jsonFields(text: string | null): Fields {
  try {
    return fieldsOf(JSON.parse(text ?? 'null'))
  } catch {
    return []
  }
}

export function fieldsOf(value: unknown): Fields {
  return typeof value === 'object' && value !== null ? Object.entries(value) : []
}

export function stringsIn(value: unknown): readonly string[] {
  if (typeof value === 'string') return [value]
  return fieldsOf(value).flatMap(([, inner]) => stringsIn(inner))
}

export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined
  return () => (made ??= { value: make() }).value
}
