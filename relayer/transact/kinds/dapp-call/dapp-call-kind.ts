import { hexText } from '../../../../db/column-types.ts'
import { getAddress, isAddressEqual, zeroAddress, type Address, keccak256, stringToHex } from 'viem'
import { countOwnAddresses } from '../../../../db/account/addresses/stealth-addresses.ts'
import {
  findAddressOfApp,
  findAppOfAddress,
  isAppTaken,
  recordDappUse,
} from '../../../../db/account/addresses/dapp-uses.ts'
import { listLockedTokens } from '../../../../db/transact/reservations.ts'
import { addressOfAnotherApp } from '../../../account/apps/errors.ts'
import { badRequest } from '../../../errors.ts'
import { usualKind, type KindContext, type QuoteKind, type ChainRequest } from '../quote-kind.ts'
import { callToOwnAccount, notOwnAddress } from './errors.ts'
import { z } from 'zod'
import { insertDappCall } from '../../../../db/transact/dapp-calls.ts'
import type { Call } from '../../intents/intent.ts'
import type { QuotePlan } from '../quote-plan.ts'

/** Details of the quote that its refresh needs. */
const dappCallDetails = z.object({
  origin: z.string(),
  connectedAddress: hexText,
  description: z.string().nullable(),
  calls: z.array(z.object({ to: hexText, value: z.string().transform(BigInt), data: hexText })),
})

/** Returns the wei that the calls carry together. */
const valueOf = (calls: readonly Call[]): bigint => calls.reduce((sum, { value }) => sum + value, 0n)

/**
 * Plans one intent by the address that the app knows: its calls in their order, then the fee. That address pays for
 * everything, so no other address is joined with it.
 */
function planDappCall(
  accountId: string,
  { origin, calls, connectedAddress, token, description }: Omit<DappCallRequest, 'kind' | 'chainId' | 'ttl'>,
  /** Tokens of which quotes have locked something at the address. */
  locked: readonly Address[],
): QuotePlan {
  const [first] = calls
  if (!first) throw new Error('an app asked for no call')
  const written = calls.map(({ to, value, data }) => ({ to, value: String(value), data }))
  return {
    token,
    funding: { from: 'holdings', funders: { singleAddress: connectedAddress }, mayJoin: false },
    mayMoveNothing: true,
    isNativeAtPar: token === zeroAddress,
    gasKey: `dapp_call ${connectedAddress} ${keccak256(stringToHex(JSON.stringify(written)))}`,
    calls: () => calls,
    amount: valueOf(calls),
    recipient: { address: first.to, name: null, owned: false, poisoning: null },
    details: { origin, connectedAddress, description, calls: written },
    effects: { told: 'balances', tokens: locked },
    // The user saw a simulation and judges the movements of an app's calls. The engine checks that the calls succeed
    // and pay the fee, and locks the assets that they move.
    checkRun: () => undefined,
    isVolatile: false,
    isShortLived: true,
    outputOf: (amount, described) => ({ token: described, expected: amount, minimum: amount }),
    members: { origin, connectedAddress },
    async keep(transaction, { quoteId }) {
      await recordUse(transaction, { accountId, address: connectedAddress, origin })
      await insertDappCall(transaction, accountId, { quoteId, origin, description, calls: written })
    },
  }
}

async function recordUse(
  connection: Parameters<typeof recordDappUse>[0],
  use: { accountId: string; address: Address; origin: string },
): Promise<void> {
  await recordDappUse(connection, use).catch((error: unknown) => {
    throw isAppTaken(error) ? addressOfAnotherApp() : error
  })
}

/** Calls that an app requested, made and paid by the one address that the app knows. */
export const dappCallKind: QuoteKind<DappCallRequest, never> = {
  ...usualKind,
  price: 'gas',
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
      token,
      ...asked,
    })
  },
  planMax: () => Promise.reject(new Error('max-spendable does not exist for an app’s call')),
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

/** Calls that a page asked the wallet to send. */
interface DappCallRequest extends ChainRequest {
  kind: 'dapp_call'
  /** Origin of the page. */
  origin: string
  /** Executed in this order, all or nothing. */
  calls: readonly Call[]
  /** The account's address that the app knows; it makes the calls and pays. */
  connectedAddress: Address
  /** Token that pays the fee; the zero address is the native coin. */
  token: Address
  /** Description for the user; null for none. */
  description: string | null
}
