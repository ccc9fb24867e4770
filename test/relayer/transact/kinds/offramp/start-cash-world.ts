import { parseAbi, type Address, type Hash } from 'viem'
import { peerEscrowAbi } from '../../../../../relayer/chain/contracts/peer-escrow.ts'
import type { ChainConfig } from '../../../../../relayer/chain/nodes/config.ts'
import { deriveAccounts } from '../../../../devnet/accounts.ts'
import { connectWallet } from '../../../../devnet/wallet/connect-wallet.ts'
import { readDescription } from '../../../../devnet/devnet-description.ts'
import { relayStatus } from '../../../../../schema/transact/submit-model.ts'
import type { CashOutQuote } from '../../../../../schema/client/quotes/cash-out.ts'
import { waitUntilIndexed } from '../../../../harness/chain-actors.ts'
import { countRpc, type RpcCounter } from '../../../../harness/count-rpc.ts'
import type { WalletSender } from '../../submissions/open-wallet-sender.ts'
import { startCurator, type Curator } from '../../venues/cash-out/peer/start-curator.ts'
import { startBridgeWorld, type BridgeWorld } from '../swap/cross-chain/start-bridge-world.ts'
import type { BridgedChain } from '../swap/cross-chain/open-bridged-chains.ts'
import { cashContracts, feedOf, withCash } from './cash-settings.ts'

const ratesAbi = parseAbi(['function set(bytes config, uint256 rate)'])

/** The service on two chains with an escrow on each, and a curator that tests control. */
export interface CashWorld extends BridgeWorld {
  readonly curator: Curator
  /** The service's questions to the nodes of both chains. */
  readonly nodes: readonly RpcCounter[]
  /** Sets the price of a dollar on a chain, times 1e18. */
  setRate(chain: BridgedChain, currency: string, rate: bigint): Promise<void>
  /** Reads a deposit from the escrow of a chain. */
  readDeposit(chain: BridgedChain, depositId: bigint): Promise<EscrowedDeposit>
  /** The newest deposit of a depositor in the escrow of a chain, by its event. */
  findDeposited(chain: BridgedChain, depositor: Address): Promise<{ depositId: bigint; txHash: Hash }>
}

/** A deposit as the escrow has it. */
export interface EscrowedDeposit {
  depositor: Address
  remainingDeposits: bigint
  outstandingIntentAmount: bigint
  acceptingIntents: boolean
  /** Bounds of one buyer's intent. */
  intentAmountRange: { min: bigint; max: bigint }
}

/** Gives the chains of a world their escrow. */
export function connectCash(curator: Pick<Curator, 'url'>): (chain: ChainConfig) => ChainConfig {
  return (chain) => {
    const dollar = chain.venues.across?.tokens.find(({ asset }) => asset === 'USD')?.token
    if (!dollar) throw new Error('the world has no dollar')
    return withCash(chain, { curatorUrl: curator.url, dollar })
  }
}

export async function startCashWorld(): Promise<CashWorld> {
  const curator = await startCurator()
  const nodes: RpcCounter[] = []
  const close = async () => {
    for (const node of nodes) await node.close()
    await curator.stop()
  }
  const withEscrow = connectCash(curator)
  const world = await startBridgeWorld({
    async connect(chain, place) {
      const node = await countRpc(chain.rpcUrls[0] ?? '')
      nodes[place] = node
      return withEscrow({ ...chain, rpcUrls: [node.url] })
    },
  }).catch(async (error: unknown) => {
    await close()
    throw error
  })
  const { deployer } = deriveAccounts()
  return {
    ...world,
    curator,
    nodes,
    async setRate({ chainId }, currency, rate) {
      const { chains } = await readDescription(world.dataDir)
      const described = chains.find((one) => one.chainId === chainId)
      if (!described) throw new Error('the devnet has no such chain')
      const { sender, reader } = connectWallet(described, deployer.privateKey)
      const hash = await sender.writeContract({
        address: cashContracts.rates,
        abi: ratesAbi,
        functionName: 'set',
        args: [feedOf(currency), rate],
      })
      await reader.waitForTransactionReceipt({ hash })
    },
    readDeposit: ({ payer }, depositId) =>
      payer.wallet.reader.readContract({
        address: cashContracts.escrow,
        abi: peerEscrowAbi,
        functionName: 'getDeposit',
        args: [depositId],
      }),
    async findDeposited({ payer }, depositor) {
      const events = await payer.wallet.reader.getContractEvents({
        address: cashContracts.escrow,
        abi: peerEscrowAbi,
        eventName: 'DepositReceived',
        args: { depositor },
        fromBlock: 0n,
      })
      const last = events.at(-1)
      if (last?.args.depositId === undefined) throw new Error('the escrow has no such deposit')
      return { depositId: last.args.depositId, txHash: last.transactionHash }
    },
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]()
      await close()
    },
  }
}

/** Signs and submits a quote, and waits until it is confirmed and indexed. */
export async function submitAndWait(
  world: Pick<CashWorld, 'service'>,
  sender: WalletSender,
  quote: Pick<CashOutQuote, 'quoteId'>,
  chain: Pick<BridgedChain, 'payer'>,
): Promise<void> {
  const submitted = await sender.post('/submit', await sender.sign(quote as CashOutQuote))
  if (submitted.status !== 200) throw new Error(JSON.stringify(submitted.body))
  const end = performance.now() + 60_000
  for (;;) {
    const { status } = relayStatus.parse((await sender.get(`/relay-status/${quote.quoteId}`)).body)
    if (status === 'confirmed') break
    if (status === 'failed' || performance.now() > end) throw new Error(`it is ${status}`)
    await new Promise((resolve) => setTimeout(resolve, 100))
  }
  await waitUntilIndexed(world.service, chain.payer)
}
