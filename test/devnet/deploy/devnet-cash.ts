import { parseEther, parseUnits, stringToHex, type Hex } from 'viem'
import { TOKENS } from './devnet-assets.ts'

const [dollar] = TOKENS

/** Payment apps that the devnet's escrow knows, each with its currencies. */
export const CASH_METHODS = [
  { name: 'venmo', currencies: ['USD'] },
  { name: 'revolut', currencies: ['USD', 'EUR', 'GBP'] },
]

/** The price of a test dollar in each currency, times 1e18, and the feed's configuration that finds it. */
export const CASH_RATES: readonly { currency: string; adapterConfig: Hex; rate: bigint }[] = [
  { currency: 'USD', adapterConfig: stringToHex('USD/USD'), rate: parseEther('1') },
  { currency: 'EUR', adapterConfig: stringToHex('EUR/USD'), rate: parseEther('0.92') },
  { currency: 'GBP', adapterConfig: stringToHex('GBP/USD'), rate: parseEther('0.79') },
]

/** The escrow's rules. Amounts in the smallest unit of the test dollar, time in seconds. */
export const CASH_LIMITS = {
  /** A rest that is no larger goes to the protocol. */
  dustThreshold: parseUnits('0.1', dollar.decimals),
  maxIntentsPerDeposit: 200n,
  /** Seconds a buyer may take to pay and to prove it; short, to show an expiry soon. */
  intentExpirationPeriod: 600n,
}

/** The least that a buyer takes at once, smallest unit. */
export const MIN_INTENT_AMOUNT = parseUnits('1', dollar.decimals)
