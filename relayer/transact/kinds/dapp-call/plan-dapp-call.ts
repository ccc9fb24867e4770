import { keccak256, stringToHex, zeroAddress, type Address, type Hex } from 'viem'
import { z } from 'zod'
import { isAppTaken, recordDappUse } from '../../../../db/account/addresses/dapp-uses.ts'
import { insertDappCall } from '../../../../db/transact/dapp-calls.ts'
import { addressOfAnotherApp } from '../../../account/apps/errors.ts'
import type { Call } from '../../intents/intent.ts'
import type { QuotePlan } from '../quote-plan.ts'
import type { DappCallRequest } from './dapp-call-request.ts'

const hex = z.string().transform((text) => text as Hex)

/** Details of the quote that its refresh needs. */
export const dappCallDetails = z.object({
  origin: z.string(),
  connectedAddress: hex,
  description: z.string().nullable(),
  calls: z.array(z.object({ to: hex, value: z.string().transform(BigInt), data: hex })),
})

/** Returns the wei that the calls carry together. */
export const valueOf = (calls: readonly Call[]): bigint => calls.reduce((sum, { value }) => sum + value, 0n)

/**
 * Plans one intent by the address that the app knows: its calls in their order, then the fee. That address pays for
 * everything, so no other address is joined with it.
 */
export function planDappCall(
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
    transport: 'shared',
    price: 'gas',
    mayMoveNothing: true,
    isNativeAtPar: token === zeroAddress,
    gasKey: `dapp_call ${connectedAddress} ${keccak256(stringToHex(JSON.stringify(written)))}`,
    calls: () => calls,
    amount: valueOf(calls),
    decimals: undefined,
    recipient: { address: first.to, name: null, owned: false, poisoning: null },
    details: { origin, connectedAddress, description, calls: written },
    movesOthers: true,
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
