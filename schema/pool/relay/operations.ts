import { chainNotSupported, gasBudgetUsedUp, noGasForSending } from '../../../relayer/chain/errors.ts'
import { poolStateRefreshing } from '../../../relayer/pool/errors.ts'
import { lostRecipientErrors } from '../../../relayer/pool/recipients/errors.ts'
import {
  assetNotSupported,
  gasPriceAboveLimit,
  requestNotFound,
  unsupportedFeature,
  withdrawalAmountTooSmall,
} from '../../../relayer/pool/relay/errors.ts'
import { publicQuery } from '../../define/public-query.ts'
import { defineOperation } from '../../define/operation.ts'
import {
  detailsQuery,
  relayQuoteBody,
  relayAnswer,
  relayerDetails,
  relayerQuote,
  requestBody,
  requestPath,
  requestProgress,
} from './model.ts'

const section = 'Relayer'
const ANY_INTEGERS =
  ' Integers may be numbers, strings of decimal digits, or 0x-hex; answers are as the schema has them.'

export const relayerOperations = [
  publicQuery({
    name: 'relayerDetails',
    rest: 'GET /relayer/details',
    errors: [chainNotSupported, assetNotSupported, poolStateRefreshing],
    section,
    anyIntegers: true,
    summary: 'What relaying costs',
    description: `Base fee, fee receiver, smallest amount and gas cap for one asset of one chain.${ANY_INTEGERS}`,
    input: { query: detailsQuery },
    output: relayerDetails,
    run: async ({ query: { chainId, assetAddress } }, { services }) => {
      const details = await services.withdrawals.details({ chainId, asset: assetAddress })
      return { ...details, feeBPS: details.feeBps }
    },
  }),
  publicQuery({
    name: 'relayerQuote',
    rest: 'POST /relayer/quote',
    errors: [
      chainNotSupported,
      assetNotSupported,
      withdrawalAmountTooSmall,
      ...lostRecipientErrors,
      unsupportedFeature,
      gasPriceAboveLimit,
      poolStateRefreshing,
      noGasForSending,
    ],
    section,
    anyIntegers: true,
    summary: 'A fee, and the commitment to it',
    description:
      'Prices the relay of one withdrawal and signs what it promises. Use `feeCommitment.withdrawalData` as `withdrawal.data`, make the proof for it, and submit the commitment unchanged before it expires. A quote changes nothing and reserves nothing.' +
      ANY_INTEGERS,
    input: { body: relayQuoteBody },
    output: relayerQuote,
    run: async ({ body }, { services }) => {
      const quote = await services.withdrawals.quote({ ...body, extraGas: body.extraGas ?? false })
      return { ...quote, baseFeeBPS: quote.baseFeeBps, feeBPS: quote.feeBps }
    },
  }),
  defineOperation({
    name: 'relayerRequest',
    kind: 'mutation',
    rest: 'POST /relayer/request',
    status: 200,
    access: 'public',
    errors: [poolStateRefreshing, gasBudgetUsedUp, noGasForSending],
    section,
    anyIntegers: true,
    summary: 'Relay a withdrawal',
    description:
      'Checks the request, verifies its proof, simulates the call and sends it. A well-formed request that is refused answers 200 with `success: false` and `error: "<CODE>: <message>"`. The same note sent again with the same context gets the same answer, so a request whose answer was lost may simply be repeated.' +
      ANY_INTEGERS,
    input: { body: requestBody },
    output: relayAnswer,
    run: async ({ body }, { services, client, signal }) =>
      services.withdrawals.request(body, { clientAddress: client.address, signal }),
  }),
  publicQuery({
    name: 'relayerRequestStatus',
    rest: 'GET /relayer/request/{requestId}',
    errors: [requestNotFound],
    section,
    summary: 'How far a request has come',
    description:
      'received → verified → simulated → broadcast → confirmed or failed. The GraphQL subscription `relayerRequestProgress` tells the same as it happens.',
    input: { path: requestPath },
    output: requestProgress,
    run: async ({ path }, { services }) => {
      const progress = await services.withdrawals.status(path.requestId)
      if (!progress) throw requestNotFound()
      return progress
    },
  }),
]
