/** Which version of one package a list of what the project wants asks for. */
import { basename } from 'node:path'
import { packageNamePattern } from './lock-entries.ts'

const keys = [
  'dependencies',
  'devDependencies',
  'optionalDependencies',
  'peerDependencies',
  'overrides',
  'resolutions',
]

/** Whether this package is asked for otherwise than before; what else the list says does not matter. */
export function isAskedAnew(path: string, name: string, then: string, now: string): boolean {
  const earlier = new Set(requestsIn(path, name, then))
  return requestsIn(path, name, now).some((request) => !earlier.has(request))
}

function requestsIn(path: string, name: string, text: string): readonly string[] {
  if (basename(path) === 'package.json') return nodeRequests(name, text)
  const written = `${packageNamePattern(name)}(?:\\s*\\[[^\\]\\n]*\\])?\\s*`
  const patterns = path.endsWith('.toml')
    ? [`["']${written}([<>=!~@(][^"';\\n]*)`, `^\\s*["']?${written}["']?\\s*=([^\\n]+)`]
    : [`^[ \\t]*${written}([<>=!~@(][^;\\n]*)`]
  const plain = text.replaceAll(/(^|\s)#[^\n]*/g, '$1')
  return patterns
    .flatMap((pattern) => [...plain.matchAll(new RegExp(pattern, 'gim'))])
    .map(([, request = '']) => request.replaceAll(/[\s,]+$|\s+/g, ''))
}

function nodeRequests(name: string, text: string): readonly string[] {
  const manifest = objectIn(text)
  return keys.flatMap((key) => {
    const asked: unknown = new Map(Object.entries(manifest)).get(key)
    if (typeof asked !== 'object' || asked === null) return []
    const request: unknown = new Map<string, unknown>(Object.entries(asked)).get(name)
    return typeof request === 'string' ? [request.trim()] : []
  })
}

/** What is no JSON asks for nothing. */
function objectIn(text: string): object {
  try {
    const value: unknown = JSON.parse(text)
    return typeof value === 'object' && value !== null ? value : {}
  } catch {
    return {}
  }
}
