import {
  createWalletClient,
  encodeFunctionData,
  erc20Abi,
  getAddress,
  http,
  parseSignature,
  type Address,
  type Hash,
  type Hex,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { hashDelegation, type SignedDelegation } from '../../../../relayer/transact/intents/delegation.ts'
import {
  type Call,
  type Intent,
  buildIntent,
  createIntentNonce,
  encodeBatch,
  encodeIntent,
} from '../../../../relayer/transact/intents/intent.ts'
import { readIntentDomain } from '../../../../relayer/transact/intents/sending-chain.ts'
import { openPayer } from '../../../harness/chain-actors.ts'
import { compileSolidity } from '../../market/tokens/compile-solidity.ts'
import { startSendingService } from '../quotes/start-sending-service.ts'
import { openWalletSender, type WalletSender } from '../submissions/open-wallet-sender.ts'
import { readWire } from '../submissions/read-wire.ts'
import { typeIntent } from '../../../../relayer/transact/intents/intent-wire.ts'

const CLAIMED = 1_000_000n

/** An intent that any sender may execute, and the delegation that it needs. */
export interface Rider {
  intent: Intent
  delegation: SignedDelegation | null
}

export type SharedWorld = Awaited<ReturnType<typeof startSharedWorld>>

/** A service with an account, and a stranger's intents that are executed beside those of the account. */
export async function startSharedWorld() {
  const service = await startSendingService()
  const payer = await openPayer(service, 5)
  const stranger = await openPayer(service, 6)
  const alice = await openWalletSender(service, payer)
  const { sending } = service.parts.chains[0]!
  if (!sending) throw new Error('the devnet offers no sending')
  const { reader } = payer.wallet
  const chainId = payer.chain.chainId
  const dollar = payer.chain.tokens[0]!.address
  const domain = await readIntentDomain(reader, chainId, sending.orchestrator)

  const LiarToken = compileSolidity(new URL('../OddTokens.sol', import.meta.url))['LiarToken']!
  const mined = async (hash: Promise<Hash> | Hash) => {
    const receipt = await reader.waitForTransactionReceipt({ hash: await hash })
    if (receipt.status !== 'success') throw new Error(`${receipt.transactionHash} was reverted`)
    return receipt
  }
  const { contractAddress } = await mined(stranger.wallet.sender.deployContract({ ...LiarToken, args: [] }))
  const liar = getAddress(contractAddress!)
  const callLiar = (functionName: string, args: readonly unknown[]): Call => ({
    to: liar,
    value: 0n,
    data: encodeFunctionData({ abi: LiarToken.abi, functionName, args }),
  })
  const payDollars = (to: Address, amount: bigint): Call => ({
    to: dollar,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

  /** An intent of a key that makes calls, and its delegation. */
  async function act(
    account: PrivateKeyAccount,
    calls: readonly Call[],
    authorizationNonce: number | null = 0,
  ) {
    const intent = buildIntent({
      eoa: account.address,
      calls,
      intentNonce: createIntentNonce(),
      combinedGas: 500_000n,
      expiry: BigInt(Math.floor(Date.now() / 1_000) + 900),
      accountImplementation: sending!.accountImplementation,
    })
    const signature = await account.signTypedData(typeIntent(intent, domain))
    const delegation = { chainId, address: account.address, contractAddress: sending!.accountProxy }
    const signed =
      authorizationNonce === null
        ? null
        : {
            ...delegation,
            authorizationNonce,
            signature: await account.sign({ hash: hashDelegation({ ...delegation, authorizationNonce }) }),
          }
    return { intent: { ...intent, signature }, delegation: signed } satisfies Rider
  }

  /** The stranger's intents are of a key of their own each time. */
  const actAsStranger = async (calls: readonly Call[], funds: { dollars?: bigint; wei?: bigint } = {}) => {
    const account = privateKeyToAccount(generatePrivateKey())
    if (funds.dollars) await stranger.payToken(dollar, account.address, funds.dollars)
    if (funds.wei) await stranger.payNative(account.address, funds.wei)
    return act(account, calls)
  }

  /** Executes any intents in one transaction: as the service does, or through another contract. */
  async function execute(riders: readonly Rider[], through?: { data(batch: Hex): Hex; to: Address }) {
    const batch = encodeBatch(riders.map(({ intent }) => encodeIntent(intent)))
    const authorizationList = riders.flatMap(({ delegation }) => {
      if (!delegation) return []
      const { contractAddress: address, authorizationNonce: nonce, signature } = delegation
      const { r, s, yParity } = parseSignature(signature)
      return [{ address, chainId, nonce, r, s, yParity: yParity ?? 0 }]
    })
    return stranger.wallet.sender.sendTransaction({
      to: through?.to ?? sending!.orchestrator,
      data: through?.data(batch) ?? batch,
      gas: 3_000_000n,
      maxFeePerGas: 10n ** 11n,
      maxPriorityFeePerGas: 10n ** 10n,
      ...(authorizationList.length > 0 && { authorizationList }),
    })
  }

  /** The signed intents of the account, as in a public mempool. */
  function copyOf(wire: Awaited<ReturnType<WalletSender['sign']>>): Rider[] {
    const { intents, delegations } = readWire({ accountId: alice.client.accountId, ...wire })
    return intents.map(({ intent }) => ({
      intent,
      delegation: delegations.find(({ delegation }) => delegation.address === intent.eoa)?.delegation ?? null,
    }))
  }

  const ask = (method: string, ...params: unknown[]): Promise<unknown> =>
    reader.request({ method, params } as never)

  /** A transaction that the key of a one-time address sends itself. */
  const senderOf = (account: PrivateKeyAccount) =>
    createWalletClient({ account, chain: reader.chain, transport: http(payer.chain.rpcUrl) })

  return {
    service,
    payer,
    stranger,
    alice,
    dollar,
    liar,
    chainId,
    act,
    actAsStranger,
    execute,
    copyOf,
    ask,
    mined,
    senderOf,
    callLiar,
    payDollars,
    claim: (from: Address, to: Address) => callLiar('claim', [from, to, CLAIMED]),
    rideThrough: (from: Address, to: Address) => ({
      to: liar,
      data: (batch: Hex) => callLiar('ride', [from, to, CLAIMED, sending.orchestrator, batch]).data,
    }),
    stop: () => service.stop(),
  }
}
