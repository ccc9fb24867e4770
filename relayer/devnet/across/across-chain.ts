import { isAddressEqual, maxUint256, type Abi, type Address, type Hex, type TransactionReceipt } from 'viem'
import { serializeByKey } from '../../concurrency/serialize-by-key.ts'
import type { BridgedToken } from '../bridged-tokens.ts'
import { connectWallet, type Wallet } from '../wallet/connect-wallet.ts'
import { fillerAbi, fillerTokenAbi } from './filler-abi.ts'
import type { Relay } from './read-deposits.ts'

/** Plain data, as it crosses the process border. */
export interface AcrossChainSettings {
  chainId: number
  rpcUrl: string
  startBlock: number
  spokePool: Address
  wrapped: Address
  tokens: BridgedToken[]
}

/** A contract's function with its arguments. */
export interface ChainCall {
  address: Address
  abi: Abi | readonly unknown[]
  functionName: string
  args?: readonly unknown[]
  value?: bigint
}

/** One chain as the filler sees it. */
export interface AcrossChain extends AcrossChainSettings {
  /** The filler's address. */
  filler: Address
  client: Wallet['reader']
  /** The newest block's time, in seconds since 1970. */
  readTime(): Promise<number>
  /** The hash by which the SpokePool here knows a relay that it is to fill. */
  readRelayHash(relay: Relay): Promise<Hex>
  /** What the SpokePool here says of a relay hash: see FILL_STATUS. */
  readFillStatus(relayHash: Hex): Promise<bigint>
  /** Sends a transaction of the filler, one after the other. @throws Error when it reverts. */
  send(call: ChainCall): Promise<TransactionReceipt>
  /** Makes sure that the filler has so much of a token, and that the SpokePool may take it. */
  provide(token: Address, amount: bigint): Promise<void>
  /** Mines a block, whose time is the present one unless a time is given. */
  mine(timestamp?: number): Promise<void>
}

/** More than is needed at once, so that the next fills find it. */
const AHEAD = 20n

/** Connects to a chain as the filler; nothing is asked of it yet. */
export function connectAcrossChain(settings: AcrossChainSettings, fillerKey: Hex): AcrossChain {
  const { account, reader: client, sender } = connectWallet(settings, fillerKey)
  const { spokePool, wrapped } = settings
  const inTurn = serializeByKey()
  const contract = { address: spokePool, abi: fillerAbi } as const
  const control = async (method: string, params: readonly unknown[]) => {
    await client.request({ method, params } as never)
  }

  const send = (call: ChainCall) =>
    inTurn('filler', async () => {
      const hash = await sender.writeContract(call as never)
      const receipt = await client.waitForTransactionReceipt({ hash, timeout: 120_000 })
      if (receipt.status !== 'success') throw new Error(`${call.functionName} was reverted (${hash})`)
      return receipt
    })

  return {
    ...settings,
    filler: account.address,
    client,
    readTime: async () => Number((await client.getBlock()).timestamp),
    readRelayHash: (relay) =>
      client.readContract({ ...contract, functionName: 'getV3RelayHash', args: [relay] }),
    readFillStatus: (relayHash) =>
      client.readContract({ ...contract, functionName: 'fillStatuses', args: [relayHash] }),
    send,
    async provide(address, amount) {
      const token = { address, abi: fillerTokenAbi } as const
      const [balance, allowance] = await Promise.all([
        client.readContract({ ...token, functionName: 'balanceOf', args: [account.address] }),
        client.readContract({ ...token, functionName: 'allowance', args: [account.address, spokePool] }),
      ])
      if (balance < amount && isAddressEqual(address, wrapped))
        await send({ ...token, functionName: 'deposit', value: amount - balance })
      else if (balance < amount)
        await send({ ...token, functionName: 'mint', args: [account.address, amount * AHEAD] })
      if (allowance < amount) await send({ ...token, functionName: 'approve', args: [spokePool, maxUint256] })
    },
    async mine(timestamp) {
      if (timestamp !== undefined) await control('evm_setNextBlockTimestamp', [timestamp])
      await control('evm_mine', [])
    },
  }
}
