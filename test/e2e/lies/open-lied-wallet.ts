import {
  erc20Abi,
  encodeFunctionData,
  numberToHex,
  parseEther,
  parseUnits,
  zeroAddress,
  type Address,
} from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { deriveAccounts } from '../../devnet/accounts.ts'
import { startProver } from '../../devnet/wallet/prover.ts'
import { openPayer, waitUntilIndexed } from '../../harness/chain-actors.ts'
import { startLyingGateway, type LyingGateway } from '../../harness/start-lying-gateway.ts'
import { feedOf } from '../../relayer/transact/kinds/offramp/cash-settings.ts'
import { startSendingService } from '../../relayer/transact/quotes/start-sending-service.ts'
import { createAppProvider } from '../../../schema/client/provider/app-provider.ts'
import { cashOut, followCashOut, withdrawCashOut } from '../../../schema/client/quotes/cash-out.ts'
import { openNewClient, type Client } from '../../../schema/client/account/open-client.ts'
import { convert } from '../../../schema/client/pool/convert.ts'
import type { KnownChain } from '../../../schema/client/chain/known-chain.ts'
import { createPoolView, type PoolView } from '../../../schema/client/pool/pool-state.ts'
import { readPool } from '../../../schema/client/pool/read-pool.ts'
import { recover } from '../../../schema/client/pool/recover.ts'
import { send } from '../../../schema/client/quotes/send.ts'
import { spendTold } from '../../../schema/client/pool/spend-told.ts'
import { swap } from '../../../schema/client/quotes/swap.ts'
import { withdraw } from '../../../schema/client/pool/withdraw.ts'
import { waitForNotes } from '../../../schema/client/pool/wait-for-notes.ts'
import { verifyCollectible, withdrawCollectible } from '../../../schema/client/quotes/withdraw-collectible.ts'
import { knownOf } from '../examples/demo/known-of.ts'
import { countProofs, countSignatures, rememberProofs, type Witness } from './count-signatures.ts'
import type { Thief } from './forge-orders.ts'

export interface LiedWallet extends AsyncDisposable {
  client: Client
  chains: readonly KnownChain[]
  /** The wallet's state of a pool, read anew. */
  viewPool: (token: Address, patienceMs?: number) => Promise<PoolView>
  /** A withdrawal by the relayer, up to the proof. */
  withdraw: () => Promise<unknown>
  liar: LyingGateway
  witness: Witness
  thief: Thief
  /** By kind: all steps from the request to the signature. The gateway forwards no submission. */
  kinds: Record<string, () => Promise<unknown>>
}

const somebody = (): Address => privateKeyToAddress(generatePrivateKey())

