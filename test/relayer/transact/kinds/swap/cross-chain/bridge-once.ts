import { erc20Abi, getAddress, slice, zeroAddress, type Address, type Hex } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { quote as quoteShape } from '../../../../../../schema/transact/quote-model.ts'
import { relayStatus } from '../../../../../../schema/transact/submit-model.ts'
import { waitUntilIndexed, type Payer } from '../../../../../harness/chain-actors.ts'
import type { WalletSender } from '../../../submissions/open-wallet-sender.ts'
import type { BridgeWorld } from './start-bridge-world.ts'

/** An address's balance of a token; the zero address is the coin. */
export const balanceOf = ({ wallet: { reader } }: Payer, token: Address, owner: Address): Promise<bigint> =>
  token === zeroAddress
    ? reader.getBalance({ address: owner })
    : reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

/** The allowance of a spender. */
export const allowanceOf = (
  { wallet: { reader } }: Payer,
  token: Address,
  owner: Address,
  spender: Address,
) => reader.readContract({ address: token, abi: erc20Abi, functionName: 'allowance', args: [owner, spender] })

/** The address in 32 bytes of Across. */
export const addressIn = (word: Hex): Address => getAddress(slice(word, 12))

/** Requests a quote to the other chain, signs and submits it, and waits until it is confirmed and indexed. */
export async function bridgeOnce(
  world: Pick<BridgeWorld, 'service' | 'origin' | 'destination' | 'findDeposit'>,
  sender: WalletSender,
  body: Record<string, unknown>,
) {
  const { origin, destination } = world
  const quote = await sender.quote({ type: 'swap', tokenOutChainId: destination.chainId, ...body })
  const submitted = await sender.post('/submit', await sender.sign(quote))
  expect(submitted, JSON.stringify(submitted.body)).toMatchObject({ status: 200 })
  await expect
    .poll(async () => relayStatus.parse((await sender.get(`/relay-status/${quote.quoteId}`)).body).status, {
      timeout: 60_000,
    })
    .toBe('confirmed')
  await waitUntilIndexed(world.service, origin.payer)
  const shown = z.object({ routing: z.string(), slippageBps: z.int() }).parse(quote)
  return { quote: { ...quoteShape.parse(quote), ...shown }, deposit: await world.findDeposit() }
}
