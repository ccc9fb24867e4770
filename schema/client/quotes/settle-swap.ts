// SPDX-License-Identifier: MIT
import type { Client } from '../account/open-client.ts'
import type { KnownChain } from '../chain/known-chain.ts'
import type { Crossing, SwapContracts, SwapOptions } from './swap.ts'

/** Options whose contracts are those of the wallet's own record, unless the caller gave others. */
export type SettledSwap = SwapOptions & { contracts: SwapContracts }

/**
 * Completes the options of a swap from the wallet's record of its chains.
 * @throws Error where the record has no contracts for it.
 */
export function settleSwap(client: Pick<Client, 'chainOf'>, options: SwapOptions): SettledSwap {
  const { chainId, tokenOutChainId, contracts, crossing } = options
  const chain = client.chainOf(chainId)
  const isElsewhere = tokenOutChainId !== undefined && tokenOutChainId !== chainId
  return {
    ...options,
    contracts: contracts ?? swapContractsOf(chain),
    ...(isElsewhere && !crossing && { crossing: crossingOf(chain, client.chainOf(tokenOutChainId)) }),
  }
}

function swapContractsOf({ chainId, wrapped, router = null }: KnownChain): SwapContracts {
  if (!wrapped) throw new Error(`the wallet knows no contracts for swaps on chain ${chainId}`)
  return { wrapped, router }
}

function crossingOf(here: KnownChain, there: KnownChain): Crossing {
  const { spokePool } = here
  if (!spokePool) throw new Error(`the wallet knows no bridge from chain ${here.chainId}`)
  const pairs = Object.entries(here.carried ?? {}).flatMap(([symbol, input]) => {
    const output = there.carried?.[symbol]
    return output ? [{ input, output }] : []
  })
  return {
    chainId: there.chainId,
    spokePool,
    multicallHandler: there.multicallHandler ?? null,
    contracts: swapContractsOf(there),
    carried: pairs,
  }
}
