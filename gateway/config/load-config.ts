import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { fillPresets, serviceConfig, type ServiceConfig } from './config.ts'
import { ENVIRONMENT } from './environment.ts'
import { ConfigError } from './config-error.ts'
import { redact } from './redact-config.ts'
import { resolveReferences, type ConfigValue, type ReferenceSources } from './resolve-references.ts'

/** The parser's message without the part of the file that it quotes, because that may belong to a key. */
function describeJsonProblem({ message }: Error): string {
  const [, token] = /^Unexpected token (\S+),/.exec(message) ?? []
  if (token !== undefined) return `Unexpected token ${token}`
  return message.includes('"') ? 'it is not valid JSON' : message
}

function readConfigFile(file: string, sources: ReferenceSources): Record<string, unknown> {
  let parsed: ConfigValue
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8')) as ConfigValue
  } catch (error) {
    const problem = describeJsonProblem(error as Error)
    throw new ConfigError(`CONFIG names ${file}, which cannot be read as JSON: ${problem}`)
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    throw new ConfigError(`CONFIG names ${file}, which must hold one JSON object`)
  const { chains, ...others } = moveFormerMembers(
    resolveReferences(parsed, sources) as Record<string, unknown>,
    sources.warn,
  )
  return {
    ...others,
    ...(chains !== undefined && { chains: fillPresets(chains) }),
  }
}

function setMember(
  target: Record<string, unknown>,
  [first, ...rest]: readonly string[],
  value: unknown,
): void {
  if (first === undefined) return
  if (rest.length === 0) target[first] = value
  else setMember((target[first] ??= {}) as Record<string, unknown>, rest, value)
}

const writePath = (path: readonly PropertyKey[]) =>
  path.reduce<string>(
    (text, part) =>
      typeof part === 'number' ? `${text}[${part}]` : text ? `${text}.${String(part)}` : String(part),
    '',
  )

function valueAt(input: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, part) => (at as Record<PropertyKey, unknown> | undefined)?.[part], input)
}

function explain(
  issue: z.core.$ZodIssue,
  input: unknown,
  setBy: ReadonlyMap<string, string>,
  file: string | undefined,
): string {
  const path = writePath(issue.path)
  if (issue.code === 'unrecognized_keys') {
    const names = issue.keys.map((key) => (path ? `${path}.${key}` : key)).join(', ')
    return `${names}: no such setting. Remove it from ${file ?? 'the file that CONFIG names'}, or correct its name: gateway/config/SETTINGS.md has all.`
  }
  const variable = [...setBy].find(([key]) => path === key || path.startsWith(`${key}[`))?.[1]
  // An element of a list is as secret as the list.
  const name = issue.path.findLast((part) => typeof part === 'string')
  const shown = redact(valueAt(input, issue.path), name)
  const where = variable
    ? `the variable ${variable} (${ENVIRONMENT[variable]?.help})`
    : (file ?? 'the file that CONFIG names')
  return `${variable ?? (path || 'the configuration')} is ${JSON.stringify(shown) ?? 'missing'}: ${issue.message}. Fix it in ${where}.`
}

/**
 * Reads the configuration: the JSON file that CONFIG names, then the environment, which takes precedence. `warn`
 * receives settings that work but should be corrected.
 * @throws ConfigError that names every invalid key, its problem and where to correct it.
 */
export function loadConfig(
  env: NodeJS.ProcessEnv,
  warn: (message: string) => void = () => {},
): ServiceConfig {
  const file = env['CONFIG']
  const input = file ? readConfigFile(file, { env, warn }) : {}
  const setBy = new Map<string, string>()
  for (const [name, { path, read }] of Object.entries(ENVIRONMENT)) {
    const text = env[name]
    if (text === undefined || text === '') continue
    setMember(input, path, read(text))
    setBy.set(path.join('.'), name)
  }
  const parsed = serviceConfig.safeParse(input)
  if (parsed.success) return parsed.data
  throw new ConfigError(parsed.error.issues.map((issue) => explain(issue, input, setBy, file)).join('\n'))
}

/** Former members of a chain and their present place: in `relayer`, or under another name. */
const OF_RELAYER = [
  'entrypoint',
  'assets',
  'asp',
  'signerKeys',
  'feeReceiverKey',
  'feeReceiver',
  'maxGasPrice',
  'unpaidGasPerHour',
  'multicall',
]

type Members = Readonly<Record<string, unknown>>

const isObject = (value: unknown): value is Members =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/**
 * Converts a configuration that was written before chains had optional parts: the relayer's members move into
 * `relayer`, `intents` becomes `sending`. A member that is in both places stays, so that the schema refuses it.
 *
 * @param warn Receives which members of which chain moved, and where to write them.
 * @returns The same configuration if nothing had to move.
 */
function moveFormerMembers(input: Members, warn: (message: string) => void): Members {
  const { chains } = input
  if (!Array.isArray(chains)) return input
  return {
    ...input,
    chains: chains.map((chain: unknown, place) =>
      isObject(chain) ? moveInChain(chain, `chains[${place}]`, warn) : chain,
    ),
  }
}

function moveInChain(chain: Members, path: string, warn: (message: string) => void): Members {
  const { relayer = {} } = chain
  const found = OF_RELAYER.filter((name) => name in chain && isObject(relayer) && !(name in relayer))
  const isRenamed = 'intents' in chain && !('sending' in chain)
  if (found.length === 0 && !isRenamed) return chain
  const kept = Object.entries(chain).filter(
    ([name]) => !found.includes(name) && !(isRenamed && name === 'intents'),
  )
  const moved = Object.fromEntries(found.map((name) => [name, chain[name]]))
  const words = [
    ...(found.length > 0 ? [`write ${found.join(', ')} in ${path}.relayer`] : []),
    ...(isRenamed ? [`rename ${path}.intents to sending`] : []),
  ]
  warn(`${path} is in an earlier form, which is still read: ${words.join('; ')}.`)
  return {
    ...Object.fromEntries(kept),
    ...(found.length > 0 && { relayer: { ...(relayer as Members), ...moved } }),
    ...(isRenamed && { sending: chain['intents'] }),
  }
}
