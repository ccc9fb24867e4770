import type { Address, Hex } from 'viem'
import type { Chains } from '../../chain/nodes/chain.ts'
import { readProxy } from '../../chain/contracts/read-proxy.ts'
import { singleFlight } from '../../concurrency/coalesce-runs.ts'
import { badRequest, serverBusy } from '../../errors.ts'
import type { PublicTokens } from '../../market/tokens/tokens.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'
import { createSharedTurns } from '../../shares/shared-turns.ts'
import {
  serveDocument,
  type ActiveDescriptors,
  type ServedDescriptor,
  type ServedDocument,
} from './arrange-descriptors.ts'
import { canonicalDocument } from './canonical-function.ts'
import { deployedAt } from './check-descriptor.ts'
import type { ClearSigning, DescriptorBinding, DescriptorRequest, FoundDescriptor } from './clear-signing.ts'
import { descriptorNotFound } from './errors.ts'
import { parseFormatKey } from './format-key.ts'
import type { JsonObject } from './parse-strict-json.ts'
import { proveStandard, type ProvenStandard } from './prove-standard.ts'
import { demandAnswer } from './read-contract.ts'
import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import type { ClearSigningConfig } from './config.ts'
import { openActiveDescriptors } from './open-active-descriptors.ts'

/** Maximum of concurrent requests to nodes: anyone can ask for any address. */
const AT_ONCE = 64
const MOST_WAITING = 128
/** Maximum of cached documents of standards, one per contract. */
const MOST_KEPT = 1_000

const EVIDENCE_OF_PROXY = {
  eip1167: 'eip1167',
  eip1967: 'eip1967',
  'eip1967-beacon': 'eip1967_beacon',
} as const

/** Creates the lookup of descriptors: memory first, then the chain. */
export function createClearSigning(
  current: () => ActiveDescriptors,
  chains: Chains,
  tokens: PublicTokens,
): ClearSigning {
  const { readContract, readStandard } = createContractReader(chains, tokens)
  const documentAt = createDocumentFiller()

  return {
    async lookup(request) {
      const { kind, chainId, address } = request
      const wanted = readWanted(request)
      const own = current().bound(kind, chainId, address)
      if (own.length > 0)
        return found(choose(own, wanted), bindTo(chainId, address, 'deployment', { kind: 'registry' }))

      if (!chains.has(chainId)) throw descriptorNotFound()
      const contract = await readContract(`${chainId}:${address}`)
      if (!contract) throw descriptorNotFound()
      const { proxy } = contract
      // The admin of a transparent proxy calls the proxy itself, which no descriptor describes.
      if (proxy && request.caller !== undefined && request.caller === proxy.admin) throw descriptorNotFound()
      const behind = proxy ? current().bound(kind, chainId, proxy.implementation) : []
      if (proxy && behind.length > 0) {
        const evidence = { kind: EVIDENCE_OF_PROXY[proxy.kind] }
        return found(choose(behind, wanted), bindTo(chainId, proxy.implementation, 'proxy', evidence))
      }

      const proven = await readStandard(`${kind}:${chainId}:${address}`)
      const served = proven && current().ofStandard(proven.standard)
      if (!served) throw descriptorNotFound()
      return found(
        choose([served], wanted),
        { ...bindTo(chainId, address, 'standard', proven.evidence), standard: proven.standard },
        documentAt(served, request),
      )
    },
    listFormats: () => current().signatures,
  }
}

/** Creates the reads of contracts. Parallel reads of one contract share an answer, and few run at a time. */
function createContractReader(chains: Chains, tokens: PublicTokens) {
  const turns = createSharedTurns({
    atOnce: AT_ONCE,
    mostWaiting: MOST_WAITING,
    refuse: () => serverBusy('Too many contracts are being read; try again'),
  })

  /** Holds the turn until the node has answered, which may be after the client's timeout. */
  const bounded = <Answer>(work: () => Promise<Answer>) =>
    new Promise<Answer>((resolve, reject) => {
      const whole = turns.run(async () => {
        const answer = work()
        resolve(demandAnswer(answer))
        await answer.catch(() => undefined)
      })
      whole.catch(reject)
    })

  return {
    readContract: singleFlight((key: string) => {
      const [chainId, address] = key.split(':') as [string, Address]
      return bounded(async () => {
        const client = chains.get(Number(chainId))?.client
        const code = await client?.getCode({ address, blockTag: 'latest' })
        return client && code ? { code, proxy: await readProxy(client, address, code) } : null
      })
    }),
    readStandard: singleFlight((key: string) => {
      const [kind, chainId, address] = key.split(':') as ['calldata' | 'eip712', string, Address]
      return bounded(async () => {
        const client = chains.get(Number(chainId))?.client
        return client ? proveStandard(kind, { client, chainId: Number(chainId), address, tokens }) : null
      })
    }),
  }
}

