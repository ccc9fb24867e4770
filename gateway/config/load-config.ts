import { readFileSync } from 'node:fs'
import type { z } from 'zod'
import { serviceConfig, type ServiceConfig } from './config.ts'
import { ENVIRONMENT } from './environment.ts'
import { redact } from './redact-config.ts'

/** A configuration that cannot be used; the message names each key, what is wrong with it and where to mend it. */
export class ConfigError extends Error {
  override name = 'ConfigError'
}

type Json = null | boolean | number | string | Json[] | { [member: string]: Json }

/** Replaces `{"$env": "NAME"}` and `{"$file": "path"}` by what they name, so that keys need not stand in the file. */
function resolveReferences(value: Json, env: NodeJS.ProcessEnv, path: string): Json {
  if (Array.isArray(value))
    return value.map((item, index) => resolveReferences(item, env, `${path}[${index}]`))
  if (value === null || typeof value !== 'object') return value
  const [[member, name] = [], ...others] = Object.entries(value)
  if (others.length === 0 && typeof name === 'string') {
    if (member === '$env') {
      const found = env[name]
      if (found === undefined)
        throw new ConfigError(`${path} takes its value from the environment, but ${name} is not set. Set it.`)
      return found
    }
    if (member === '$file') {
      try {
        return readFileSync(name, 'utf8').trim()
      } catch (error) {
        throw new ConfigError(
          `${path} takes its value from ${name}, which cannot be read: ${(error as Error).message}`,
        )
      }
    }
  }
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [
      key,
      resolveReferences(item, env, path ? `${path}.${key}` : key),
    ]),
  )
}

function readConfigFile(file: string, env: NodeJS.ProcessEnv): Record<string, unknown> {
  let parsed: Json
  try {
    parsed = JSON.parse(readFileSync(file, 'utf8')) as Json
  } catch (error) {
    throw new ConfigError(`CONFIG names ${file}, which cannot be read as JSON: ${(error as Error).message}`)
  }
  if (parsed === null || typeof parsed !== 'object' || Array.isArray(parsed))
    throw new ConfigError(`CONFIG names ${file}, which must hold one JSON object`)
  return resolveReferences(parsed, env, '') as Record<string, unknown>
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
  const shown = redact(valueAt(input, issue.path), issue.path.at(-1))
  const where = variable
    ? `the variable ${variable} (${ENVIRONMENT[variable]?.help})`
    : (file ?? 'the file that CONFIG names')
  return `${variable ?? (path || 'the configuration')} is ${JSON.stringify(shown) ?? 'missing'}: ${issue.message}. Fix it in ${where}.`
}

/**
 * Reads the configuration: the JSON file that CONFIG names, then the environment, which wins. Throws ConfigError that
 * names every bad key, its problem and where to mend it.
 */
export function loadConfig(env: NodeJS.ProcessEnv): ServiceConfig {
  const file = env['CONFIG']
  const input = file ? readConfigFile(file, env) : {}
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
