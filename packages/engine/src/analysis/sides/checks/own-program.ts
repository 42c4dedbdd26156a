/** Whether a file that a check starts is a program of the product, by its path alone. */
import { nameOf } from '../tree/paths.ts'

const productFolder = /(?:^|\/)(?:src|lib|app|cmd|dist|build|out|target|packages)\//u
const entryName = /^(?:index|main|__main__|app|cli|server|manage|wsgi|asgi|solution|solve)(?:\.\w+)?$/u
const checkName =
  /(?:^|[._-])(?:tests?|check(?:s|er)?|verify|verif\w*|validate|assert|spec|ci|lint|smoke|judge|grade|qa|e2e|gate)(?=[._-]|$)/iu

export function isOwnProgram(path: string): boolean {
  return !namesACheck(path) && (productFolder.test(path) || entryName.test(nameOf(path)))
}

export function namesACheck(path: string): boolean {
  return checkName.test(nameOf(path))
}
