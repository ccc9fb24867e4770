import { getAddress, isAddressEqual, zeroAddress, type Address } from 'viem'
import { countOwnAddresses } from '../../../../db/account/addresses/stealth-addresses.ts'
import { findAddressOfApp, findAppOfAddress } from '../../../../db/account/addresses/dapp-uses.ts'
import { listLockedTokens } from '../../../../db/transact/reservations.ts'
import { addressOfAnotherApp } from '../../../account/apps/errors.ts'
import { badRequest } from '../../../errors.ts'
import { usualKind, type KindContext, type QuoteKind } from '../quote-kind.ts'
import type { DappCallRequest } from './dapp-call-request.ts'
import { callToOwnAccount, notOwnAddress } from './errors.ts'
import { dappCallDetails, planDappCall, valueOf } from './plan-dapp-call.ts'

/** Calls that an app requested, made and paid by the one address that the app knows. */
export const dappCallKind: QuoteKind<DappCallRequest, never> = {
  ...usualKind,
  async plan(context, request) {
    context.apps.demand(request.origin)
    await demandConnected(context, request)
    await demandForeign(context, request)
    if (request.token !== zeroAddress && valueOf(request.calls) > 0n)
      throw badRequest('token: calls that carry native coins pay their fee in them')
    await context.screening.requireClear(request.chainId, [...new Set(request.calls.map(({ to }) => to))])
    const locked = await listLockedTokens(context.database, request.chainId, request.connectedAddress)
    return planDappCall(context.accountId, request, locked)
  },
  planAgain(context, { token, details }) {
    const { sending } = context
    const asked = dappCallDetails.parse(details)
    return dappCallKind.plan(context, {
      kind: 'dapp_call',
      chainId: sending.chainId,
      ttl: undefined,
      token,
      ...asked,
    })
  },
  planMax: () => Promise.reject(new Error('nobody asks for the most of an app’s call')),
  othersCanFail: () => true,
  strangersOf: ({ details }, known) =>
    dappCallDetails.parse(details).calls.flatMap((call) => (known.isCall(call) ? [] : [getAddress(call.to)])),
  alsoReached: ({ details }) => dappCallDetails.parse(details).calls.map(({ to }) => to),
  // The engine checks that all assets that its run moves are locked.
  checkSubmission: () => undefined,
  movesOthers: true,
  activity: () => ({ kind: 'DAPP_CALL', isExchange: false }),
}

/** @throws ServiceError `forbidden` NOT_OWN_ADDRESS, `conflict` ADDRESS_OF_ANOTHER_APP. */
async function demandConnected(
  { database, accountId }: KindContext,
  { origin, connectedAddress }: DappCallRequest,
): Promise<void> {
  const [knownTo, ofApp] = await Promise.all([
    findAppOfAddress(database, accountId, connectedAddress),
    findAddressOfApp(database, accountId, origin),
  ])
  if (knownTo === undefined) throw notOwnAddress()
  const isOthers = knownTo !== null && knownTo !== origin
  if (isOthers || (ofApp && !isAddressEqual(ofApp.address, connectedAddress))) throw addressOfAnotherApp()
}

/**
 * Refuses calls to the account and to the contracts that run it. A delegated address obeys itself and its orchestrator
 * alone, so such a call could hand the address to a stranger.
 * @throws ServiceError `bad-request` CALL_TO_OWN_ACCOUNT.
 */
async function demandForeign(
  { database, accountId, sending }: KindContext,
  { calls }: DappCallRequest,
): Promise<void> {
  const { orchestrator, accountImplementation, accountProxy } = sending.contracts
  // ERC-7821: the account replaces the zero address by itself.
  const own: readonly Address[] = [zeroAddress, orchestrator, accountImplementation, accountProxy]
  const targets = [...new Set(calls.map(({ to }) => getAddress(to)))]
  for (const [place, { to }] of calls.entries())
    if (own.some((one) => isAddressEqual(one, to))) throw refuse(place)
  if ((await countOwnAddresses(database, accountId, targets)) === 0) return
  for (const [place, { to }] of calls.entries())
    if ((await countOwnAddresses(database, accountId, [getAddress(to)])) > 0) throw refuse(place)
}

const refuse = (place: number) =>
  callToOwnAccount(`calls.${place}.to: an app may not call the account itself`)
