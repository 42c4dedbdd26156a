/** What the texts say must be there today. Each check is a gate over the same tree as the architecture's. */
import path from 'node:path'
import { z } from 'zod'
import { folderOf, pathsOf, type Gate, type Problem, type Project } from '../architecture/project.ts'
import { complaintOfScript } from './commands.ts'
import { anchorsOf, codeSpansOf, linksOf, readMarkdown, type Markdown, type Piece } from './markdown.ts'

const requiredTexts = ['README.md', 'ARCHITECTURE.md', 'AGENTS.md', 'CHANGELOG.md', 'LICENSE']

function isText(path: string): boolean {
  const isPage = /^(?:docs\/.*|packages\/[^/]+\/README)\.md$/.test(path)
  return isPage || (requiredTexts.includes(path) && path.endsWith('.md'))
}

export const requiredFiles: Gate<'required-texts'> = {
  name: 'required-texts',
  find: (project) =>
    requiredTexts
      .filter((where) => (project.files.get(where) ?? '').trim() === '')
      .map((where) => ({ where, message: 'is missing or empty' })),
}

/** A check that looks at pieces of every text and says what is wrong with one, if anything. */
function pieceCheck<Name extends string>(
  name: Name,
  accepts: (path: string) => boolean,
  piecesOf: (markdown: Markdown) => readonly Piece[],
  complaintOf: (text: string, where: string, project: Project) => string | undefined,
): Gate<Name> {
  return {
    name,
    find: (project) =>
      pathsOf(project, accepts).flatMap((where) =>
        piecesOf(readMarkdown(project.files.get(where) ?? '')).flatMap(
          ({ line, text }): readonly Problem[] => {
            const message = complaintOf(text, where, project)
            return message === undefined ? [] : [{ where, line, message }]
          },
        ),
      ),
  }
}

/** Relative links lead to files or folders, and anchors to headings. Other people's addresses are not visited. */
export const links = pieceCheck('links', isText, linksOf, (target, where, project) => {
  if (/^[a-z][a-z\d+.-]*:/i.test(target)) return undefined
  const [file = '', anchor] = target.split('#')
  const aim = file === '' ? where : path.posix.join(folderOf(where), decodeURIComponent(file))
  if (!exists(project, aim)) return `the link to ${target} leads nowhere`
  const text = project.files.get(aim)
  if (anchor === undefined || !aim.endsWith('.md') || text === undefined) return undefined
  return anchorsOf(readMarkdown(text)).includes(anchor) ? undefined : `${aim} has no heading for #${anchor}`
})

function exists(project: Project, aim: string): boolean {
  const bare = aim.replace(/\/$/, '')
  return project.paths.has(bare) || [...project.paths].some((path) => path.startsWith(`${bare}/`))
}

/** They name files of other people's repositories. */
const textsOfOthers = ['docs/measured/strangers.md']

/** Files with these names are written by users. */
const filesOfUsers = ['donecheck.config.ts']

const isOfThisTree = (path: string) => isText(path) && !textsOfOthers.includes(path)

/**
 * `state/state.ts` and `packages/donecheck/package.json` are paths of this tree, from any folder on; so is a bare
 * `state.ts`. `rules/caps/x.ts` and `examples/NN-name.ts` are recipes: their folder must be there. Bare `.md` and `.json`
 * names, and paths that begin with a dot, `~` or `/`, are files of users.
 */
export const codePaths = pieceCheck('code-paths', isOfThisTree, codeSpansOf, (text, _, project) => {
  const name = /^(?<path>\w[\w@.-]*(?:\/[\w@.-]+)*\.(?:ts|md|json))(?::\d+)?$/.exec(text)?.groups?.['path']
  if (name === undefined || filesOfUsers.includes(name)) return undefined
  const isBare = !name.includes('/')
  if (isBare && !name.endsWith('.ts')) return undefined
  const isRecipe = /(?:^|\/)(?:x(?:\.test)?\.ts|NN-[^/]*)$/.test(name)
  const aim = isRecipe ? folderOf(name) : name
  const isSomewhere = [...project.paths].some(
    (file) => `/${file}`.endsWith(`/${aim}`) || (isRecipe && `/${file}`.includes(`/${aim}/`)),
  )
  return isSomewhere ? undefined : `there is no file ${name}`
})

