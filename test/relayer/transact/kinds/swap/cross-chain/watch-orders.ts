import { encodeFunctionData, type Address, type Hash } from 'viem'
import { expect } from 'vitest'
import { z } from 'zod'
import { sql } from '../../../../../../db/connect-database.ts'
import type { activities, activitySearchAnswer } from '../../../../../../schema/activity/model.ts'
import { relayStatus } from '../../../../../../schema/transact/submit-model.ts'
import { askNode } from '../../../../../harness/ask-node.ts'
import { waitUntilIndexed } from '../../../../../harness/chain-actors.ts'
import type { WalletSender } from '../../../submissions/open-wallet-sender.ts'
import { spokePool } from './fill-deposits.ts'
import type { BridgedChain } from './open-bridged-chains.ts'
import type { BridgeWorld } from './start-bridge-world.ts'
import { toBytes32 } from '../../../../../../relayer/transact/venues/bridge/across/spoke-pool-deposit.ts'

/** Asks a method of a chain's node. */
export const askChain = ({ payer }: BridgedChain, method: string, ...params: unknown[]) =>
  askNode<never>(payer.chain.rpcUrl, method, ...params)

/** The time of the newest block of a chain, in seconds since 1970. */
export const timeOf = async ({ payer }: BridgedChain) =>
  Number((await payer.wallet.reader.getBlock()).timestamp)

/** Moves the clock of a chain beyond a time, and mines a block then. */
export async function passTime(chain: BridgedChain, until: number): Promise<void> {
  await askChain(chain, 'evm_increaseTime', until - (await timeOf(chain)) + 60)
  await askChain(chain, 'evm_mine')
}

/** Claims the dollars that a SpokePool could not pay to a depositor. */
export async function takeDeferred(chain: BridgedChain, depositor: Address): Promise<Hash> {
  const { payer, across, dollar } = chain
  await askChain(chain, 'anvil_setBalance', depositor, '0xde0b6b3a7640000')
  await askChain(chain, 'anvil_impersonateAccount', depositor)
  const data = encodeFunctionData({
    abi: spokePool.abi,
    functionName: 'claimRelayerRefund',
    args: [toBytes32(dollar), toBytes32(depositor)],
  })
  const call = { from: depositor, to: across.spokePool, data }
  const hash: Hash = await askChain(chain, 'eth_sendTransaction', call)
  await askChain(chain, 'anvil_stopImpersonatingAccount', depositor)
  const { status } = await payer.wallet.reader.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error('nothing was owed')
  return hash
}

/** Reads the API's answers to one sender about their orders. */
export function watchOrders(
  world: Pick<BridgeWorld, 'service' | 'origin' | 'destination'>,
  sender: WalletSender,
) {
  const crossingOf = async (quoteId: string) =>
    relayStatus.parse((await sender.get(`/relay-status/${quoteId}`)).body).bridge
  return {
    crossingOf,
    untilBridge: (quoteId: string, bridgeStatus: string) =>
      expect
        .poll(async () => (await crossingOf(quoteId))?.bridgeStatus, { timeout: 60_000 })
        .toBe(bridgeStatus),
    list: async (search = '') =>
      ((await sender.get(`/activities${search}`)).body as z.input<typeof activities>).activity,
    search: async (address: string) =>
      ((await sender.post('/activities/search', { address })).body as z.input<typeof activitySearchAnswer>)
        .activity,
    async indexed() {
      await waitUntilIndexed(world.service, world.origin.payer)
      await waitUntilIndexed(world.service, world.destination.payer)
    },
  }
}

const row = z.record(z.string(), z.unknown())

/** All rows of orders and of bridge events. */
export async function dumpOrders({ service }: Pick<BridgeWorld, 'service'>) {
  const { pool } = service.database
  const orders = await pool.any(sql.type(row)`
    select quote_id, status, deposit_tx, fill_tx, refund_tx, arrived_token, arrived_amount, origin_due, destination_due
    from bridge_order order by quote_id`)
  const events = await pool.any(sql.type(row)`
    select * from bridge_event order by chain_id, block_number, log_index, item`)
  return { orders, events }
}
