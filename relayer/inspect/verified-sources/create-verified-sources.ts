import type { Logger } from 'pino'
import {
  hexToBytes,
  keccak256,
  type Address,
  type Hash,
  type Hex,
  type PublicClient,
  toFunctionHash,
  toFunctionSelector,
  toFunctionSignature,
} from 'viem'
import type { Chains } from '../../chain/nodes/chain.ts'
import { readProxy } from '../../chain/contracts/read-proxy.ts'
import { createQuestionBudget } from '../../shares/shared-budget.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'
import { askSourcify, SourcifyError, type ToldContract } from './ask-sourcify.ts'
import type { SourcifyConfig } from './config.ts'
import { codeMismatch, sourceNotFound, sourcesUnavailable } from './errors.ts'
import { rebuildRuntimeCode, proveMetadata } from './rebuild-runtime-code.ts'
import { formatAbiItem, type AbiFunction, type AbiParameter } from 'abitype'

const DAY_MS = 86_400_000
const FAILED_MS = 10_000
/** Maximum of cached contracts with sources, which may have megabytes. */
const MOST_SOURCES = 500
/** Maximum of cached contracts without a usable answer. */
const MOST_MISSES = 20_000

/** A contract whose reported code equals the chain's. */
interface Verified {
  abi: readonly unknown[]
  /** The ABI that the metadata prove; null if they prove nothing. */
  provenAbi: readonly unknown[] | null
  runtimeMatch: SourceMatch
}

type Found = { is: 'verified'; contract: Verified }
type Miss = { is: 'unknown' | 'mismatch' | 'failed' }
type Outcome = Found | Miss

interface Code {
  code: Hex
  hash: Hash
}

class ComparedSources implements VerifiedSources {
  readonly #chains: Chains
  readonly #logger: Logger
  readonly #ask: ReturnType<typeof askSourcify> | null
  readonly #questions: ReturnType<typeof createQuestionBudget>
  readonly #found = new SharedPlaces<string, { outcome: Found; until: number }>(MOST_SOURCES)
  readonly #misses = new SharedPlaces<string, { outcome: Miss; until: number }>(MOST_MISSES)
  readonly #underWay = new Map<string, Promise<Outcome>>()

  constructor(chains: Chains, config: SourcifyConfig, logger: Logger) {
    this.#chains = chains
    this.#logger = logger
    this.#ask = config === false ? null : askSourcify(config)
    this.#questions = createQuestionBudget(config === false ? 0 : config.questionsPerMinute)
  }

  async find({
    chainId,
    address,
    selector,
  }: Parameters<VerifiedSources['find']>[0]): Promise<VerifiedFunction> {
    const client = this.#chains.get(chainId)?.client
    if (!client || !this.#ask) throw sourceNotFound('No server of verified sources covers that chain')
    const code = await orSilent(readCode(client, address))
    if (code.code === '0x') throw sourceNotFound('There is no contract at that address')
    const proxy = await orSilent(readProxy(client, address, code.code))
    const told = {
      runtimeCodeHash: code.hash,
      sourceUrl: `https://repo.sourcify.dev/${chainId}/${address}`,
    }
    // The code of a minimal proxy is the same for all and never verified.
    const here = proxy?.kind === 'eip1167' ? null : await this.#findAt(chainId, address, code, selector)
    if (here)
      return {
        ...told,
        ...describe(here),
        contractKind: proxy ? 'proxy' : 'contract',
        implementation: null,
      }
    if (!proxy) throw sourceNotFound('No verified source has a function of that selector')
    const behind = await orSilent(readCode(client, proxy.implementation))
    const there = await this.#findAt(chainId, proxy.implementation, behind, selector)
    if (!there) throw sourceNotFound('No verified source has a function of that selector')
    return {
      ...told,
      ...describe(there),
      contractKind: 'proxy',
      implementation: { address: proxy.implementation, runtimeCodeHash: behind.hash },
    }
  }

  /** Finds the function at one address; null if its verified source has none. */
  async #findAt(chainId: number, address: Address, code: Code, selector: Hex) {
    const outcome = await this.#verify(chainId, address, code)
    if (outcome.is === 'failed') throw sourcesUnavailable()
    if (outcome.is === 'mismatch') throw codeMismatch()
    if (outcome.is !== 'verified') return null
    const { abi, provenAbi, runtimeMatch } = outcome.contract
    const declared = findFunction(abi, selector)
    if (!declared) return null
    const isProven = runtimeMatch === 'exact_match' && isIn(provenAbi, declared, selector)
    return { declared, match: isProven ? ('exact_match' as const) : ('match' as const) }
  }

