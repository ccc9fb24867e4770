import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { serviceConfig, type ServiceConfig } from './config.ts'
import { ENVIRONMENT } from './environment.ts'
import { ConfigError } from './config-error.ts'
import { moveFormerMembers } from './move-former-members.ts'
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
  return { ...moveFormerMembers(resolveReferences(parsed, sources) as Record<string, unknown>, sources.warn) }
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
