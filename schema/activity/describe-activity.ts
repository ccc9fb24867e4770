import type {
  ActivityItem,
  ActivityOffRamp,
  ActivitySwap,
  TokenAmount,
  Explained,
  ExplainedTransfer,
} from '../../relayer/activity/activity.ts'
import { chooseMainTransfer, valueAmount } from '../../relayer/activity/choose-main-transfer.ts'
import type { PendingItem } from '../../relayer/activity/pending.ts'
import { usdToNumber } from '../../relayer/market/prices/usd.ts'
import { describeOrigin } from '../account/provenance/describe-origin.ts'
import type { AnswerOf } from '../define/encode.ts'
import { describeToken as describeKnown } from '../market/tokens/describe-token.ts'
import type { activityFacts } from './facts-model.ts'
import type * as model from './model.ts'

const CONFIRMED = { state: 'indexed', reason: null, blockNumber: null } as const
const NEVER_RELAYED = { ...CONFIRMED, state: 'failed', reason: 'It was not relayed in time' } as const

const lifecycleOf = ({ txHash }: ActivityItem) => (txHash === null ? NEVER_RELAYED : CONFIRMED)

type Listed = AnswerOf<typeof model.listedActivity>

/** Items that did not change are the same objects in one answer after the other. */
const listed = new WeakMap<Explained<ActivityItem>, Listed>()

/** An activity as a list shows it, with its main fee and its main transfer; the same object each time. */
export function describeListed(item: Explained<ActivityItem>): Listed {
  const known = listed.get(item) ?? describeForList(item)
  listed.set(item, known)
  return known
}

function describeForList(item: Explained<ActivityItem>): Listed {
  const transfer = chooseMainTransfer(item)
  const [fee] = item.fees
  return {
    ...describeCommon(item),
    txHash: item.txHash,
    executionStatus: item.executionStatus,
    lifecycle: lifecycleOf(item),
    fee: fee ? describeFee(fee) : null,
    transfer: transfer ? describeTransfer(transfer) : null,
    offRamp: item.offRamp && describeOffRamp(item.offRamp),
  }
}

/** An activity, confirmed or pending, with all its fees and transfers. */
export function describeItem(
  item: Explained<ActivityItem> | Explained<PendingItem>,
): AnswerOf<typeof model.activityItem> {
  return {
    ...describeCommon(item),
    txHash: item.txHash,
    executionStatus: item.executionStatus,
    lifecycle: 'lifecycle' in item ? item.lifecycle : lifecycleOf(item),
    fees: item.fees.map(describeFee),
    transfers: item.transfers.map(describeTransfer),
    hasMoreTransfers: item.hasMoreTransfers,
    offRamp: item.offRamp && describeOffRamp(item.offRamp),
  }
}

/** An activity as GraphQL has it: with its main transfer and the token of that. */
export function describeFacts(
  item: Explained<ActivityItem> | Explained<PendingItem>,
): AnswerOf<typeof activityFacts> {
  const main = chooseMainTransfer(item)
  return {
    ...describeItem(item),
    main: main ? { ...describeTransfer(main), of: main.token && describeKnown({ token: main.token }) } : null,
  }
}

type Common = Omit<Explained<ActivityItem>, 'txHash' | 'executionStatus'>

