import { buildBn128 } from 'ffjavascript'
import { createPublicClient, createWalletClient, decodeFunctionData, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { createNonceManager, jsonRpc } from 'viem/nonce'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import { entrypointAbi } from '../../relayer/chain/contracts/privacy-pools.ts'
import { encodeRelay } from '../../relayer/pool/relay/encode-relay.ts'
import type { RelayBody } from '../../test/harness/relay-requests.ts'
import { CIRCUIT_KEYS } from '../../proving/groth16/verification-key.ts'

/** Relays one withdrawal after another with unmodified libraries: the baseline. */
export interface PlainRelayer {
  /** Compiles the curve, which is no part of relaying. */
  warmUp(body: RelayBody): Promise<void>
  relay(body: RelayBody): Promise<void>
  close(): Promise<void>
}

/**
 * Percent of the estimate, for a client with several pending relays: each one in the block before changes the cost of the
 * tree.
 */
const GAS_HEADROOM = 150n
const RECEIPT_MS = 15_000

/**
 * snarkjs verifies, viem simulates, sends and waits for the receipt.
 * @param pollingInterval Milliseconds between reads of the receipt; viem's default unless given.
 * @param isParallel It gets several at once: nonces are counted here, gas limits have headroom, and snarkjs computes in one
 * thread, which takes half of the CPU.
 * @throws Error when one fails.
 */
export async function createPlainRelayer(
  { chainId, rpcUrl, accounts }: DescribedChain,
  pollingInterval?: number,
  isParallel = false,
): Promise<PlainRelayer> {
  const { groth16 } = await import('snarkjs')
  const key = accounts.at(-1)?.privateKey
  if (!key) throw new Error('the chain has no account')
  // Of its own: viem's would remember nonces of an earlier chain with the same id.
  const nonceManager = createNonceManager({ source: jsonRpc() })
  const account = privateKeyToAccount(key, isParallel ? { nonceManager } : {})
  if (isParallel) Object.assign(globalThis, { curve_bn128: await buildBn128(true) })
  const chain = { ...foundry, id: chainId }
  const reader = createPublicClient({ chain, transport: http(rpcUrl), pollingInterval })
  const sender = createWalletClient({ account, chain, transport: http(rpcUrl) })
  async function verify({ proof, publicSignals }: Pick<RelayBody, 'proof' | 'publicSignals'>): Promise<void> {
    const given = proof as Parameters<typeof groth16.verify>[2]
    if (!(await groth16.verify(CIRCUIT_KEYS.withdraw, publicSignals, given)))
      throw new Error('a valid proof was refused')
  }
  return {
    warmUp: verify,
    async relay({ feeCommitment, ...body }) {
      await verify(body)
      const amount = BigInt(feeCommitment.amount)
      const data = encodeRelay({ ...body, feeCommitment: { ...feeCommitment, amount } })
      const { functionName, args } = decodeFunctionData({ abi: entrypointAbi, data })
      if (functionName !== 'relay') throw new Error('not a relay')
      const call = { address: body.withdrawal.processooor, abi: entrypointAbi, functionName, args, account }
      const { request } = await reader.simulateContract(call)
      const estimate = isParallel ? await reader.estimateContractGas(call) : null
      const gas = estimate === null ? {} : { gas: (estimate * GAS_HEADROOM) / 100n }
      const hash = await sender.writeContract({ ...request, ...gas })
      const { status } = await reader.waitForTransactionReceipt({ hash, timeout: RECEIPT_MS })
      if (status !== 'success') throw new Error(`reverted: ${hash}`)
    },
    close: async () => {
      const { curve_bn128: curve } = globalThis as { curve_bn128?: { terminate(): Promise<void> } | null }
      await curve?.terminate()
      // A single-threaded one stays there otherwise, for other users.
      Object.assign(globalThis, { curve_bn128: null })
    },
  }
}
