import type { EVMRunCallOpts } from '@ethereumjs/evm'
import { createAddressFromString, hexToBytes } from '@ethereumjs/util'
import type { SimulateJob } from '../../simulate-job.ts'
import { computeNextBaseFee } from '../next-base-fee.ts'
import type { BlockHeader } from './block-state.ts'

type Block = NonNullable<EVMRunCallOpts['block']>

/**
 * Returns the block of a transaction sent now: the one after `head`, whose state is read. Time, base fee and blob price come
 * from the job, if it has them, else from the head. Proposer and randomness are the head's.
 */
export function foreseeNextBlock(
  head: BlockHeader,
  { block: given, fees }: Pick<SimulateJob, 'block' | 'fees'>,
): Block {
  const time = given?.timestamp ?? BigInt(Math.floor(Date.now() / 1_000))
  const baseFee = given?.baseFeePerGas ?? computeNextBaseFee(head)
  return {
    header: {
      number: head.number + 1n,
      timestamp: time > head.timestamp ? time : head.timestamp + 1n,
      coinbase: createAddressFromString(head.miner),
      difficulty: 0n,
      prevRandao: hexToBytes(head.mixHash ?? `0x${'00'.repeat(32)}`),
      gasLimit: head.gasLimit,
      // A block that includes the transaction asks no more than its cap.
      baseFeePerGas: fees && fees.maxFeePerGas < baseFee ? fees.maxFeePerGas : baseFee,
      getBlobGasPrice: () => given?.blobBaseFee ?? 1n,
    },
  }
}
