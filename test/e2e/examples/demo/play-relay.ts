import { erc20Abi, formatEther, parseUnits, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import type { DescribedPool } from '../../../devnet/devnet-description.ts'
import { waitForApproval } from '../../../devnet/wallet/asp-client.ts'
import { connectWallet, type Wallet } from '../../../devnet/wallet/connect-wallet.ts'
import { deposit } from '../../../devnet/wallet/deposit.ts'
import { startProver, type Prover } from '../../../devnet/wallet/prover.ts'
import { withdraw } from '../../../../schema/client/pool/withdraw.ts'
import { DemoError } from './demo-error.ts'
import { formatMoney } from './format-money.ts'
import type { DemoWorld } from './open-world.ts'
import type { Terminal } from './terminal.ts'

const APPROVAL_TIMEOUT_MS = 120_000

/** The privacy pool: what goes in and what comes out have nothing in common on chain. Once in ETH, once in a token. */
export async function playRelay(world: DemoWorld): Promise<void> {
  const { chain, terminal } = world
  terminal.heading('Relay', 'out of a privacy pool, with a proof instead of an address that has gas')
  const [native, token] = [chain.pools[0], chain.pools.find(({ decimals }) => decimals === 6)]
  if (!native || !token) throw new DemoError('The devnet lacks a native or a 6-decimals pool')
  const prover = startProver()
  try {
    await withdrawPrivately(world, prover, native, { gross: '1', withdrawn: '0.5', extraGas: false })
    await withdrawPrivately(world, prover, token, { gross: '1000', withdrawn: '500', extraGas: true })
  } finally {
    await prover.close()
  }
  terminal.note('Both withdrawals are confirmed. The chain does not say which deposits they came from.')
}

/** One private payment: deposit, wait for approval, quote, prove, have it relayed, look at the chain. */
async function withdrawPrivately(
  { url, chain, aspUrl, keys, terminal }: DemoWorld,
  prover: Prover,
  pool: DescribedPool,
  plan: { gross: string; withdrawn: string; extraGas: boolean },
): Promise<void> {
  const { chainId, entrypoint } = chain
  const { asset, scope } = pool
  const wallet = connectWallet(chain, keys.depositor)
  const recipient = privateKeyToAddress(generatePrivateKey())
  const money = (amount: bigint) => formatMoney(amount, pool)
  const gross = parseUnits(plan.gross, pool.decimals)
  const amount = parseUnits(plan.withdrawn, pool.decimals)

  const { note, hash } = await terminal.step(`deposit ${money(gross)} into the ${pool.symbol} pool`, () =>
    deposit(wallet, { entrypoint, asset, pool: pool.pool, gross }),
  )
  terminal.detail('note', `${money(note.value)} after the vettingFee`)
  terminal.detail('transaction', hash)

  const leaves = await terminal.step('wait until the association set provider approves it', () =>
    waitForApproval(
      { aspUrl, chainId, scope: BigInt(scope) },
      note.label,
      AbortSignal.timeout(APPROVAL_TIMEOUT_MS),
    ).catch((cause: unknown) => {
      throw new DemoError(
        `The deposit was not approved by the ASP at ${aspUrl}: ${String(cause)}. Is the service still running, ` +
          'is ASP_DELAY_SECONDS short, and is the depositor not in ASP_DECLINE?',
        { cause },
      )
    }),
  )
  const { txHash, quote } = await withdraw({
    url,
    chainId,
    entrypoint,
    asset,
    scope,
    note,
    amount,
    recipient,
    maxFee: amount / 10n,
    extraGas: plan.extraGas,
    leaves,
    prover,
    step: terminal.step,
  })
  const relayFeeBps = BigInt(quote.feeBPS)
  terminal.detail(
    'relayFee',
    `${Number(relayFeeBps) / 100} %, at most ${money((amount * relayFeeBps) / 10_000n)}`,
  )
  const { extraGasFundAmount } = quote.detail
  if (extraGasFundAmount) terminal.detail('extra gas', `${formatEther(BigInt(extraGasFundAmount.eth))} ETH`)
  await showReceipt(terminal, wallet, { txHash, recipient, asset, money })
}

async function showReceipt(
  terminal: Terminal,
  { reader }: Wallet,
  paid: { txHash: Hex; recipient: Address; asset: Address; money: (amount: bigint) => string },
): Promise<void> {
  const { txHash, recipient, asset, money } = paid
  const receipt = await reader.getTransactionReceipt({ hash: txHash })
  const native = await reader.getBalance({ address: recipient })
  terminal.detail('transaction', txHash)
  terminal.detail('receipt', `${receipt.status} in block ${receipt.blockNumber}, ${receipt.gasUsed} gas`)
  terminal.detail('recipient', recipient)
  if (asset === NATIVE_ASSET) terminal.detail('received', money(native))
  else {
    const call = { address: asset, abi: erc20Abi, functionName: 'balanceOf', args: [recipient] } as const
    const tokens = await reader.readContract(call)
    terminal.detail('received', `${money(tokens)} and ${formatEther(native)} ETH for gas`)
  }
  if (receipt.status !== 'success') throw new DemoError(`the transaction ${txHash} was reverted`)
}
