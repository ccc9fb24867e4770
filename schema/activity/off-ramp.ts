import { z } from 'zod'
import { address, amount, chainId } from '../define/wire-scalars.ts'

const isoDate = z.iso.datetime()
const side = (prefix: 'source' | 'escrow') => ({
  [`${prefix}ChainId`]: chainId,
  [`${prefix}ChainName`]: z.string(),
  [`${prefix}TokenAddress`]: address,
  [`${prefix}TokenSymbol`]: z.string(),
  [`${prefix}Decimals`]: z.int(),
  [`${prefix}Amount`]: amount,
})

/** A cash-out (api.md 2.8); null for every other activity. */
export const offRamp = z
  .object({
    peerDepositId: z.string(),
    paymentMethod: z.string(),
    phase: z.string(),
    failureKind: z.string().nullable(),
    depositId: z.string().nullable(),
    peerUrl: z.string().nullable(),
    ...side('source'),
    ...side('escrow'),
    usdAmount: z.number().nullable(),
    estimatedFiatAmount: z.string().nullable(),
    filled: amount,
    remaining: amount,
    outstanding: amount,
    progress: z.number(),
    recoverableAt: isoDate.nullable(),
    buyerPaymentDueAt: isoDate.nullable(),
    fromIncognito: z.boolean(),
    route: z
      .object({
        steps: z.array(
          z
            .object({ id: z.string(), label: z.string() })
            .meta({ id: 'OffRampStep', description: 'A step of that way.' }),
        ),
        description: z.string(),
      })
      .meta({ id: 'OffRampRoute', description: 'The way that a cash-out takes.' }),
    serviceFee: amount.nullable(),
    serviceFeeTokenAddress: address.nullable(),
    serviceFeeTokenSymbol: z.string().nullable(),
    serviceFeeDecimals: z.int().nullable(),
    serviceFeeUsd: z.number().nullable(),
  })
  .meta({ id: 'OffRamp', description: 'A cash-out.' })
