import {
  erc20Abi,
  parseEventLogs,
  zeroAddress,
  type Address,
  type Hash,
  type Hex,
  type PublicClient,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { readDescription, type DescribedChain } from '../../devnet-description.ts'
import { connectWallet, type Wallet } from '../../wallet/connect-wallet.ts'
import { spokePoolEvents } from '../../../../relayer/chain/contracts/across.ts'
import { encodeDepositCalls } from '../../../../relayer/transact/venues/bridge/across/spoke-pool-deposit.ts'
import { at } from '../../../vectors/relay-story.ts'
import { startTestDevnet, type DevnetPlace } from '../../../harness/start-test-devnet.ts'

/** A deposit on the first chain for the second. */
export interface DepositAsk {
  /** The zero address deposits coins for the wrapped coin. */
  token: Address
  amount: bigint
  /** The recipient's amount; a thousandth less than the amount unless given. */
  output?: bigint
  recipient: Address
  outputToken?: Address
  /** The message that the recipient, a MulticallHandler, runs. */
  message?: Hex
  /** Seconds from the later of both clocks. */
  fillSeconds?: number
}

/** A deposit that the first chain took. */
export interface MadeDeposit {
  originChainId: number
  depositId: string
  fillDeadline: number
  outputAmount: bigint
  txHash: Hash
}

export type AcrossWorld = Awaited<ReturnType<typeof startAcrossWorld>>

/** A devnet of two chains with its own filler, and a rich depositor. */
export async function startAcrossWorld(
  settings: Parameters<typeof startTestDevnet>[0] = {},
  place: DevnetPlace = {},
) {
  const test = await startTestDevnet(
    { chainIds: [31_337, 31_338], ports: [0, 0], across: true, acrossDelaySeconds: 0, ...settings },
    place,
  )
  const description = await readDescription(test.dataDir)
  const [origin, destination] = [at(description.chains, 0), at(description.chains, 1)]
  const wallets = [origin, destination].map((chain) => connectWallet(chain, at(chain.accounts, 1).privateKey))
  const [wallet, remote] = [at(wallets, 0), at(wallets, 1)]
  const across = description.across
  if (!across) throw new Error('nobody fills')

  return {
    test,
    url: across.url,
    origin: { ...origin, wallet },
    destination: { ...destination, wallet: remote },
    deposit: (ask: DepositAsk) => deposit({ origin, destination, wallet, remote }, ask),
    /** The filler's deposits, newest first. */
    list: () => listDeposits(across.url),
    stateOf: async ({ depositId }: MadeDeposit) =>
      (await listDeposits(across.url)).find((listed) => listed.depositId === depositId)?.state,
    tell: (command: string, about?: MadeDeposit | { seconds: number }) => {
      const { originChainId, depositId } = about && 'depositId' in about ? about : {}
      const members = about && 'seconds' in about ? about : { originChainId, depositId }
      return postCommand(across.url, JSON.stringify({ command, ...members }))
    },
    [Symbol.asyncDispose]: () => test[Symbol.asyncDispose](),
  }
}

const listDeposits = async (url: string) => (await (await fetch(`${url}/deposits`)).json()) as ListedDeposit[]

/** Sends the filler a command, in JSON unless another type is given. */
export async function postCommand(url: string, body: string, type = 'application/json') {
  const response = await fetch(`${url}/commands`, { method: 'POST', headers: { 'content-type': type }, body })
  return { status: response.status, body: (await response.json()) as { message?: string } }
}

/** One deposit in the answer to `GET /deposits`. */
export interface ListedDeposit {
  depositId: string
  state: string
  reason: string | null
}

export const freshAddress = () => privateKeyToAddress(generatePrivateKey())
export const timeOf = async ({ reader }: { reader: PublicClient }) =>
  Number((await reader.getBlock()).timestamp)

/** An address's balance of a token; the zero address is the coin. */
export const balanceOf = ({ wallet: { reader } }: { wallet: Wallet }, token: Address, owner: Address) =>
  token === zeroAddress
    ? reader.getBalance({ address: owner })
    : reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] })

async function deposit(
  ends: { origin: DescribedChain; destination: DescribedChain; wallet: Wallet; remote: Wallet },
  { token, amount, recipient, outputToken, message = '0x', fillSeconds = 600, ...ask }: DepositAsk,
): Promise<MadeDeposit> {
  const { origin, destination, wallet, remote } = ends
  const isCoin = token === zeroAddress
  const inputToken = isCoin ? origin.wrappedNative : token
  const outputAmount = ask.output ?? amount - amount / 1_000n
  const now = await timeOf(wallet)
  const fillDeadline = Math.max(now, Math.floor(Date.now() / 1_000), await timeOf(remote)) + fillSeconds
  const calls = encodeDepositCalls(
    {
      provider: 'across',
      originChainId: origin.chainId,
      destinationChainId: destination.chainId,
      depositor: wallet.account.address,
      recipient,
      exclusiveRelayer: zeroAddress,
      inputToken,
      outputToken: outputToken ?? inputToken,
      inputAmount: amount,
      outputAmount,
      quoteTimestamp: now,
      fillDeadline,
      exclusivityDeadline: 0,
      message,
    },
    { spokePool: origin.across.spokePool, isCoin, allowance: 0n },
  )
  for (const call of calls) {
    const hash = await wallet.sender.sendTransaction(call)
    const { logs, status } = await wallet.reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error('a call of the deposit was reverted')
    const [event] = parseEventLogs({ abi: spokePoolEvents, logs, eventName: 'FundsDeposited' })
    if (event)
      return {
        originChainId: origin.chainId,
        depositId: String(event.args.depositId),
        fillDeadline,
        outputAmount,
        txHash: hash,
      }
  }
  throw new Error('nothing was deposited')
}
