import type { z } from 'zod'
import type {
  FeeCommitment,
  GasCost,
  RelayAnswer,
  RelayerDetails,
  RelayerQuote,
  RequestProgress,
} from '../../../relayer/pool/relay/withdrawals.ts'
import type * as model from './model.ts'

type Wire<Shape extends z.ZodType> = z.input<Shape>

export function detailsToWire(details: RelayerDetails): Wire<typeof model.relayerDetails> {
  return {
    feeBPS: details.feeBps.toString(),
    feeReceiverAddress: details.feeReceiverAddress,
    chainId: details.chainId,
    assetAddress: details.assetAddress,
    minWithdrawAmount: details.minWithdrawAmount.toString(),
    maxGasPrice: details.maxGasPrice.toString(),
  }
}

export function quoteToWire(quote: RelayerQuote): Wire<typeof model.relayerQuote> {
  const { relayTxCost, extraGasFundAmount, extraGasTxCost } = quote.detail
  return {
    baseFeeBPS: quote.baseFeeBps.toString(),
    feeBPS: quote.feeBps.toString(),
    gasPrice: quote.gasPrice.toString(),
    feeCommitment: feeCommitmentToWire(quote.feeCommitment),
    detail: {
      relayTxCost: gasCostToWire(relayTxCost),
      ...(extraGasFundAmount && { extraGasFundAmount: gasCostToWire(extraGasFundAmount) }),
      ...(extraGasTxCost && { extraGasTxCost: gasCostToWire(extraGasTxCost) }),
    },
  }
}

export function answerToWire(answer: RelayAnswer): Wire<typeof model.relayAnswer> {
  const { success, timestamp, requestId, txHash, error } = answer
  return {
    success,
    timestamp,
    requestId,
    ...(txHash !== undefined && { txHash }),
    ...(error !== undefined && { error }),
  }
}

export function progressToWire(progress: RequestProgress): Wire<typeof model.requestProgress> {
  const { requestId, status, chainId, txHash, error, updatedAt } = progress
  return {
    requestId,
    status,
    chainId,
    ...(txHash !== null && { txHash }),
    ...(error !== null && { error }),
    updatedAt,
  }
}

function gasCostToWire(cost: GasCost): { gas: string; eth: string } {
  return { gas: cost.gas.toString(), eth: cost.eth.toString() }
}

function feeCommitmentToWire(commitment: FeeCommitment): Wire<typeof model.feeCommitment> {
  return {
    expiration: commitment.expiration,
    withdrawalData: commitment.withdrawalData,
    asset: commitment.asset,
    amount: commitment.amount.toString(),
    extraGas: commitment.extraGas,
    signedRelayerCommitment: commitment.signedRelayerCommitment,
  }
}