function describeCommon({ swap, bridge, pool, app, calls, ...item }: Omit<Common, 'offRamp'>) {
  return {
    ...(app && { dappMeta: app }),
    ...(calls && { calldata: JSON.stringify(calls.map((call) => ({ ...call, value: String(call.value) }))) }),
    txHashes: item.txHashes,
    quoteId: item.quoteId,
    chainId: item.chainId,
    chainName: item.chainName,
    explorerTxUrlBase: item.explorerTxUrlBase,
    date: item.date,
    kind: item.kind,
    isExternal: item.isExternal,
    isLikelySpam: item.isLikelySpam,
    platformFeeBps: item.platformFeeBps,
    ...(item.sourceOrigin && { sourceProvenance: describeOrigin(item.sourceOrigin) }),
    ...(item.fundingAddresses.length > 0 && { fundingAddresses: item.fundingAddresses }),
    ...(swap && {
      swap: describeExchange(swap),
    }),
    ...(bridge && {
      bridge: {
        ...describeExchange(bridge),
        bridgeStatus: bridge.bridgeStatus,
        destChainId: bridge.dest.chainId,
        destChainName: bridge.destChainName,
        destExplorerTxUrlBase: bridge.destExplorerTxUrlBase,
        estimatedFillTimeMs: bridge.estimatedFillTimeMs,
        destTxHash: bridge.destTxHash,
        refundTxHash: bridge.refundTxHash,
        refundEligibleAt: bridge.refundEligibleAt,
      },
    }),
    ...(pool && {
      pool: {
        poolAddress: pool.poolAddress,
        ...describeToken(pool.amount),
        amount: pool.amount.value,
        usdAmount: usdOf(pool.amount),
        aspStatus: pool.aspStatus,
        commitmentId: pool.commitmentId,
        vettingFee: pool.vettingFee,
        vettingFeeUsd: pool.vettingFee === null ? null : usdOf({ ...pool.amount, value: pool.vettingFee }),
        depositFee: pool.depositFee,
        depositFeeUsd: pool.depositFee === null ? null : usdOf({ ...pool.amount, value: pool.depositFee }),
      },
    }),
  }
}

const describeExchange = (exchange: ActivitySwap) => ({
  ...describeSource(exchange.source),
  ...describeDest(exchange.dest),
  outputRecipient: exchange.outputRecipient,
  outputRecipientIsOwnAddress: exchange.isOwnRecipient,
})

function describeOffRamp({ source, escrow, serviceFee, ...rest }: ActivityOffRamp): Listed['offRamp'] {
  const [given, held] = [describeToken(source), describeToken(escrow)]
  const fee = serviceFee && describeToken(serviceFee)
  return {
    ...rest,
    sourceChainId: source.chainId,
    sourceTokenAddress: given.tokenAddress,
    sourceTokenSymbol: given.tokenSymbol,
    sourceDecimals: given.decimals,
    sourceAmount: source.value,
    escrowChainId: escrow.chainId,
    escrowTokenAddress: held.tokenAddress,
    escrowTokenSymbol: held.tokenSymbol,
    escrowDecimals: held.decimals,
    escrowAmount: escrow.value,
    usdAmount: usdOf(escrow),
    serviceFee: serviceFee?.value ?? null,
    serviceFeeTokenAddress: fee?.tokenAddress ?? null,
    serviceFeeTokenSymbol: fee?.tokenSymbol ?? null,
    serviceFeeDecimals: fee?.decimals ?? null,
    serviceFeeUsd: serviceFee && usdOf(serviceFee),
  }
}

function describeToken({ tokenAddress, token }: TokenAmount) {
  return {
    tokenAddress,
    decimals: token?.decimals ?? 0,
    tokenSymbol: token?.symbol ?? '',
    logoUrl: token?.logoUri ?? null,
  }
}

function usdOf(amount: TokenAmount): number | null {
  const worth = valueAmount(amount)
  return worth === null ? null : usdToNumber(worth)
}

function describeFee(fee: TokenAmount): AnswerOf<typeof model.activityFee> {
  return { ...describeToken(fee), value: fee.value, usdAmount: usdOf(fee) }
}

function describeTransfer(transfer: ExplainedTransfer): AnswerOf<typeof model.activityTransfer> {
  return {
    ...describeToken(transfer),
    fromAddress: transfer.from,
    toAddress: transfer.to,
    value: transfer.value,
    usdAmount: usdOf(transfer),
    ...(transfer.origin && { provenance: describeOrigin(transfer.origin) }),
  }
}

function describeSource(source: TokenAmount) {
  const { tokenAddress, decimals, tokenSymbol, logoUrl } = describeToken(source)
  return {
    sourceTokenAddress: tokenAddress,
    sourceDecimals: decimals,
    sourceTokenSymbol: tokenSymbol,
    sourceLogoUrl: logoUrl,
    sourceAmount: source.value,
    sourceUsdAmount: usdOf(source),
  }
}

function describeDest(dest: TokenAmount) {
  const { tokenAddress, decimals, tokenSymbol, logoUrl } = describeToken(dest)
  return {
    destTokenAddress: tokenAddress,
    destTokenSymbol: tokenSymbol,
    destDecimals: decimals,
    destLogoUrl: logoUrl,
    destAmount: dest.value,
    destUsdAmount: usdOf(dest),
  }
}