  async #verify(chainId: number, address: Address, code: Code): Promise<Outcome> {
    const key = `${chainId} ${address} ${code.hash}`
    const known = this.#found.get(key) ?? this.#misses.get(key)
    if (known && known.until > Date.now()) return known.outcome
    const asking = this.#underWay.get(key)
    if (asking) return asking
    if (!this.#questions.draw(1)) throw sourcesUnavailable({ retryAfterSeconds: 30 })
    const outcome = this.#askAbout(chainId, address, code)
      .then((told) => {
        this.#keep(key, told)
        return told
      })
      .finally(() => this.#underWay.delete(key))
    this.#underWay.set(key, outcome)
    return outcome
  }

  async #askAbout(chainId: number, address: Address, { code }: Code): Promise<Outcome> {
    if (!this.#ask) return { is: 'unknown' }
    try {
      const told = await this.#ask(chainId, address)
      return told ? compare(told, code) : { is: 'unknown' }
    } catch (error) {
      if (!(error instanceof SourcifyError)) throw error
      this.#logger.warn({ err: error, chainId }, 'the server of verified sources did not answer')
      return { is: 'failed' }
    }
  }

  #keep(key: string, outcome: Outcome): void {
    const until = Date.now() + (outcome.is === 'failed' ? FAILED_MS : DAY_MS)
    if (outcome.is === 'verified') this.#found.set(key, { outcome, until })
    else this.#misses.set(key, { outcome, until })
  }
}

/**
 * Creates the lookup. The server returns sources and a recompiled code, which is compared here with the code on
 * chain. `exact_match` is kept only if the metadata's hash in that code proves it. The server is trusted for one
 * thing: that the sources compile to that code. Answers are cached by chain, address and code: a day, even if
 * unverified; ten seconds after a server failure. A lookup without a cached answer draws on the requests of the
 * minute.
 */
export const createVerifiedSources = (
  chains: Chains,
  config: SourcifyConfig,
  logger: Logger,
): VerifiedSources => new ComparedSources(chains, config, logger)

async function readCode(client: PublicClient, address: Address): Promise<Code> {
  const code = (await client.getCode({ address, blockTag: 'latest' })) ?? '0x'
  return { code, hash: keccak256(code) }
}

/** @throws ServiceError if the chain does not answer. */
const orSilent = <Value>(asked: Promise<Value>): Promise<Value> =>
  asked.catch((cause: unknown) => {
    throw sourcesUnavailable({ cause })
  })

const describe = ({ declared, match }: { declared: DeclaredFunction; match: SourceMatch }) => ({
  ...declared,
  match,
  runtimeMatch: match,
})

/** Accepts only sources whose code equals the chain's, byte by byte. */
function compare(told: ToldContract, code: Hex): Outcome {
  const { abi, metadata, runtimeMatch } = told
  if (!abi || runtimeMatch === null) return { is: 'unknown' }
  const onChain = hexToBytes(code)
  const rebuilt = rebuildRuntimeCode(told)
  if (!rebuilt || Buffer.compare(rebuilt, onChain) !== 0) return { is: 'mismatch' }
  const isProven = metadata !== null && metadata !== undefined && proveMetadata(metadata, onChain)
  const { abi: provenAbi } = ((isProven && metadata['output']) || {}) as { abi?: unknown }
  return {
    is: 'verified',
    contract: { abi, runtimeMatch, provenAbi: Array.isArray(provenAbi) ? provenAbi : null },
  }
}

