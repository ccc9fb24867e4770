import { z } from 'zod'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { address, amount, bytes, chainId, decimal, timestamp } from '../../define/wire-scalars.ts'

const asset = address.meta({
  description: 'The pool’s asset; 0xEeee…EEeE is the native one.',
  examples: [NATIVE_ASSET],
})

export const detailsQuery = z.object({
  chainId,
  assetAddress: asset,
})

export const relayerDetails = z
  .object({
    feeBPS: z
      .string()
      .meta({ description: 'Base fee in basis points; a quote adds the gas.', examples: ['10'] }),
    feeReceiverAddress: address,
    chainId,
    assetAddress: asset,
    minWithdrawAmount: amount,
    maxGasPrice: z.string().meta({ description: 'Wei per gas.', examples: ['50000000000'] }),
  })
  .meta({ id: 'RelayerDetails', description: 'What relaying costs.' })

export const quoteBody = z
  .strictObject({
    chainId,
    amount: amount.meta({ description: 'What will be withdrawn, smallest unit.' }),
    asset,
    recipient: address,
    extraGas: z.boolean().optional().meta({
      description: 'Also give the recipient native coin for gas. Means nothing for the native asset.',
    }),
  })
  .meta({ id: 'RelayerQuoteRequest', description: 'A withdrawal to quote.' })

/** `eth` is gas · gasPrice, in wei. */
const gasCost = z
  .object({ gas: z.string(), eth: z.string() })
  .meta({ id: 'GasCost', description: 'Gas, and what it costs.' })

export const feeCommitment = z
  .strictObject({
    expiration: timestamp,
    withdrawalData: bytes.meta({
      description: 'abi.encode(recipient, feeReceiver, feeBPS): use it as withdrawal.data.',
    }),
    asset,
    amount,
    extraGas: z.boolean(),
    signedRelayerCommitment: bytes.meta({ description: 'EIP-712 signature of a RelayerCommitment.' }),
  })
  .meta({
    id: 'FeeCommitment',
    description: 'What the relayer promises until `expiration`; submit it unchanged.',
  })

export const relayerQuote = z
  .object({
    baseFeeBPS: z.string(),
    feeBPS: z
      .string()
      .meta({ description: 'Base fee and gas, basis points of the amount.', examples: ['25'] }),
    gasPrice: z.string().meta({ description: 'Wei per gas.' }),
    feeCommitment,
    detail: z
      .object({
        relayTxCost: gasCost,
        extraGasFundAmount: gasCost.optional(),
        extraGasTxCost: gasCost.optional(),
      })
      .meta({ id: 'RelayerQuoteDetail', description: 'What the gas is for.' }),
  })
  .meta({ id: 'RelayerQuote', description: 'A fee, and the commitment to it.' })

const point = z.array(decimal).length(3)

export const requestBody = z
  .strictObject({
    withdrawal: z
      .strictObject({ processooor: address.meta({ description: 'The Entrypoint.' }), data: bytes })
      .meta({
        id: 'Withdrawal',
        description: 'The Withdrawal of the pool contracts: what the proof’s context binds.',
      }),
    proof: z
      .strictObject({
        pi_a: point,
        pi_b: z.array(z.array(decimal).length(2)).length(3),
        pi_c: point,
        // Some clients leave both out.
        protocol: z.literal('groth16').default('groth16'),
        curve: z.literal('bn128').default('bn128'),
      })
      .meta({ id: 'Groth16Proof', description: 'As snarkjs writes it: decimal strings.' }),
    publicSignals: z.array(decimal).length(8).meta({
      description:
        'newCommitmentHash, existingNullifierHash, withdrawnValue, stateRoot, stateTreeDepth, ASPRoot, ASPTreeDepth, context.',
    }),
    scope: decimal,
    chainId,
    feeCommitment,
  })
  .meta({ id: 'RelayRequest', description: 'A withdrawal to relay.' })

export const relayAnswer = z
  .object({
    success: z.boolean().meta({ description: 'False when the request was well formed and refused.' }),
    timestamp,
    requestId: z.string(),
    txHash: z
      .string()
      .optional()
      .meta({ description: 'Of the transaction that was sent; a fee bump may replace it.' }),
    error: z
      .string()
      .optional()
      .meta({ description: '`<CODE>: <message>`; the codes are listed in the introduction.' }),
  })
  .meta({ id: 'RelayAnswer', description: 'What became of a withdrawal.' })

export const requestPath = z.object({ requestId: z.string().min(1).max(100) })

const requestStatus = z.enum(['received', 'verified', 'simulated', 'broadcast', 'confirmed', 'failed']).meta({
  id: 'RelayerRequestState',
  description: 'received → verified → simulated → broadcast → confirmed or failed.',
})

export const requestProgress = z
  .object({
    requestId: z.string(),
    status: requestStatus,
    chainId,
    txHash: z.string().optional(),
    error: z.string().optional().meta({ description: '`<CODE>: <message>` once failed.' }),
    updatedAt: timestamp,
  })
  .meta({ id: 'RelayerRequestStatus', description: 'How far a request has come.' })
