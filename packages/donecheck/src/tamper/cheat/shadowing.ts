/** Python looks for modules in the folder that it is started in before it looks where its own are. */
const ofRunner =
  'pytest _pytest py iniconfig packaging pygments exceptiongroup tomli tomllib pluggy nose2 coverage tox nox mock hypothesis _hypothesis_pytestplugin sitecustomize usercustomize'
const ofPython =
  'unittest doctest argparse abc ast asyncio base64 bdb bisect codecs collections configparser contextlib contextvars copy copyreg dataclasses datetime decimal difflib dis encodings enum fnmatch functools genericpath gettext getpass glob hashlib heapq importlib inspect io json keyword linecache locale logging math numbers opcode operator optparse os pathlib pdb platform posixpath pprint re reprlib select selectors shlex shutil signal site socket stat string struct subprocess tempfile textwrap threading token tokenize traceback types typing warnings weakref'

const loadedByRunner = new Set(ofRunner.split(' '))
const loadedByPython = new Set(ofPython.split(' '))

/** A module of any making: a source, byte code, an extension, a folder. */
const ofModule =
  /^(?<folder>src\/|lib\/)?(?<module>\w+)(?:\.pyc?|(?:\.[\w-]+)?\.(?:so|pyd)|\/__(?:init|main)__\.pyc?)$/u

/**
 * The module of the runner whose place a new file of this path takes; undefined: none. In `src/` and `lib/` only names of the
 * runner and its plug-ins count: those folders may be packages, and a module inside of a package takes no place.
 */
export function shadowedModule(path: string): string | undefined {
  const { folder, module = '' } = ofModule.exec(path)?.groups ?? {}
  const isTaken =
    loadedByRunner.has(module) ||
    /^pytest_\w|_pytest(?:_|$)/u.test(module) ||
    (folder === undefined && loadedByPython.has(module))
  return isTaken ? module : undefined
}
