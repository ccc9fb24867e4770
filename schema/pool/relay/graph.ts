import type { RequestProgress, Withdrawals } from '../../../relayer/pool/relay/withdrawals.ts'
import type { GraphFeature } from '../../graph/graph-feature.ts'
import { createEncoder } from '../../define/encode.ts'
import { takeStream } from '../../define/limits.ts'
import { decimal } from '../../define/scalars.ts'
import { requestProgress } from './model.ts'
import { badRequest } from '../../../relayer/errors.ts'

const encodeProgress = createEncoder(requestProgress)

type Watched = Parameters<Withdrawals['subscribe']>[0]

interface Given {
  requestId?: string | null | undefined
  nullifierHash?: string | null | undefined
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