const manifest = z.object({ scripts: z.record(z.string(), z.string()).default({}) })

/** `npm run x` is a script of this project. In quotation marks it is a command of the user's project. */
export const npmScripts = pieceCheck('npm-scripts', isText, linesWithScripts, (text, _, project) => {
  const scripts = pathsOf(project, (path) => /^(?:packages\/[^/]+\/)?package\.json$/.test(path)).flatMap(
    (path) => Object.keys(manifest.parse(JSON.parse(project.files.get(path) ?? '{}')).scripts),
  )
  const named = [...text.matchAll(/(?<!["'])\bnpm run ([\w:.-]*\w)/g)].map(([, name = '']) => name)
  const missing = named.filter((name) => !scripts.includes(name))
  return missing.length === 0 ? undefined : `there is no script ${missing.join(', ')}`
})

function linesWithScripts({ prose, blocks }: Markdown): readonly Piece[] {
  return [...prose, ...blocks].filter(({ text }) => text.includes('npm run '))
}

/** Who reads a package's page has the package, not its sources. */
export const packageImports = pieceCheck(
  'package-imports',
  (path) => /^packages\/[^/]+\/README\.md$/.test(path),
  typeScriptBlocks,
  (text) => {
    const relative = /from '(\.[^']*)'/.exec(text)?.[1]
    return relative === undefined ? undefined : `${relative} is imported: name the package`
  },
)

/** What the pages let a reader type is taken by the command. */
export const commands = pieceCheck(
  'commands',
  isText,
  ({ blocks }) => blocks.filter(({ language }) => ['sh', 'bash', 'console'].includes(language)),
  complaintOfScript,
)

const isGuide = (path: string) => path === 'README.md' || /^docs\/guide\/.*\.md$/.test(path)

/** Its programs are complete: `test/e2e/packed.test.ts` compiles and runs each of them against the packed packages. */
const isComplete = (path: string) => path === 'docs/guide/library.md'

const hasPieces = (path: string) => isGuide(path) && !isComplete(path)

/** Code in the guide stands word for word in an example, which is compiled and run. Indentation may differ. */
export const snippets = pieceCheck('snippets', hasPieces, typeScriptBlocks, (text, _, project) => {
  const wanted = linesOf(text).join('\n')
  const examples = pathsOf(project, (path) => /^examples\/.*\.tsx?$/.test(path))
  const isFound = examples.some((path) =>
    `\n${linesOf(project.files.get(path) ?? '').join('\n')}\n`.includes(`\n${wanted}\n`),
  )
  return isFound ? undefined : `no example holds this code: ${wanted.split('\n')[0] ?? ''}`
})

function typeScriptBlocks({ blocks }: Markdown): readonly Piece[] {
  return blocks.filter(({ language }) => ['ts', 'tsx', 'typescript'].includes(language))
}

function linesOf(text: string): readonly string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
}

export const maxPageWords = 2500
export const maxPackageReadmeWords = 150

/** Written by a program, or read by looking up a row: nobody reads them from the first line to the last. */
const tables = ['docs/reference/api.md', 'docs/reference/command.md', 'docs/reference/reasons.md']

/** A page can be read in one go. What is measured may be as long as it is. */
export const pageLength: Gate<'page-length'> = {
  name: 'page-length',
  find: (project) =>
    pathsOf(project, (path) => wordLimitOf(path) !== undefined).flatMap((where) => {
      const words = wordsIn(project.files.get(where) ?? '')
      const limit = wordLimitOf(where) ?? words
      return words > limit ? [{ where, message: `${words} words, ${limit} are allowed` }] : []
    }),
}

function wordLimitOf(path: string): number | undefined {
  if (/^packages\/[^/]+\/README\.md$/.test(path)) return maxPackageReadmeWords
  const isPage = path === 'README.md' || /^docs\/(?!measured\/).*\.md$/.test(path)
  return isPage && !tables.includes(path) ? maxPageWords : undefined
}

/** Marks that draw a table or a list are none. */
function wordsIn(text: string): number {
  return text.split(/\s+/).filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length
}

export const checks = [
  requiredFiles,
  links,
  codePaths,
  npmScripts,
  packageImports,
  commands,
  snippets,
  pageLength,
] as const

export type CheckName = (typeof checks)[number]['name']