/**
 * Creates the function, with its cache, that fills the one deployment into a document, so that a client that compares it
 * finds the contract.
 */
function createDocumentFiller() {
  const kept = new SharedPlaces<string, ServedDocument>(MOST_KEPT)
  return (served: ServedDescriptor, { chainId, address }: DescriptorRequest): ServedDocument => {
    const key = `${served.hash}:${chainId}:${address}`
    const known = kept.get(key)
    if (known) return known
    const filled = deployedAt(JSON.parse(served.text) as JsonObject, served.kind, [{ chainId, address }])
    const { text, hash } = canonicalDocument(filled)
    const made = serveDocument(text, hash)
    kept.set(key, made)
    return made
  }
}

const bindTo = (
  chainId: number,
  address: Address,
  kind: DescriptorBinding['kind'],
  evidence: Partial<ProvenStandard['evidence']> & Pick<ProvenStandard['evidence'], 'kind'>,
): DescriptorBinding => ({
  kind,
  standard: null,
  chainId,
  address,
  evidence: { onchainDecimals: null, catalogSources: [], ...evidence },
})

function found(
  served: ServedDescriptor,
  binding: DescriptorBinding,
  { text, hash, pack }: ServedDocument = served,
): FoundDescriptor {
  return { text, pack, source: { ...served.source, descriptorHash: hash }, binding }
}

interface Wanted {
  selector: Hex | null
  hash: string | null
}

/** @throws ServiceError `bad-request` for an invalid format, or if selector and format disagree. */
function readWanted({ kind, selector, formatKey }: DescriptorRequest): Wanted {
  if (kind === 'eip712' && selector !== undefined) throw badRequest('query.selector: only calls have one')
  const hash = formatKey === undefined ? null : readFormatKey(kind, formatKey)
  if (kind === 'calldata' && hash !== null && selector !== undefined && !hash.startsWith(selector))
    throw badRequest('query.formatKey: is of another function than query.selector')
  return { selector: selector ?? null, hash }
}

function readFormatKey(kind: DescriptorRequest['kind'], formatKey: string): string {
  if (/^0x[0-9a-fA-F]{64}$/.test(formatKey)) return formatKey.toLowerCase()
  try {
    return parseFormatKey(kind, formatKey).hash
  } catch {
    throw badRequest(
      'query.formatKey: expected a function, a type of EIP-712, or the 32 bytes of its keccak256',
    )
  }
}

/**
 * Chooses the one descriptor that formats the requested call or type. A descriptor omits a function on purpose, so
 * the search ends there.
 *
 * @throws ServiceError `not-found`; `bad-request` if several descriptors match.
 */
function choose(candidates: readonly ServedDescriptor[], { selector, hash }: Wanted): ServedDescriptor {
  const fitting = candidates.filter(
    ({ hashes, selectors }) =>
      (selector === null || selectors.has(selector)) && (hash === null || hashes.has(hash)),
  )
  const [first, second] = fitting
  if (!first) throw descriptorNotFound()
  if (second)
    throw badRequest('query.formatKey: is required, because several descriptors are about that contract')
  return first
}

/** Clear signing, with a function to stop it. */
interface OpenClearSigning extends ClearSigning {
  stop(): Promise<void>
}

/**
 * Opens clear signing over the active descriptors of the database.
 *
 * @throws the database's error if they cannot be loaded.
 */
export async function openClearSigning({
  chains,
  tokens,
  ...kept
}: {
  database: DatabasePool
  /** For the connection that listens for imports. */
  databaseUrl: string
  chains: Chains
  tokens: PublicTokens
  config: ClearSigningConfig
  logger: Logger
}): Promise<OpenClearSigning> {
  const active = await openActiveDescriptors(kept)
  return { ...createClearSigning(active.current, chains, tokens), stop: () => active.stop() }
}
