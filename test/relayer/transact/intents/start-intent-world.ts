import { pino } from 'pino'
import {
  encodeFunctionData,
  erc20Abi,
  parseSignature,
  type Address,
  type Hex,
  type TransactionReceipt,
} from 'viem'
import { generatePrivateKey, privateKeyToAccount, type PrivateKeyAccount } from 'viem/accounts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { hashDelegation, type SignedDelegation } from '../../../../relayer/transact/intents/delegation.ts'
import { readOutcomes } from '../../../../relayer/transact/intents/intent-outcome.ts'
import {
  type Call,
  type Intent,
  buildIntent,
  createIntentNonce,
  encodeBatch,
  encodeIntent,
} from '../../../../relayer/transact/intents/intent.ts'
import { readIntentDomain } from '../../../../relayer/transact/intents/sending-chain.ts'
import { at } from '../../../vectors/relay-story.ts'
import { startTestDevnet } from '../../../harness/start-test-devnet.ts'
import { typeIntent } from '../../../../relayer/transact/intents/intent-wire.ts'

export type IntentWorld = Awaited<ReturnType<typeof startIntentWorld>>

/** A devnet, an account that sends transactions, a rich account, and the tests' actions on accounts. */
export async function startIntentWorld() {
  const test = await startTestDevnet()
  const config = at(test.devnet.chains, 0)
  const { sending: intents } = config
  if (!intents) throw new Error('the devnet offers no sending')
  const chain = openChain(config, pino({ level: 'silent' }))
  const { chainId } = config
  const token = at(test.chain.tokens, 0).address
  const client = (index: number) => connectWallet(test.chain, at(test.chain.accounts, index).privateKey)
  const [rich, relayer, thief] = [client(1), client(2), client(3)] as const
  const { reader } = rich
  const domain = await readIntentDomain(reader, chainId, intents.orchestrator)

  const mined = (hash: Hex) => reader.waitForTransactionReceipt({ hash })
  const balanceOf = (address: Address) =>
    reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [address] })

  /** A key that the chain has never seen, with some native coins. */
  async function openAccount(tokens: bigint, wei = 0n): Promise<PrivateKeyAccount> {
    const account = privateKeyToAccount(generatePrivateKey())
    if (tokens > 0n) {
      const call = { address: token, abi: erc20Abi, functionName: 'transfer' } as const
      await mined(await rich.sender.writeContract({ ...call, args: [account.address, tokens] }))
    }
    if (wei > 0n) await mined(await rich.sender.sendTransaction({ to: account.address, value: wei }))
    return account
  }

  const pay = (to: Address, amount: bigint): Call => ({
    to: token,
    value: 0n,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
  })

  function draft(eoa: Address, calls: readonly Call[], changes: Partial<Intent> = {}): Intent {
    return {
      ...buildIntent({
        eoa,
        calls,
        intentNonce: createIntentNonce(),
        combinedGas: 300_000n,
        expiry: BigInt(Math.floor(Date.now() / 1_000) + 600),
        accountImplementation: intents!.accountImplementation,
      }),
      ...changes,
    }
  }

  const sign = async (account: PrivateKeyAccount, intent: Intent): Promise<Intent> => ({
    ...intent,
    signature: await account.signTypedData(typeIntent(intent, domain)),
  })

  async function delegate(account: PrivateKeyAccount, authorizationNonce = 0): Promise<SignedDelegation> {
    const delegation = {
      chainId,
      address: account.address,
      contractAddress: intents!.accountProxy,
      authorizationNonce,
    }
    return { ...delegation, signature: await account.sign({ hash: hashDelegation(delegation) }) }
  }

  /** Sends intents in one transaction. @returns Its receipt and the outcomes. */
  async function send(
    signed: readonly Intent[],
    {
      delegations = [],
      from = relayer,
      gas = 3_000_000n,
      fees = {},
    }: {
      delegations?: readonly SignedDelegation[]
      from?: typeof relayer
      gas?: bigint
      fees?: { maxFeePerGas?: bigint; maxPriorityFeePerGas?: bigint }
    } = {},
  ): Promise<{ receipt: TransactionReceipt; outcomes: ReturnType<typeof readOutcomes> }> {
    const call = { to: intents!.orchestrator, data: encodeBatch(signed.map(encodeIntent)), gas, ...fees }
    const authorizationList = delegations.map(({ contractAddress, authorizationNonce, signature }) => {
      const { r, s, yParity } = parseSignature(signature)
      return { address: contractAddress, chainId, nonce: authorizationNonce, r, s, yParity }
    })
    const hash = await (authorizationList.length > 0
      ? from.sender.sendTransaction({ ...call, authorizationList })
      : from.sender.sendTransaction(call))
    const receipt = await mined(hash)
    return { receipt, outcomes: readOutcomes(receipt.logs, intents!.orchestrator) }
  }

  return {
    chain,
    config,
    intents,
    chainId,
    token,
    domain,
    reader,
    relayer,
    thief,
    balanceOf,
    openAccount,
    pay,
    draft,
    sign,
    delegate,
    send,
    stop: () => test[Symbol.asyncDispose](),
  }
}
