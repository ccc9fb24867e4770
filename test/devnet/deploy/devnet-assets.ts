import { parseEther, parseUnits, type Address } from 'viem'
import { ETH_PICTURE, TEUR_PICTURE, TUSD_PICTURE } from '../pictures.ts'

/** The pools of every devnet chain, in the order in which they are deployed. */
export interface DevnetAsset {
  name: string
  symbol: string
  decimals: number
  /** Smallest deposit that the Entrypoint takes. */
  minimumDeposit: bigint
  /** Smallest withdrawal that the relayer takes. */
  minimumWithdrawal: bigint
  /** Smallest units that one native coin is worth; null for the native coin itself. */
  tokenPerNative: bigint | null
  /** URL of its picture. */
  logoUri: string
}

/** US dollars that a native coin of the devnet is worth; a test token then is worth one. */
export const NATIVE_USD = '3000'

const token = (name: string, symbol: string, decimals: number, logoUri: string): DevnetAsset => ({
  name,
  symbol,
  decimals,
  minimumDeposit: parseUnits('10', decimals),
  minimumWithdrawal: parseUnits('30', decimals),
  tokenPerNative: parseUnits(NATIVE_USD, decimals),
  logoUri,
})

/** The native coin of every devnet chain, with the limits of its pool in wei. */
export const NATIVE: DevnetAsset = {
  name: 'Ether',
  symbol: 'ETH',
  decimals: 18,
  minimumDeposit: parseEther('0.001'),
  minimumWithdrawal: parseEther('0.01'),
  tokenPerNative: null,
  logoUri: ETH_PICTURE,
}
/** The test tokens of every devnet chain. */
export const TOKENS: readonly [DevnetAsset, DevnetAsset] = [
  token('Test Dollar', 'TUSD', 6, TUSD_PICTURE),
  token('Test Euro', 'TEUR', 18, TEUR_PICTURE),
]

/** A token that a test swaps and no pool of the service takes. */
export type TestAsset = Pick<DevnetAsset, 'name' | 'symbol' | 'decimals'>
/** Burns 3 % of every transfer. */
export const TAXED: TestAsset = { name: 'Test Taxed', symbol: 'TTAX', decimals: 18 }
/** Refuses to replace an allowance. */
export const STRICT: TestAsset = { name: 'Test Strict', symbol: 'TSTRICT', decimals: 6 }

/** Hundredths of a percent of every deposit. */
export const VETTING_FEE_BPS = 50n
/** Hundredths of a percent of a withdrawal that a relayer may take at most. */
export const MAX_RELAY_FEE_BPS = 1_000n
/** Whole tokens of each kind that every client account owns from the start. */
export const TOKENS_PER_CLIENT = 1_000_000n

/** A pool of the devnet once it has its addresses. */
export interface DevnetPool extends DevnetAsset {
  asset: Address
  pool: Address
  scope: bigint
}
