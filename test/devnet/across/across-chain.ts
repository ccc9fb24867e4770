import { setTimeout as sleep } from 'node:timers/promises'
import {
  TransactionReceiptNotFoundError,
  isAddressEqual,
  maxUint256,
  type Abi,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { serializeByKey } from '../../../relayer/concurrency/coalesce-runs.ts'
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
  /** It passes calls on and goes on when they fail: an estimate is the least with which it does, and too little for them. */
  passesCalls?: boolean
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
  /** Reads the status of a relay hash from the SpokePool here: see FILL_STATUS. */
  readFillStatus(relayHash: Hex): Promise<bigint>
  /** Sends a transaction of the filler, one after the other. @throws Error when it reverts. */
  send(call: ChainCall): Promise<TransactionReceipt>
  /** Makes sure that the filler has this amount of a token, and that the SpokePool may take it. */
  provide(token: Address, amount: bigint): Promise<void>
  /** Mines a block, whose time is the present one. */
  mine(): Promise<void>
  /**
   * Mines a block of this time, in seconds since 1970. A chain that is ahead of our clock then goes on by a second a
   * block, because its time must not run backwards. {@link followClock} ends that once our clock has caught up.
   */
  passTime(timestamp: number): Promise<void>
  /** Lets the chain follow our clock again once it is not ahead of it any more. */
  followClock(): Promise<void>
}

/** Gas allowed for the calls of a message. */
const SPARE_GAS = 3_000_000n
const RECEIPT_PATIENCE_MS = 120_000
const RECEIPT_POLL_MS = 40
/** More than is needed at once, so that the next fills find it. */
const AHEAD = 20n

/** Connects to a chain as the filler; nothing is asked of it yet. */
export function connectAcrossChain(
  settings: AcrossChainSettings,
  { fillerKey, hasOwnClock }: { fillerKey: Hex; hasOwnClock: boolean },
): AcrossChain {
  const { account, reader: client, sender } = connectWallet(settings, fillerKey)
  const { spokePool, wrapped } = settings
  const now = () => Math.floor(Date.now() / 1_000)
  // Another process may have left it ahead.
  let mayBeAhead = !hasOwnClock
  const inTurn = serializeByKey()
  const contract = { address: spokePool, abi: fillerAbi } as const
  const control = async (method: string, params: readonly unknown[]) => {
    await client.request({ method, params } as never)
  }

  const send = ({ passesCalls = false, ...call }: ChainCall) =>
    inTurn('filler', async () => {
      const gas = passesCalls
        ? SPARE_GAS + (await client.estimateContractGas({ ...call, account } as never))
        : undefined
      const hash = await sender.writeContract({ ...call, gas } as never)
      const receipt = await waitForReceipt(client, hash)
      if (receipt.status !== 'success') throw new Error(`${call.functionName} was reverted (${hash})`)
      return receipt
    })

  const readTime = async () => Number((await client.getBlock()).timestamp)

  return {
    ...settings,
    filler: account.address,
    client,
    readTime,
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
    mine: () => control('evm_mine', []),
    async passTime(timestamp) {
      await control('evm_setNextBlockTimestamp', [timestamp])
      await control('evm_mine', [])
      mayBeAhead = !hasOwnClock
      if (mayBeAhead) await control('anvil_setBlockTimestampInterval', [1])
    },
    async followClock() {
      if (!mayBeAhead) return
      if ((await readTime()) > now()) return control('anvil_setBlockTimestampInterval', [1])
      await control('anvil_removeBlockTimestampInterval', [])
      await control('evm_setTime', [now()])
      mayBeAhead = false
    },
  }
}

/**
 * Polls for the receipt itself: viem's own wait looks again only when there is another block, and a chain that mines on
 * demand makes none.
 */
async function waitForReceipt(client: Wallet['reader'], hash: Hex): Promise<TransactionReceipt> {
  const deadline = performance.now() + RECEIPT_PATIENCE_MS
  for (;;) {
    try {
      return await client.getTransactionReceipt({ hash })
    } catch (error) {
      if (!(error instanceof TransactionReceiptNotFoundError) || performance.now() > deadline) throw error
      await sleep(RECEIPT_POLL_MS)
    }
  }
}
