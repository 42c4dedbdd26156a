/** From the options of each kind to the verifiers that it stands for; where there are several, all must pass. */
import type { PatternSpec, SpecOf } from '../../../config/index.ts'
import { given, UsageError } from '@donecheck/engine/base'
import type { Embedder } from '@donecheck/engine/models'
import type { Verifier } from '@donecheck/engine/ports/checks'
import {
  fileExists,
  fileMatches,
  forbiddenPatterns,
  gitClean,
  gitDiff,
  httpStatus,
  jsonPath,
  processAlive,
  requiredItems,
  responseLength,
  schema,
  similarity,
  type VerifierOptions,
} from '@donecheck/engine/verify'
import { orUsageError } from '../../process/failure.ts'

export type NamedOptions = VerifierOptions & { readonly name?: string }

export function schemaCheck(spec: SpecOf<'schema'>, options: NamedOptions): readonly Verifier[] {
  if (typeof spec.schema === 'string') throw new UsageError(`the schema ${spec.schema} was not read`)
  return [schema(spec.schema, { ...options, ...sourceOf(spec) })]
}

export function jsonCheck(spec: SpecOf<'json'>, options: NamedOptions): readonly Verifier[] {
  const { query, exists = true, equals, count, file } = spec
  if (equals !== undefined && count !== undefined)
    throw new UsageError('json is given equals and count; give one of them')
  const expected = equals !== undefined ? { equals } : count !== undefined ? { count } : { exists }
  return [jsonPath(file ?? { answer: true }, query, expected, options)]
}

export function textCheck(spec: SpecOf<'text'>, options: NamedOptions): readonly Verifier[] {
  const { requires, forbids, caseSensitive, words, lines, characters } = spec
  const source = { ...options, ...sourceOf(spec) }
  const form = { ...source, ...given({ caseSensitive }) }
  const length = given({ words, lines, characters })
  return [
    ...(Object.keys(length).length === 0 ? [] : [responseLength(length, source)]),
    ...(requires === undefined ? [] : [requiredItems(requires.map(patternOf), form)]),
    ...(forbids === undefined ? [] : [forbiddenPatterns(forbids.map(patternOf), form)]),
  ]
}

export function filesCheck(spec: SpecOf<'files'>, options: NamedOptions): readonly Verifier[] {
  const { files, nonEmpty = false, contain } = spec
  if (contain === undefined) return [fileExists(files, { ...options, nonEmpty })]
  return files.map((path) => fileMatches(path, patternOf(contain), options))
}

export function similarityCheck(
  spec: SpecOf<'similarity'>,
  options: NamedOptions,
  model: Embedder | undefined,
): readonly Verifier[] {
  const { to, threshold } = spec
  if (to === undefined) throw new UsageError('similarity has nothing to compare with; give to or toFile')
  return [similarity(to, { ...options, ...sourceOf(spec), ...given({ threshold, model }) })]
}

export function gitCheck(spec: SpecOf<'git'>, options: NamedOptions): readonly Verifier[] {
  const { clean = false, only, forbid, maxFiles, maxAddedLines, maxRemovedLines, against } = spec
  const bounds = given({ only, forbid, maxFiles, maxAddedLines, maxRemovedLines })
  const isBounded = Object.keys(bounds).length > 0
  if (against !== undefined && !isBounded)
    throw new UsageError(`git is compared with ${against}, and nothing is asked of it; give only or forbid`)
  return [
    ...(clean ? [gitClean(options)] : []),
    ...(isBounded ? [gitDiff({ ...options, ...bounds, ...given({ against }) })] : []),
  ]
}

export function httpCheck(spec: SpecOf<'http'>, options: NamedOptions): readonly Verifier[] {
  const { url, status = 200, method = 'GET', contains, readyWithinSeconds = 0 } = spec
  const body = contains === undefined ? {} : { bodyMatches: patternOf(contains) }
  return [httpStatus({ ...options, ...body, url, status, method, readyWithinMs: readyWithinSeconds * 1000 })]
}

export function processCheck(spec: SpecOf<'process'>, options: NamedOptions): readonly Verifier[] {
  const { port, pidFile } = spec
  return [processAlive({ ...options, ...given({ port, pidFile }) })]
}

export function sourceOf({ file }: { readonly file?: string | undefined }) {
  return file === undefined ? {} : { source: { file } }
}

function patternOf(pattern: PatternSpec): string | RegExp {
  if (typeof pattern === 'string') return pattern
  return orUsageError(
    () => new RegExp(pattern.pattern, pattern.flags),
    (error) => `the pattern ${pattern.pattern} is no regular expression: ${String(error)}`,
  )
}