/** A wallet made of the examples, with funds for every kind of quote, and a lying gateway between it and the service. */
export async function openLiedWallet(): Promise<LiedWallet> {
  const service = await startSendingService({
    devnet: {
      ports: [0, 0],
      asp: true,
      aspDelaySeconds: 0,
      chainIds: [31_337, 31_338],
      cash: true,
      cashDelaySeconds: 86_400,
    },
    transact: { submissions: { conversionSpacingMs: 0 } },
  })
  const liar = await startLyingGateway(service.url)
  const prover = startProver()
  const payer = await openPayer(service, 3)
  const { chain } = payer
  const remote = (await openPayer(service, 3, 1)).chain
  const witness: Witness = { made: 0 }
  const chains = [chain, remote].map(knownOf)
  const opened = await openNewClient({ url: liar.url, chains })
  const client = countSignatures(opened, witness)
  const { chainId } = chain
  const dollar = chain.tokens.find(({ decimals }) => decimals === 6)!
  const theirs = remote.tokens.find(({ symbol }) => symbol === dollar.symbol)!
  const usd = (amount: string) => parseUnits(amount, 6)
  const coin = parseEther

  const pay = async (token: Address, amount: bigint): Promise<{ address: Address; nonce: string }> => {
    const shown = await client.receive()
    await (token === zeroAddress
      ? payer.payNative(shown.address, amount)
      : payer.payToken(token, shown.address, amount))
    return shown
  }
  const other = await pay(zeroAddress, coin('7'))
  await pay(zeroAddress, coin('5'))
  await pay(dollar.address, usd('9000'))
  await pay(dollar.address, usd('9000'))
  await pay(chain.wrappedNative, 0n)
  const collectible = await client.receive()
  await payer.mintCollectible(chain.collectible, collectible.address, 77n)

  const origin = 'https://app.example'
  const provider = createAppProvider({
    client,
    origin,
    chains: [{ ...knownOf(chain), rpcUrl: chain.rpcUrl }],
    maxFee: coin('0.01'),
    approve: async () => true,
  })
  const [app] = (await provider.request({ method: 'eth_requestAccounts' })) as [Address]
  await payer.payNative(app, coin('1'))
  await waitUntilIndexed(service, payer)

  const { reader } = payer.wallet
  const viewPool = async (token: Address, patienceMs?: number) =>
    createPoolView(client, await readPool(reader, { ...chain, token }), reader, patienceMs)
  const views = {
    coin: await viewPool(zeroAddress),
    dollar: await viewPool(dollar.address),
  }
  for (const amount of ['1', '0.6'])
    await convert(client, { view: views.coin, amount: coin(amount), maxFee: coin('0.1') })
  await convert(client, { view: views.dollar, amount: usd('400'), maxFee: usd('20') })
  const isApproved = (notes: readonly { isApproved: boolean }[]) =>
    notes.length > 0 && notes.every((one) => one.isApproved)
  const [coinNote] = await waitForNotes(client, views.coin, isApproved)
  const [note] = await waitForNotes(client, views.dollar, isApproved)

  const dollars = { chainId, token: dollar.address, maxFee: usd('5') }
  const venue = {
    escrow: chain.cash.escrow,
    gatingService: deriveAccounts().curator.address,
    feed: chain.cash.rates,
    feedConfig: feedOf('USD'),
  }
  const sale = {
    paymentMethod: 'venmo',
    currency: 'USD',
    payee: 'honest-handle',
    leastRate: coin('0.9'),
    venue,
  }
  const sold = await cashOut(client, { ...dollars, ...sale, amount: usd('50') })
  const { peerDepositId } = await followCashOut(client, sold.quote, { until: ['listed'] })
  await verifyCollectible(client)
  await waitUntilIndexed(service, payer)

  const contracts = { wrapped: chain.wrappedNative, router: chain.uniswap.router }
  const carry = (token: Address, decimals: number) => ({ token, decimals })
  const crossing = {
    chainId: remote.chainId,
    spokePool: chain.across.spokePool,
    multicallHandler: remote.across.multicallHandler,
    contracts: { wrapped: remote.wrappedNative, router: remote.uniswap.router },
    carried: [
      { input: carry(dollar.address, 6), output: carry(theirs.address, 6) },
      { input: carry(chain.wrappedNative, 18), output: carry(remote.wrappedNative, 18) },
    ],
  }
  const exchange = { chainId, tokenIn: dollar.address, maxFee: usd('5'), contracts }
  const pages = [
    {
      to: dollar.address,
      data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [somebody(), 5n] }),
    },
    { to: somebody(), value: numberToHex(5n) },
  ]
  const remembered = rememberProofs(prover)
  const [friend, heir, destination] = [somebody(), somebody(), somebody()]

  const { leaves, aspLeaves } = await views.coin.read()

  return {
    client,
    chains,
    viewPool,
    liar,
    witness,
    withdraw: () =>
      withdraw({
        ...views.coin.pool,
        url: liar.url,
        note: coinNote!,
        amount: coin('0.3'),
        recipient: friend,
        maxFee: coin('0.03'),
        leaves: { stateTreeLeaves: leaves, aspLeaves },
        prover: countProofs(witness),
      }),
    thief: {
      address: somebody(),
      contract: chain.collectible,
      other,
      token: dollar.address,
      balance: usd('8000'),
    },
    kinds: {
      'send of coin': () =>
        send(client, {
          chainId,
          token: zeroAddress,
          amount: coin('0.5'),
          destination: friend,
          maxFee: coin('0.01'),
        }),
      'send of a token': () => send(client, { ...dollars, amount: usd('50'), destination: friend }),
      'swap through pools': () =>
        swap(client, {
          ...exchange,
          tokenOut: zeroAddress,
          amountIn: usd('300'),
          leastOutput: coin('0.09'),
        }),
      'swap for somebody': () =>
        swap(client, {
          chainId,
          maxFee: coin('0.01'),
          contracts,
          tokenIn: zeroAddress,
          tokenOut: dollar.address,
          amountIn: coin('0.1'),
          leastOutput: usd('250'),
          destination,
        }),
      'wrap of coin': () =>
        swap(client, {
          chainId,
          maxFee: coin('0.01'),
          contracts,
          tokenIn: zeroAddress,
          tokenOut: chain.wrappedNative,
          amountIn: coin('0.1'),
          leastOutput: coin('0.1'),
        }),
      bridge: () =>
        swap(client, {
          ...exchange,
          tokenOut: theirs.address,
          amountIn: usd('100'),
          leastOutput: usd('97'),
          crossing,
        }),
      'swap to another chain': () =>
        swap(client, {
          ...exchange,
          tokenOut: zeroAddress,
          amountIn: usd('300'),
          leastOutput: coin('0.09'),
          crossing,
          destination,
        }),
      'deposit into a pool': () =>
        convert(client, { view: views.dollar, amount: usd('100'), maxFee: usd('20') }),
      'deposit of coin into a pool': () =>
        convert(client, { view: views.coin, amount: coin('0.5'), maxFee: coin('0.1') }),
      'recovery from a pool': () =>
        recover(client, {
          pool: views.dollar.pool,
          note: note!,
          maxFee: usd('5'),
          prover: remembered,
        }),
      collectible: () =>
        withdrawCollectible(client, {
          chainId,
          contract: chain.collectible,
          tokenId: '77',
          depositAddress: collectible.address,
          recipient: heir,
        }),
      'calls of an app': async () => {
        const batch = { version: '2.0.0', from: app, chainId: numberToHex(chainId), atomicRequired: true }
        return provider.request({ method: 'wallet_sendCalls', params: [{ ...batch, calls: pages }] })
      },
      'cash-out': () => cashOut(client, { ...dollars, ...sale, amount: usd('40') }),
      'cash-out on another chain': () =>
        cashOut(client, {
          ...dollars,
          ...sale,
          amount: usd('40'),
          crossing: { ...crossing, multicallHandler: remote.across.multicallHandler },
          venue: { ...venue, escrow: remote.cash.escrow, feed: remote.cash.rates },
        }),
      'taking a cash-out back': () =>
        withdrawCashOut(client, { ...dollars, depositId: peerDepositId ?? '', venue }),
      'spend from a pool': () =>
        spendTold(client, {
          view: views.coin,
          amount: coin('0.3'),
          recipient: friend,
          maxFee: coin('0.05'),
          prover: countProofs(witness),
          spacingMs: 0,
        }),
      'spend from a pool to oneself': () =>
        spendTold(client, {
          view: views.coin,
          amount: coin('0.2'),
          recipient: null,
          maxFee: coin('0.05'),
          prover: countProofs(witness),
          spacingMs: 0,
        }),
    },
    async [Symbol.asyncDispose]() {
      await prover.close()
      await liar.stop()
      await service.stop()
    },
  }
}
