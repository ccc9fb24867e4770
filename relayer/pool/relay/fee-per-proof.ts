import type { CommonQueryMethods } from 'slonik'
import { getAddress } from 'viem'
import { listRelayGas } from '../../../db/pool/relay/relay-ledger.ts'
import type { GasPrices } from '../../chain/nodes/gas-prices.ts'
import { costOf } from '../../chain/nodes/sending-price.ts'
import { RELAY_BYTES } from './paid-relay-gas.ts'
import { createRelayGas, type RelayGas } from './relay-gas.ts'
import type { Pool } from '../state/pool-state.ts'

const SAMPLES = 32
/** Milliseconds for which measured gas is used. These fees are shown, not promised: quotes measure their own. */
const READ_EVERY_MS = 30_000

/** Creates the cost of relaying one proof, in wei: the gas of the pool's recent relays at the present gas price. */
export function createFeePerProof(
  database: CommonQueryMethods,
  gasPrices: (chainId: number) => GasPrices | undefined,
): (pool: Pool) => Promise<bigint | null> {
  let measured: { gas: Promise<RelayGas>; at: number } | null = null

  async function measure(): Promise<RelayGas> {
    const gas = createRelayGas()
    for (const { chainId, pool, gasUsed } of await listRelayGas(database, SAMPLES))
      gas.learn({ chainId, address: getAddress(pool) }, gasUsed)
    return gas
  }

  return async (pool) => {
    const price = gasPrices(pool.chainId)?.sendingPrice() ?? null
    if (price === null) return null
    if (!measured || Date.now() - measured.at > READ_EVERY_MS) {
      const gas = measure()
      measured = { gas, at: Date.now() }
      gas.catch(() => (measured = null))
    }
    return costOf(price, { gas: (await measured.gas).quoted(pool), bytes: RELAY_BYTES })
  }
}
