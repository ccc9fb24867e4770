import { getAddress, isAddress } from 'viem'
import type { NewDescriptor } from '../../../db/inspect/clear-signing/snapshots.ts'
import { canonicalDocument } from './canonical-function.ts'
import type { CheckSchema } from './compile-schema.ts'
import { parseFormatKey, type Format } from './format-key.ts'
import { isObject, type Json, type JsonObject } from './parse-strict-json.ts'
import { resolveIncludes } from './resolve-includes.ts'
import { MOST_FILE_BYTES, type SnapshotFiles } from './snapshot-files.ts'

const DESCRIPTOR = /(?:^|\/)(calldata|eip712)-[^/]*\.json$/
const STANDARD = /^ercs\/(?:calldata-(erc20|erc721)|eip712-(erc2612))[-.][^/]*$/

/** Returns the kind of the descriptor in a file; null for files that are only included. */
export const kindOfFile = (path: string): 'calldata' | 'eip712' | null =>
  (DESCRIPTOR.exec(path)?.[1] as 'calldata' | 'eip712' | undefined) ?? null

/**
 * Reads the descriptor of a file as it will be served.
 *
 * @throws Error that names the first fault.
 */
export function checkDescriptor(
  files: SnapshotFiles,
  path: string,
  kind: 'calldata' | 'eip712',
  checkSchema: CheckSchema,
): NewDescriptor {
  const descriptor = resolveIncludes(files, path)
  const problem = checkSchema(descriptor)
  if (problem !== null) throw new Error(problem)
  const member = kind === 'calldata' ? 'contract' : 'eip712'
  const binding = at(descriptor['context'], member)
  if (!isObject(binding)) throw new Error(`the file is named ${kind}, and its context has no \`${member}\``)
  const { text, hash } = canonicalDocument(descriptor)
  if (Buffer.byteLength(text) > MOST_FILE_BYTES)
    throw new Error(`longer than ${MOST_FILE_BYTES} bytes when merged`)
  const [, ofCalls, ofTypes] = STANDARD.exec(path) ?? []
  return {
    path,
    kind,
    standard: (ofCalls ?? ofTypes ?? null) as NewDescriptor['standard'],
    document: text,
    documentHash: Buffer.from(hash.slice(2), 'hex'),
    formats: readFormats(kind, at(at(descriptor, 'display'), 'formats')),
    deployments: readDeployments(binding['deployments']),
  }
}

const at = (value: Json | undefined, member: string) => (isObject(value) ? value[member] : undefined)

function readFormats(kind: 'calldata' | 'eip712', formats: Json | undefined): Format[] {
  if (!isObject(formats) || Object.keys(formats).length === 0) throw new Error('it formats nothing')
  const read = Object.keys(formats).map((key) => parseFormatKey(kind, key))
  const idOf = ({ hash }: Format) => (kind === 'calldata' ? hash.slice(0, 10) : hash)
  for (const [id, same] of Map.groupBy(read, idOf))
    if (same.length > 1)
      throw new Error(`two formats are of ${id}: ${same.map(({ key }) => key).join(' and ')}`)
  return read
}

function readDeployments(deployments: Json | undefined): NewDescriptor['deployments'] {
  if (deployments === undefined) return []
  if (!Array.isArray(deployments)) throw new Error('`deployments` is no list')
  const read = (deployments as readonly Json[]).map((deployment) => {
    const [chainId, address] = [at(deployment, 'chainId'), at(deployment, 'address')]
    if (typeof chainId !== 'number' || !Number.isSafeInteger(chainId) || chainId < 1)
      throw new Error('a deployment has no chainId')
    if (typeof address !== 'string' || !isAddress(address))
      throw new Error('a deployment has no address, or one with a wrong checksum')
    return { chainId, address: getAddress(address) }
  })
  return [...new Map(read.map((one) => [`${one.chainId}:${one.address}`, one])).values()]
}

/** Returns a descriptor with these deployments in place of its own. */
export function deployedAt(
  descriptor: JsonObject,
  kind: 'calldata' | 'eip712',
  deployments: readonly { chainId: number; address: string }[],
): JsonObject {
  const member = kind === 'calldata' ? 'contract' : 'eip712'
  const context = descriptor['context']
  if (!isObject(context)) throw new Error('a descriptor without context')
  const binding = context[member]
  return {
    ...descriptor,
    context: {
      ...context,
      [member]: {
        ...(isObject(binding) && binding),
        deployments: deployments.map(({ chainId, address }) => ({ chainId, address })),
      },
    },
  }
}
