import { erc20Abi, formatEther, formatUnits, type Address, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { NATIVE_ASSET } from '../../../../relayer/chains/config.ts'
import type { DescribedChain, DescribedPool } from '../../../../relayer/devnet/devnet-description.ts'
import { waitForApproval } from '../../../../relayer/devnet/wallet/asp-client.ts'
import { connectWallet, type Wallet } from '../../../../relayer/devnet/wallet/connect-wallet.ts'
import { deposit } from '../../../../relayer/devnet/wallet/deposit.ts'
import { buildTree } from '../../../../relayer/devnet/wallet/merkle-proof.ts'
import { makeSecrets } from '../../../../relayer/devnet/wallet/note.ts'
import type { Prover } from '../../../../relayer/devnet/wallet/prover.ts'
import { withdrawInput } from '../../../../relayer/devnet/wallet/withdraw-input.ts'
import { computeContext, encodeRelayData } from '../../../../relayer/pools/formulas.ts'
import { DemoError } from './demo-error.ts'
import type { RelayerClient } from './relayer-client.ts'
import type { Terminal } from './terminal.ts'

const APPROVAL_TIMEOUT_MS = 120_000

export interface DemoContext {
  chain: DescribedChain
  aspUrl: string
  depositorKey: Hex
  relayer: RelayerClient
  prover: Prover
  terminal: Terminal
}

/**
 * One private payment: deposit, wait for approval, quote, prove, have it relayed, look at the chain.
 * @param amounts What is deposited and what of it is withdrawn, in the asset's smallest unit.
 */
export async function withdrawPrivately(
  { chain, aspUrl, depositorKey, relayer, prover, terminal }: DemoContext,
  pool: DescribedPool,
  amounts: { gross: bigint; withdrawn: bigint; extraGas: boolean },
): Promise<void> {
  const { chainId, entrypoint } = chain
  const { asset, symbol } = pool
  const scope = BigInt(pool.scope)
  const wallet = connectWallet(chain, depositorKey)
  const recipient = privateKeyToAddress(generatePrivateKey())
  const money = (amount: bigint) => `${formatUnits(amount, pool.decimals)} ${symbol}`

  terminal.heading(`${symbol} pool of chain ${chainId}`)
  const { note, hash: depositHash } = await terminal.step(`deposit ${money(amounts.gross)}`, () =>
    deposit(wallet, { entrypoint, asset, pool: pool.pool, gross: amounts.gross }),
  )
  terminal.detail('note', `${money(note.value)} after the vettingFee`)
  terminal.detail('transaction', depositHash)

  const leaves = await terminal.step('wait until the ASP approves the deposit', () =>
    waitForApproval({ aspUrl, chainId, scope }, note.label, AbortSignal.timeout(APPROVAL_TIMEOUT_MS)).catch(
      (cause: unknown) => {
        throw new DemoError(
          `The deposit was not approved by the ASP at ${aspUrl}: ${String(cause)}. Is the service still running, ` +
            'is ASP_DELAY_SECONDS short, and is the depositor not in ASP_DECLINE?',
          { cause },
        )
      },
    ),
  )
  const { feeReceiverAddress } = await relayer.details({ chainId, assetAddress: asset })
  const amount = amounts.withdrawn
  const quote = await terminal.step(`ask what it costs to withdraw ${money(amount)}`, () =>
    relayer.quote({ chainId, amount: String(amount), asset, recipient, extraGas: amounts.extraGas }),
  )
  const relayFeeBps = BigInt(quote.feeBPS)
  terminal.detail(
    'relayFee',
    `${Number(relayFeeBps) / 100} %, at most ${money((amount * relayFeeBps) / 10_000n)}`,
  )
  const { extraGasFundAmount } = quote.detail
  if (extraGasFundAmount) terminal.detail('extra gas', `${formatEther(BigInt(extraGasFundAmount.eth))} ETH`)

  const data = encodeRelayData({ recipient, feeRecipient: feeReceiverAddress, relayFeeBps })
  if (data !== quote.feeCommitment.withdrawalData.toLowerCase()) {
    throw new DemoError('the relayer committed to other withdrawal data than its quote says')
  }
  const withdrawal = { processooor: entrypoint, data }
  const proven = await terminal.step('make the zero-knowledge proof', () =>
    prover.prove(
      'withdraw',
      withdrawInput({
        note,
        amount,
        change: makeSecrets(),
        stateTree: buildTree(leaves.stateTreeLeaves),
        aspTree: buildTree(leaves.aspLeaves),
        context: computeContext(withdrawal, scope),
      }),
    ),
  )
  const { feeCommitment } = quote
  const { txHash } = await terminal.step('have it relayed', async (show) => {
    const body = { withdrawal, ...proven, scope: pool.scope, chainId, feeCommitment }
    const { requestId } = await relayer.request(body)
    return await relayer.waitUntilConfirmed(requestId, show)
  })
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
  if (asset === NATIVE_ASSET) {
    terminal.detail('received', money(native))
  } else {
    const args = [recipient] as const
    const tokens = await reader.readContract({
      address: asset,
      abi: erc20Abi,
      functionName: 'balanceOf',
      args,
    })
    terminal.detail('received', `${money(tokens)} and ${formatEther(native)} ETH for gas`)
  }
  if (receipt.status !== 'success') throw new DemoError(`the transaction ${txHash} was reverted`)
}
