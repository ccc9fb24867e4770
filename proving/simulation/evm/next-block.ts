import type { EVMRunCallOpts } from '@ethereumjs/evm'
import { createAddressFromString, hexToBytes } from '@ethereumjs/util'
import type { BlockHeader } from './block-state.ts'

type Block = NonNullable<EVMRunCallOpts['block']>

const ELASTICITY = 2n
const MAX_CHANGE = 8n

/** Base fee of the block after this one (EIP-1559). */
function computeNextBaseFee({ baseFeePerGas, gasUsed, gasLimit }: BlockHeader): bigint {
  if (baseFeePerGas === null || baseFeePerGas === undefined) return 0n
  const target = gasLimit / ELASTICITY
  if (gasUsed === target || target === 0n) return baseFeePerGas
  const difference = gasUsed > target ? gasUsed - target : target - gasUsed
  const change = (baseFeePerGas * difference) / target / MAX_CHANGE
  if (gasUsed > target) return baseFeePerGas + (change > 1n ? change : 1n)
  return baseFeePerGas - change
}

/**
 * The block that a transaction sent now would be in, as far as it can be known. Who proposes it, its randomness and the
 * price of blobs are guessed: as in the block before, and 1.
 */
export function foreseeNextBlock(head: BlockHeader): Block {
  const now = BigInt(Math.floor(Date.now() / 1_000))
  return {
    header: {
      number: head.number + 1n,
      timestamp: now > head.timestamp ? now : head.timestamp + 1n,
      coinbase: createAddressFromString(head.miner),
      difficulty: 0n,
      prevRandao: hexToBytes(head.mixHash ?? `0x${'00'.repeat(32)}`),
      gasLimit: head.gasLimit,
      baseFeePerGas: computeNextBaseFee(head),
      getBlobGasPrice: () => 1n,
    },
  }
}
