/** Python looks for modules in the folder that it is started in before it looks where its own are. */
const runners =
  'pytest _pytest unittest doctest nose2 coverage tox nox mock pluggy argparse abc ast codecs collections contextlib copy difflib dis encodings enum fnmatch functools glob importlib inspect io json keyword linecache locale operator optparse os pathlib platform posixpath pprint re reprlib shutil signal site stat string struct subprocess tempfile textwrap threading token tokenize traceback types typing warnings weakref'

const names = new Set(runners.split(' '))

/** A new file that takes the place of a module which the runners load. */
export function isShadowing(path: string): boolean {
  const module = /^(?:tests?\/)?(\w+)(?:\.py|\/__(?:init|main)__\.py)$/u.exec(path)?.[1]
  return module !== undefined && names.has(module)
}
