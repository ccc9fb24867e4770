import type { z } from 'zod'
import type { MaxSpendable, Quote, RecipientKind, SendRequest } from '../../relayer/transact/transact.ts'
import { ServiceError } from '../../relayer/service-error.ts'
import type * as model from './model.ts'
import type { quote } from './quote-model.ts'

type Wire<Shape extends z.ZodType> = z.input<Shape>

export function toSendRequest(body: z.output<typeof model.quoteBody>): SendRequest {
  const maxSend = body.maxSend ?? false
  if (body.amount === undefined && !maxSend)
    throw new ServiceError('bad-request', 'amount: expected an amount, or maxSend', { code: 'BAD_REQUEST' })
  return {
    chainId: body.chainId,
    token: body.token,
    amount: body.amount ?? 0n,
    decimals: body.decimals,
    destination: body.destinationAddress,
    acknowledgedMatch: body.acknowledgedAddressPoisoningMatch ?? undefined,
    acknowledgedContract: body.acknowledgedContractRecipient ?? undefined,
    spendableAddresses: body.spendableAddresses,
    singleAddress: body.singleAddress ?? undefined,
    maxSend,
    ttl: body.ttl,
  }
}

/** Whatever was signed and nothing else, or the signature would not hold. */
export function quoteToWire({ terms, signature }: Quote): Wire<typeof quote> {
  return { ...(terms as Omit<Wire<typeof quote>, 'signature'>), signature }
}

export function maxSpendableToWire(max: MaxSpendable): Wire<typeof model.maxSpendable> {
  const { fees } = max
  const total = String(fees.network + fees.service)
  return {
    maxAmount: String(max.maxAmount),
    feeEstimate: total,
    feeEstimateUsdAmount: max.feeEstimateUsd,
    spendableCount: max.spendableCount,
    grossAmount: String(max.grossAmount),
    fees: { network: String(fees.network), vetting: '0', deposit: '0', service: String(fees.service), total },
    protocolFeeBps: max.protocolFeeBps,
    protocolFeeAmount: String(fees.service),
  }
}

export function recipientToWire({ kind, poisoning }: RecipientKind): Wire<typeof model.recipientKind> {
  return {
    kind,
    addressPoisoningMatch: poisoning && {
      matchedAddress: poisoning.known.address,
      matchedPrefixCharsCount: poisoning.matchedPrefixCharsCount,
      matchedSuffixCharsCount: poisoning.matchedSuffixCharsCount,
      source: poisoning.known.source,
      contactName: poisoning.known.contactName,
    },
  }
}
