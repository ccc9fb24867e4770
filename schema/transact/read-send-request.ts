import type { z } from 'zod'
import type { SendRequest } from '../../relayer/transact/kinds/send/send-request.ts'
import type { quoteBody } from './model.ts'
import { badRequest } from '../../relayer/errors.ts'

/**
 * The request to quote, as the service takes it.
 * @throws ServiceError `bad-request` when it names neither an amount nor `maxSend`.
 */
export function readSendRequest(body: z.output<typeof quoteBody>): SendRequest {
  const maxSend = body.maxSend ?? false
  if (body.amount === undefined && !maxSend) throw badRequest('amount: expected an amount, or maxSend')
  return {
    kind: 'send',
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
