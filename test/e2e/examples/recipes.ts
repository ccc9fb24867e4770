/** The recipes of the client package's README, which quotes them word for word. */
import {
  askQuote,
  deriveSharedKeys,
  followBalances,
  isRefusal,
  listStealthAddresses,
  openClient,
  readNotes,
  deriveNoteKey,
  writeNote,
  saveContact,
  send,
  signQuote,
  swap,
  type Client,
  type KnownChain,
  type WalletKeys,
} from '../../../schema/client/index.ts'
import { depositPrecommitment, noteMasterOf, notePhrase } from '../../../schema/client/pool.ts'
import { zeroAddress, type Address } from 'viem'

const COIN = zeroAddress

export async function openAccount(url: string, keys: WalletKeys, chain: KnownChain) {
  // Signs in; creates the account where there is none. The token is renewed by itself.
  const client = await openClient({ url, ...keys, chains: [chain] })
  return client
}

export async function receivePayment(client: Client) {
  // One address for each payer, good on every chain; refused unless your keys control it.
  const { address, nonce } = await client.receive()
  const account = client.controlOf(nonce)
  return { address, account }
}

export async function readBalances(client: Client, chainId: number) {
  // Any operation by its name, with the types of its input and answer.
  const { balances } = await client.call('accountChainBalance', { path: { chainId } })
  return balances.map(({ tokenSymbol, visible }) => `${visible.available} ${tokenSymbol}`)
}

export async function pay(client: Client, chainId: number, destination: Address, amount: bigint) {
  // Quote, every check, signature, submission, and following it to its end.
  const { quote, txHash } = await send(client, {
    chainId,
    token: COIN,
    amount,
    destination,
    maxFee: amount / 10n,
  })
  return { fee: quote.fees.total, txHash }
}

export async function payInSteps(client: Client, chainId: number, destination: Address, amount: bigint) {
  // The same by hand: `signQuote` is the only way to a signature, and it checks the quote first.
  const asked = { type: 'send', chainId, token: COIN, amount, destination, maxFee: amount / 10n } as const
  const quote = await askQuote(client, asked)
  const body = await signQuote(client, quote, asked)
  return client.call('submitQuote', { body })
}

export async function explainRefusal(client: Client, chainId: number, destination: Address) {
  try {
    await askQuote(client, { chainId, token: COIN, amount: 10n ** 30n, destination })
  } catch (error) {
    // The code narrows the other members; `retry` is what the error declares.
    if (!isRefusal(error, 'INSUFFICIENT_BALANCE')) throw error
    return { have: error.body.available, retry: error.retry }
  }
  return null
}

export async function wrapCoin(client: Client, { chainId, wrapped = COIN }: KnownChain, amountIn: bigint) {
  // The contracts come from the wallet's record of the chain, the least output from the user.
  const terms = { chainId, tokenIn: COIN, tokenOut: wrapped, amountIn, leastOutput: amountIn }
  const { txHash } = await swap(client, { ...terms, maxFee: amountIn / 10n })
  return txHash
}

export async function nextChange(client: Client, signal: AbortSignal) {
  // Events as they happen; a cut stream is connected again.
  for await (const { chainId, balance } of followBalances(client, signal)) return { chainId, balance }
  return null
}

export async function remember(client: Client, { viewKey }: WalletKeys, friend: Address, quoteId: string) {
  // A contact is signed by the spending key. A note is encrypted by a key that never leaves.
  await saveContact(client, friend, 'Alice')
  const key = await deriveNoteKey(viewKey)
  await writeNote(client, key, quoteId, 'for the tickets')
  return (await readNotes(client, key)).get(quoteId)
}

export function comeBack(client: Client, keys: WalletKeys, scope: bigint) {
  // Without the service: the account, its addresses, and the words of its pool notes.
  const { authAddress } = deriveSharedKeys(keys)
  const addresses = listStealthAddresses(keys, { count: 3 })
  const { mnemonic } = notePhrase(keys.spendKey, keys.viewKey)
  return { authAddress, addresses, mnemonic, next: depositPrecommitment(noteMasterOf(client), scope, 0n) }
}
