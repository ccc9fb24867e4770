import type { DatabasePool } from 'slonik'
import { zeroAddress, type Address } from 'viem'
import { sumSends } from '../../../db/transact/send-ledger.ts'
import { countUsage } from '../../../db/transact/count-usage.ts'
import type { Chains } from '../../chain/nodes/chain.ts'

/** Use of the service in numbers, without personal data. */
export interface Usage {
  accounts: number
  /** Submitted quotes since the database was created. */
  sends: { underWay: number; confirmed: number; failed: number }
  /** Referrers' shares that could not be booked, and quotes that could not be ended; both are retried. */
  stuck: { earnings: number; quotes: number }
  /** Sums of the ledger of sends by chain and token: fees in the token's smallest unit, gas in wei. */
  sendLedger: SendBooking[]
}

/** The figures before the first read. */
export const NO_USAGE: Usage = {
  accounts: 0,
  sends: { underWay: 0, confirmed: 0, failed: 0 },
  stuck: { earnings: 0, quotes: 0 },
  sendLedger: [],
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
export async function readUsage(database: DatabasePool, chains: Chains): Promise<Usage> {
  const [{ accounts, submitted, confirmed, failed, unbooked, unended }, sums] = await Promise.all([
    countUsage(database),
    sumSends(database),
  ])
  return {
    accounts,
    sends: { underWay: submitted, confirmed, failed },
    stuck: { earnings: unbooked, quotes: unended },
    sendLedger: sums.map(({ symbol, decimals, ...sum }) => {
      const config = chains.get(sum.chainId)?.config
      const nativeSymbol = config?.nativeSymbol ?? '?'
      const asset = config?.relayer?.assets.find(({ asset: address }) => address === sum.token)
      const described =
        sum.token === zeroAddress
          ? { symbol: nativeSymbol, decimals: 18 }
          : { symbol: asset?.symbol ?? symbol ?? '?', decimals: asset?.decimals ?? decimals ?? 0 }
      return { ...sum, ...described, nativeSymbol }
    }),
  }
}
