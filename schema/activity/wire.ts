import type { z } from 'zod'
import type { ActivityItem, ActivityTransfer, TokenAmount } from '../../relayer/activity/activity.ts'
import { usdToNumber, valueInUsd } from '../../relayer/market/prices/usd.ts'
import { unavailableProvenance } from '../account/provenance.ts'
import type * as model from './model.ts'

type Wire<Shape extends z.ZodType> = z.input<Shape>

export function listedToWire(item: ActivityItem): Wire<typeof model.listedActivity> {
  const transfer = mainTransfer(item)
  const [fee] = item.fees
  return {
    ...commonToWire(item),
    fee: fee ? feeToWire(fee) : null,
    transfer: transfer ? transferToWire(transfer) : null,
    offRamp: null,
  }
}

export function itemToWire(item: ActivityItem): Wire<typeof model.activityItem> {
  return {
    ...commonToWire(item),
    fees: item.fees.map(feeToWire),
    transfers: item.transfers.map(transferToWire),
  }
}

/** What left the account where something did, else what came; of several the most valuable, else the largest. */
function mainTransfer({ transfers, fundingAddresses }: ActivityItem): ActivityTransfer | undefined {
  const leaving = transfers.filter(
    ({ from, to }) => fundingAddresses.includes(from) && !fundingAddresses.includes(to),
  )
  const candidates = leaving.length > 0 ? leaving : transfers
  return candidates.toSorted(
    (one, other) => compare(worthOf(other) ?? -1n, worthOf(one) ?? -1n) || compare(other.value, one.value),
  )[0]
}

const compare = (one: bigint, other: bigint) => (one > other ? 1 : one < other ? -1 : 0)

const worthOf = ({ value, token, price }: TokenAmount) =>
  token && price ? valueInUsd(value, token.decimals, price) : null

function commonToWire(item: ActivityItem) {
  const { swap, pool } = item
  return {
    txHash: item.txHash,
    txHashes: [...item.txHashes],
    ...(item.quoteId !== null && { quoteId: item.quoteId }),
    executionStatus: item.executionStatus,
    chainId: item.chainId,
    chainName: item.chainName,
    explorerTxUrlBase: item.explorerTxUrlBase,
    date: item.date.toISOString(),
    kind: item.kind,
    lifecycle: { state: 'indexed' as const },
    isExternal: item.isExternal,
    isLikelySpam: item.isLikelySpam,
    platformFeeBps: item.platformFeeBps,
    ...(item.fundingAddresses.length > 0 && { fundingAddresses: [...item.fundingAddresses] }),
    ...(swap && {
      swap: {
        ...sourceToWire(swap.source),
        ...destToWire(swap.dest),
        outputRecipient: swap.outputRecipient,
        outputRecipientIsOwnAddress: swap.isOwnRecipient,
      },
    }),
    ...(pool && {
      pool: {
        poolAddress: pool.poolAddress,
        ...tokenToWire(pool.amount),
        amount: String(pool.amount.value),
        usdAmount: usdOf(pool.amount),
        aspStatus: pool.aspStatus,
        commitmentId: pool.commitmentId,
        vettingFee: pool.vettingFee === null ? null : String(pool.vettingFee),
        vettingFeeUsd: pool.vettingFee === null ? null : usdOf({ ...pool.amount, value: pool.vettingFee }),
        depositFee: null,
        depositFeeUsd: null,
      },
    }),
  }
}

function tokenToWire({ tokenAddress, token }: TokenAmount) {
  return {
    tokenAddress,
    decimals: token?.decimals ?? 0,
    tokenSymbol: token?.symbol ?? '',
    logoUrl: token?.logoUri ?? null,
  }
}

function usdOf(amount: TokenAmount): number | null {
  const worth = worthOf(amount)
  return worth === null ? null : usdToNumber(worth)
}

function feeToWire(fee: TokenAmount): Wire<typeof model.activityFee> {
  return { ...tokenToWire(fee), value: String(fee.value), usdAmount: usdOf(fee) }
}

function transferToWire(transfer: ActivityTransfer): Wire<typeof model.activityTransfer> {
  return {
    ...tokenToWire(transfer),
    fromAddress: transfer.from,
    toAddress: transfer.to,
    value: String(transfer.value),
    usdAmount: usdOf(transfer),
    provenance: unavailableProvenance('not_traced'),
  }
}

function sourceToWire(source: TokenAmount) {
  const { tokenAddress, decimals, tokenSymbol, logoUrl } = tokenToWire(source)
  return {
    sourceTokenAddress: tokenAddress,
    sourceDecimals: decimals,
    sourceTokenSymbol: tokenSymbol,
    sourceLogoUrl: logoUrl,
    sourceAmount: String(source.value),
    sourceUsdAmount: usdOf(source),
  }
}

function destToWire(dest: TokenAmount) {
  const { tokenAddress, decimals, tokenSymbol, logoUrl } = tokenToWire(dest)
  return {
    destTokenAddress: tokenAddress,
    destTokenSymbol: tokenSymbol,
    destDecimals: decimals,
    destLogoUrl: logoUrl,
    destAmount: String(dest.value),
    destUsdAmount: usdOf(dest),
  }
}
