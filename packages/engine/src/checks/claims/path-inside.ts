import { isAbsolute, relative, resolve } from 'node:path'

/** Relative to the folder, `/` between its parts. Undefined: it leads out of the folder, or into what git and package managers keep. */
export function pathInside(folder: string, path: string): string | undefined {
  const inside = relative(folder, resolve(folder, path)).replaceAll('\\', '/')
  const isOutside = inside === '' || inside === '..' || inside.startsWith('../') || isAbsolute(inside)
  return isOutside || /(?:^|\/)(?:\.git|node_modules)(?:\/|$)/.test(inside) ? undefined : inside
}
