/** Python looks for modules in the folder that it is started in before it looks where its own are. */
const modules =
  'pytest _pytest unittest doctest nose2 coverage tox nox mock pluggy argparse abc ast codecs collections contextlib copy difflib dis encodings enum fnmatch functools glob importlib inspect io json keyword linecache locale operator optparse os pathlib platform posixpath pprint re reprlib shutil signal site stat string struct subprocess tempfile textwrap threading token tokenize traceback types typing warnings weakref sitecustomize usercustomize'

const names = new Set(modules.split(' '))

/** The module of the runner whose place a new file of this path takes; undefined: none. */
export function shadowedModule(path: string): string | undefined {
  const module = /^(\w+)(?:\.py|\/__(?:init|main)__\.py)$/u.exec(path)?.[1]
  return module !== undefined && names.has(module) ? module : undefined
}
