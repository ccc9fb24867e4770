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
import { defineOperation, publicQuery } from '../../define/operation.ts'
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
import type { RequestProgress, Withdrawals } from '../../../relayer/pool/relay/withdrawals.ts'
import type { z } from 'zod'
import { addNode, orNothing } from '../../graph/add-node.ts'
import type { GraphFeature, GraphNodes } from '../../graph/graph-feature.ts'
import { operationNamed } from '../../graph/operation-named.ts'
import { createEncoder } from '../../define/encode.ts'
import { takeStream } from '../../define/limits.ts'
import { decimal } from '../../define/scalars.ts'
import { badRequest } from '../../../relayer/errors.ts'

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
    summary: 'Cost of relaying',
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
      'received → verified → simulated → broadcast → confirmed or failed. The GraphQL subscription `relayerRequestProgress` reports the same as it happens.',
    input: { path: requestPath },
    output: requestProgress,
    run: async ({ path }, { services }) => {
      const progress = await services.withdrawals.status(path.requestId)
      if (!progress) throw requestNotFound()
      return progress
    },
  }),
]

const encodeProgress = createEncoder(requestProgress)

type Watched = Parameters<Withdrawals['subscribe']>[0]

interface Given {
  requestId?: string | null | undefined
  nullifierHash?: string | null | undefined
}

/** `Relay`, a request to the relayer, is a node; its requestId suffices to follow it. */
export const addRelayNodes: GraphNodes = (builder, types, { run }) => {
  const read = operationNamed(relayerOperations, 'relayerRequestStatus')
  addNode(builder, types, requestProgress, {
    name: 'Relay',
    keyOf: (progress) => progress.requestId,
    load: (keys, context) =>
      Promise.all(
        keys.map((id) =>
          orNothing(
            run(read, { path: { requestId: id } }, context) as Promise<z.input<typeof requestProgress>>,
          ),
        ),
      ),
  })
}

/** The subscription to a request's progress. */
export const addRelayerGraph: GraphFeature = (builder, types) => {
  builder.subscriptionField('relayerRequestProgress', (t) =>
    t.field({
      description:
        'Every step of a request from now on, its present state first: received → verified → simulated → broadcast → confirmed or failed, then the stream ends; it also ends after ten minutes without news, and may then be asked for again. Name the request by its requestId or, before there is one, by the nullifierHash (second public signal) of its note; exactly one of both. A requestId that is not known is a 404.',
      type: types.output(requestProgress, 'RelayerRequestStatus').type as never,
      nullable: false,
      args: {
        requestId: t.arg.id({ description: 'As the request answered it.' }),
        nullifierHash: t.arg.string({ description: 'Second public signal, in decimal digits.' }),
      },
      async subscribe(_, given, context) {
        const { services, client, signal } = context
        await takeStream(client, context)
        return services.withdrawals.subscribe(watchedOf(given), {
          clientAddress: client.address,
          signal,
        }) as AsyncIterable<never>
      },
      resolve: (progress) => encodeProgress(progress as RequestProgress) as never,
    }),
  )
}

function watchedOf({ requestId, nullifierHash }: Given): Watched {
  if (requestId && !nullifierHash) return { requestId }
  if (!nullifierHash || requestId) throw badRequest('Give either requestId or nullifierHash')
  const parsed = decimal.safeParse(nullifierHash)
  if (!parsed.success) throw badRequest('nullifierHash: expected a string of decimal digits')
  // Canonical form and range are not checked: text that is not a field element matches no note.
  return { nullifierHash: parsed.data } as Watched
}
