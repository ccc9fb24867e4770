import type { Logger } from 'pino'
import type { DatabasePool } from 'slonik'
import { zeroAddress } from 'viem'
import {
  recordTokenSources,
  type NewTokenSource,
  type SourceScope,
} from '../../../db/market/tokens/token-sources.ts'
import { mayWrite } from '../../../db/refuse-writes.ts'
import { writeApart } from '../../concurrency/write-apart.ts'
import { SharedPlaces } from '../../shares/shared-places.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import { sourceOfContract, sourceOfProvider } from './discover-token.ts'
import { readMetadata } from './read-metadata.ts'
import { keyOf, type TokenId, type TokenKey } from './token-id.ts'
import type { TokenProvider } from './token-provider.ts'

/**
 * Milliseconds for which an address that is no token is not read again. Otherwise clients could make the service read
 * without end.
 */
const NO_TOKEN_MS = 300_000
const NO_TOKENS_KEPT = 20_000

/** The result of looking up an unknown token: found, no ERC-20, or the chain did not answer. */
export type Discovery = 'found' | 'no-token' | 'silence'

/** Reads tokens from contracts and providers, and stores the answers. */
export interface TokenLearner {
  /** Reads only the contracts, all of a chain in few calls, for accounts that hold the tokens; providers learn nothing. */
  learnMany(ids: readonly TokenId[]): Promise<void>
  /**
   * Reads the contract and the providers unless the stored answer is fresh. Concurrent calls for one token and scope
   * share one read.
   */
  learn(id: TokenId, scope: SourceScope): Promise<Discovery>
}

interface LearnedSources {
  database: DatabasePool
  chains: Chains
  providers: readonly TokenProvider[]
  /** Limits the read of a contract. */
  timeoutMs: number
  /** Decides whether a stored description is kept. */
  isFresh(id: TokenId, scope: SourceScope): Promise<boolean>
  logger: Logger
}

/**
 * Creates the learner. It remembers for five minutes that an address is no token, which prevents repeated reads.
 */
export function createTokenLearner(sources: LearnedSources): TokenLearner {
  const { database, providers, isFresh, logger } = sources
  /** Separate per scope, so that a public lookup does not reveal the result of a holder's lookup. */
  const noTokens = {
    public: new SharedPlaces<TokenKey, number>(NO_TOKENS_KEPT),
    held: new SharedPlaces<TokenKey, number>(NO_TOKENS_KEPT),
  }
  const asking = new Map<string, Promise<Discovery>>()

  const isNoToken = (id: TokenId, scope: SourceScope) => (noTokens[scope].get(keyOf(id)) ?? 0) > Date.now()
  function rememberNoToken(id: TokenId, scope: SourceScope): void {
    noTokens[scope].set(keyOf(id), Date.now() + NO_TOKEN_MS)
  }

  async function discover(id: TokenId, scope: SourceScope): Promise<Discovery> {
    if (await isFresh(id, scope)) return 'found'
    const [contract] = await askContracts(sources, id.chainId, [id])
    // Providers are asked only about contracts that exist, because anyone can make up addresses.
    if (contract === null) {
      rememberNoToken(id, scope)
      return 'no-token'
    }
    const told = await Promise.all(providers.map((provider) => askProvider(provider, id, logger)))
    const rows = [...(contract ? [sourceOfContract(id, contract)] : []), ...told.flat()]
    await mayWrite(() => recordTokenSources(database, rows, scope))
    return rows.some(({ decimals }) => decimals !== null) ? 'found' : 'silence'
  }

  async function learnOfChain(chainId: number, ids: readonly TokenId[]): Promise<void> {
    const answers = await askContracts(sources, chainId, ids)
    const pairs = ids.map((id, index) => ({ id, answer: answers[index] }))
    for (const { id, answer } of pairs) if (answer === null) rememberNoToken(id, 'held')
    const told = pairs.flatMap(({ id, answer }) => (answer ? [sourceOfContract(id, answer)] : []))
    const refused = await mayWrite(() =>
      writeApart(database, told, (connection, rows) => recordTokenSources(connection, rows, 'held')),
    )
    if (refused.length > 0)
      logger.error({ chainId, tokens: refused.length }, 'the database refused answers of token contracts')
  }

  return {
    async learnMany(ids) {
      const wanted = ids.filter((id) => id.address !== zeroAddress && !isNoToken(id, 'held'))
      const byChain = Map.groupBy(wanted, ({ chainId }) => chainId)
      await Promise.all([...byChain].map(([chainId, ofChain]) => learnOfChain(chainId, ofChain)))
    },
    async learn(id, scope) {
      if (id.address === zeroAddress || isNoToken(id, scope)) return 'no-token'
      const key = `${scope} ${keyOf(id)}`
      const running = asking.get(key) ?? discover(id, scope).finally(() => asking.delete(key))
      asking.set(key, running)
      return running
    },
  }
}

/** Returns the contracts' answers in order: null for no token, undefined if the chain did not answer. */
async function askContracts(
  { chains, timeoutMs, logger }: LearnedSources,
  chainId: number,
  ids: readonly TokenId[],
) {
  const chain = chains.get(chainId)
  if (!chain) return ids.map(() => undefined)
  try {
    return await readMetadata(
      chain,
      ids.map(({ address }) => address),
      timeoutMs,
    )
  } catch (error) {
    logger.warn({ err: error, chainId, tokens: ids.length }, 'token metadata could not be read')
    return ids.map(() => undefined)
  }
}

async function askProvider(provider: TokenProvider, id: TokenId, logger: Logger): Promise<NewTokenSource[]> {
  try {
    const told = await provider.describe(id)
    return told ? [sourceOfProvider(id, provider.name, told)] : []
  } catch (error) {
    logger.warn({ err: error, provider: provider.name }, 'a token provider did not answer')
    return []
  }
}
