import type { DatabasePool } from 'slonik'
import type { Address } from 'viem'
import { sumSends } from '../../../db/transact/send-ledger.ts'
import { countUsage } from '../../../db/transact/count-usage.ts'
import type { Chains } from '../../chain/nodes/chain.ts'
import type { PricesConfig } from '../../market/prices/config.ts'
import { nameBookedToken } from './name-booked-token.ts'
import { readProfit, type DailyProfit } from './profit.ts'

const DAY_MS = 86_400_000
/** Days that the pages show, today among them. */
const SHOWN_DAYS = 7

/** Use of the service in numbers, without personal data. */
export interface Usage {
  accounts: number
  /** Submitted quotes since the database was created. */
  sends: { underWay: number; confirmed: number; failed: number }
  /** Referrers' shares that could not be booked, and quotes that could not be ended; both are retried. */
  stuck: { earnings: number; quotes: number }
  /** Sums of the ledger of sends by chain and token: fees in the token's smallest unit, gas in wei. */
  sendLedger: SendBooking[]
  /** Profit and loss of the last seven days (UTC) by chain and token, the newest first. */
  profit: DailyProfit[]
}

/** The figures before the first read. */
export const NO_USAGE: Usage = {
  accounts: 0,
  sends: { underWay: 0, confirmed: 0, failed: 0 },
  stuck: { earnings: 0, quotes: 0 },
  sendLedger: [],
  profit: [],
}

/** The sums of one chain and token. Fees in the token's smallest unit, gas in wei. */
export interface SendBooking {
  chainId: number
  token: Address
  symbol: string
  /** 0 if unknown: amounts are then shown in the smallest unit. */
  decimals: number
  nativeSymbol: string
  /** Quotes of which our transactions executed something. */
  sends: number
  networkFee: bigint
  serviceFee: bigint
  gasSpent: bigint
  /** Part of `gasSpent` for quotes of which nothing was executed. */
  gasUnpaid: bigint
}

/** Reads the use of the service, and the income and costs of sends. */
export async function readUsage(
  database: DatabasePool,
  chains: Chains,
  prices: PricesConfig,
): Promise<Usage> {
  const configs = [...chains.values()].map(({ config }) => config)
  const days = { from: dayBefore(SHOWN_DAYS - 1), to: dayBefore(0) }
  const [{ accounts, submitted, confirmed, failed, unbooked, unended }, sums, profit] = await Promise.all([
    countUsage(database),
    sumSends(database),
    readProfit(database, { chains: configs, prices }, days),
  ])
  return {
    accounts,
    sends: { underWay: submitted, confirmed, failed },
    stuck: { earnings: unbooked, quotes: unended },
    sendLedger: sums.map((sum) => ({ ...sum, ...nameBookedToken(sum, chains.get(sum.chainId)?.config) })),
    profit,
  }
}

/** The day (UTC) so many days ago, as `2026-11-28`. */
export const dayBefore = (days: number): string =>
  new Date(Date.now() - days * DAY_MS).toISOString().slice(0, 10)
