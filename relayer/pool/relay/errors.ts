import { z } from 'zod'
import { tokenOfError } from '../../market/errors.ts'
import { defineError } from '../../service-error.ts'

const UNTOUCHED = 'Nothing was sent, and the service holds no note.'

/** No pool of the asset is served on the chain. */
export const assetNotSupported = defineError({
  code: 'ASSET_NOT_SUPPORTED',
  kind: 'bad-request',
  meaning: 'No pool of that asset is served on the chain.',
  retry: 'For another asset.',
  fundsState: UNTOUCHED,
  example: 'asset is not served on chain 1; served: ETH 0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE',
})

/** The amount is below the minimum, or too small for a relay fee within the pool's maximum. */
export const withdrawalAmountTooSmall = defineError({
  code: 'WITHDRAWAL_AMOUNT_TOO_SMALL',
  kind: 'bad-request',
  meaning:
    'The amount is below the minimum, or the fee would exceed what the pool allows; `minAmount` is the bound.',
  retry: 'With a larger amount.',
  fundsState: UNTOUCHED,
  example: 'amount is below the minimum of 0.01 ETH (10000000000000000)',
  members: tokenOfError.extend({
    minAmount: z.string().optional().meta({
      description: 'The smallest amount that is accepted, in whole tokens.',
    }),
    maxRelayFeeBPS: z
      .number()
      .optional()
      .meta({ description: 'The largest relay fee that the pool allows.' }),
    requiredRelayFeeBPS: z
      .bigint()
      .optional()
      .meta({ description: 'The relay fee that the amount would need.' }),
    maxSendable: z.string().optional().meta({
      description: 'The most that notes of the account could send, in whole tokens.',
    }),
    selectedAmount: z.string().optional().meta({
      description: 'Value of the considered notes, in the smallest unit.',
    }),
    selectedCount: z.number().optional().meta({ description: 'How many notes were considered.' }),
    relayFee: z.string().optional().meta({
      description: 'The relay fee that the amount would need, in the smallest unit.',
    }),
    feeLimit: z.string().optional().meta({
      description: 'The most that the pool allows as relay fee of the amount, in the smallest unit.',
    }),
  }),
})

/** The chain has no contract that sends native coin for gas along. */
export const unsupportedFeature = defineError({
  code: 'UNSUPPORTED_FEATURE',
  kind: 'bad-request',
  meaning:
    'extraGas is not offered on that chain. If it alone makes the fee too high, the message of WITHDRAWAL_AMOUNT_TOO_SMALL has this word.',
  retry: 'Without `extraGas`.',
  fundsState: UNTOUCHED,
  example: 'UNSUPPORTED_FEATURE: extraGas is not offered on chain 1; ask without it',
})

/** Gas costs more than the operator's limit. */
export const gasPriceAboveLimit = defineError({
  code: 'MAX_GAS_PRICE',
  kind: 'bad-request',
  meaning: 'Gas costs more than this relayer pays.',
  retry: 'Later.',
  fundsState: UNTOUCHED,
  example: 'Gas costs 60000000000 wei now; this relayer pays at most 50000000000',
})

/** The service knows no request of that id. */
export const requestNotFound = defineError({
  kind: 'not-found',
  message: 'No request has that requestId',
})

/** The client has the maximum number of subscriptions to requests. */
export const tooManySubscriptions = defineError({
  kind: 'too-many-requests',
  retryAfterSeconds: 60,
  example: 'One client follows at most 64 requests at once',
})
