import { parseEther, parseUnits } from 'viem'
import { NATIVE_USD, STRICT, TAXED, TOKENS } from './devnet-assets.ts'

/** Tokens that the pools of the devnet hold, by the steps that deploy them. */
export type PooledToken = 'WrappedNative' | 'DollarToken' | 'EuroToken' | 'TaxedToken' | 'StrictToken'

/** The initial amounts of a pool: their ratio is its price. */
export interface Liquidity {
  sides: readonly [side: readonly [token: PooledToken, amount: bigint], side: readonly [PooledToken, bigint]]
  /** Of a v3 pool; a pair of v2 has none. */
  v3?: {
    /** In hundredths of a basis point. */
    fee: number
    /** Ticks to both sides of the price that the liquidity covers; 0 for all. */
    reach: number
  }
}

/**
 * Prices that a v3 pool stores: enough for a 10-minute average over swaps in 64 blocks. One more costs 22,000 gas at
 * deployment.
 */
export const OBSERVATIONS = 64
/** A chain is this much older than its pools once it is deployed, so that they have an average from the start. */
export const POOL_AGE_SECONDS = 3_600

const decimals = {
  DollarToken: TOKENS[0].decimals,
  EuroToken: TOKENS[1].decimals,
  TaxedToken: TAXED.decimals,
  StrictToken: STRICT.decimals,
}

/** This many native coins on one side, and their value on the other, in a token that is worth a dollar. */
const natives = (coins: string, token: keyof typeof decimals): Liquidity['sides'] => [
  ['WrappedNative', parseEther(coins)],
  [token, parseUnits(String(Number(coins) * Number(NATIVE_USD)), decimals[token])],
]
/** This many dollars of two tokens that are worth a dollar each. */
const dollars = (amount: string, a: keyof typeof decimals, b: keyof typeof decimals): Liquidity['sides'] => [
  [a, parseUnits(amount, decimals[a])],
  [b, parseUnits(amount, decimals[b])],
]

/**
 * The pools of every devnet chain, by the steps that create them. All agree with the fixed prices (devnet-assets.ts).
 * The narrow one runs dry: it takes only a part of a swap of one native coin.
 */
export const LIQUIDITY = {
  seedDeepPool: { sides: natives('1000', 'DollarToken'), v3: { fee: 500, reach: 0 } },
  seedShallowPool: { sides: natives('100', 'DollarToken'), v3: { fee: 3_000, reach: 0 } },
  seedEuroPool: { sides: dollars('1000000', 'DollarToken', 'EuroToken'), v3: { fee: 500, reach: 0 } },
  seedEuroPair: { sides: natives('200', 'EuroToken') },
  seedTaxedPair: { sides: natives('50', 'TaxedToken') },
  seedStrictPair: { sides: dollars('300000', 'DollarToken', 'StrictToken') },
  seedNarrowPool: { sides: natives('0.5', 'StrictToken'), v3: { fee: 10_000, reach: 600 } },
} as const satisfies Record<string, Liquidity>