/** True if the ABI that the metadata prove declares the function identically. */
function isIn(provenAbi: readonly unknown[] | null, declared: DeclaredFunction, selector: Hex): boolean {
  const proven = provenAbi && findFunction(provenAbi, selector)
  return proven?.functionDeclaration === declared.functionDeclaration
}

const MAX_DECLARATION = 4_096
const IDENTIFIER = /^[A-Za-z_$][\w$]{0,63}$/

/** A function as an ABI declares it. */
interface DeclaredFunction {
  functionDeclaration: string
  functionHash: Hash
}

/**
 * Finds the one function of an ABI with this selector; null if there is none, or several. Names that are no
 * identifiers are dropped, because they are shown to people.
 */
function findFunction(abi: readonly unknown[], selector: Hex): DeclaredFunction | null {
  const found = abi.flatMap((item) => {
    const declared = declare(item)
    return declared && declared.functionHash.startsWith(selector) ? [declared] : []
  })
  const [first, second] = found
  return first && !second ? first : null
}

function declare(item: unknown): DeclaredFunction | null {
  if (typeof item !== 'object' || item === null || !('type' in item) || item.type !== 'function') return null
  try {
    const { name, inputs, outputs, stateMutability } = item as Partial<AbiFunction>
    if (name === undefined || !IDENTIFIER.test(name)) return null
    const told: AbiFunction = {
      type: 'function',
      name,
      stateMutability: stateMutability ?? 'nonpayable',
      inputs: (inputs ?? []).map(withoutOddNames),
      outputs: (outputs ?? []).map(withoutOddNames),
    }
    const signature = toFunctionSignature(told)
    const functionHash = toFunctionHash(signature)
    if (!functionHash.startsWith(toFunctionSelector(signature))) return null
    const functionDeclaration = formatAbiItem(told)
    return functionDeclaration.length > MAX_DECLARATION ? null : { functionDeclaration, functionHash }
  } catch {
    return null
  }
}

function withoutOddNames({ name, ...parameter }: AbiParameter): AbiParameter {
  const components =
    'components' in parameter && Array.isArray(parameter.components)
      ? { components: (parameter.components as readonly AbiParameter[]).map(withoutOddNames) }
      : {}
  const { type } = parameter
  return { type, ...(name !== undefined && IDENTIFIER.test(name) && { name }), ...components }
}

/** The quality of a match; `exact_match` only if the metadata prove it. */
type SourceMatch = 'exact_match' | 'match'

/** A function of a contract whose code equals the compared sources. */
interface VerifiedFunction {
  contractKind: 'contract' | 'proxy'
  /** As in Solidity: `function transfer(address to, uint256 value) returns (bool)`. */
  functionDeclaration: string
  /** keccak256 of the canonical signature; its first four bytes are the selector. */
  functionHash: Hash
  /** keccak256 of the code at the requested address. */
  runtimeCodeHash: Hash
  match: SourceMatch
  runtimeMatch: SourceMatch
  sourceUrl: string
  /** The contract behind a proxy that has the function, and the hash of its code; else null. */
  implementation: { address: Address; runtimeCodeHash: Hash } | null
}

/** Looks functions up in verified sources. */
interface VerifiedSources {
  /**
   * Finds the function of a contract that calldata with this selector runs.
   * @throws ServiceError `not-found` without code, verified source or such a function, or CODE_MISMATCH;
   * `bad-gateway` SOURCES_UNAVAILABLE.
   */
  find(asked: { chainId: number; address: Address; selector: Hex }): Promise<VerifiedFunction>
}
