import { createPublicClient, createWalletClient, decodeFunctionData, http } from 'viem'
import { privateKeyToAccount } from 'viem/accounts'
import { foundry } from 'viem/chains'
import { CIRCUIT_KEYS } from '../../proving/groth16/circuit-keys.ts'
import type { DescribedChain } from '../../relayer/devnet/devnet-description.ts'
import { entrypointAbi } from '../../relayer/chain/contracts/privacy-pools.ts'
import { encodeRelay } from '../../relayer/pool/relay/encode-relay.ts'
import type { RelayBody } from '../../test/harness/relay-requests.ts'

/** Relays one withdrawal after another with libraries as they come: the baseline. */
export interface PlainRelayer {
  /** Compiles the curve, which is no part of relaying. */
  warmUp(body: RelayBody): Promise<void>
  relay(body: RelayBody): Promise<void>
  close(): Promise<void>
}

/**
 * snarkjs verifies, viem simulates, sends and waits for the receipt.
 * @param pollingInterval Milliseconds between looks for the receipt; viem's default unless given.
 * @throws Error when one fails.
 */
export async function createPlainRelayer(
  { chainId, rpcUrl, accounts }: DescribedChain,
  pollingInterval?: number,
): Promise<PlainRelayer> {
  const { groth16 } = await import('snarkjs')
  const key = accounts.at(-1)?.privateKey
  if (!key) throw new Error('the chain has no account')
  const account = privateKeyToAccount(key)
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
      const hash = await sender.writeContract(request)
      const { status } = await reader.waitForTransactionReceipt({ hash })
      if (status !== 'success') throw new Error(`reverted: ${hash}`)
    },
    close: async () => {
      const { curve_bn128: curve } = globalThis as { curve_bn128?: { terminate(): Promise<void> } | null }
      await curve?.terminate()
    },
  }
}
