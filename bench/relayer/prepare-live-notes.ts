import { parseEther, type Hex } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { NATIVE_ASSET } from '../../relayer/chains/config.ts'
import type { DescribedChain } from '../../relayer/devnet/devnet-description.ts'
import { waitForApproval } from '../../relayer/devnet/wallet/asp-client.ts'
import { connectWallet } from '../../relayer/devnet/wallet/connect-wallet.ts'
import { deposit } from '../../relayer/devnet/wallet/deposit.ts'
import { buildTree } from '../../relayer/devnet/wallet/merkle-proof.ts'
import { makeSecrets, type Note } from '../../relayer/devnet/wallet/note.ts'
import { startProver, type Prover } from '../../relayer/devnet/wallet/prover.ts'
import { withdrawInput } from '../../relayer/devnet/wallet/withdraw-input.ts'
import { computeContext } from '../../relayer/pools/formulas.ts'
import { askQuote } from './ask-quote.ts'
import type { RelayNote } from './relay-world.ts'

/** So much that a change of the gas price does not move the fee in whole basis points: quotes stay alike. */
const GROSS = parseEther('100')
const WITHDRAWN = parseEther('90')
const APPROVAL_TIMEOUT_MS = 120_000

interface LiveOptions {
  url: string
  aspUrl: string
  /** How many notes of each chain. */
  dealt: readonly { chain: DescribedChain; count: number }[]
  tell(what: string): void
}

/** Deposits into the native pools, waits for the ASP, and proves a withdrawal of each note. */
export async function prepareLiveNotes({ url, aspUrl, dealt, tell }: LiveOptions): Promise<RelayNote[]> {
  const total = dealt.reduce((sum, { count }) => sum + count, 0)
  const prover = startProver()
  const prepared: RelayNote[] = []
  try {
    for (const { chain, count } of dealt) {
      if (count === 0) continue
      const { notes, scope } = await makeDeposits(chain, count, tell)
      const last = notes.at(-1)
      if (!last) continue
      tell(`waiting until the ASP approves them`)
      const pool = { aspUrl, chainId: chain.chainId, scope }
      const leaves = await waitForApproval(pool, last.label, AbortSignal.timeout(APPROVAL_TIMEOUT_MS))
      const trees = { stateTree: buildTree(leaves.stateTreeLeaves), aspTree: buildTree(leaves.aspLeaves) }
      for (const note of notes) {
        tell(`proof ${prepared.length + 1} of ${total}`)
        prepared.push(await proveWithdrawal({ url, chain, scope, note, trees, prover }))
      }
    }
  } finally {
    await prover.close()
  }
  return prepared
}

async function makeDeposits(chain: DescribedChain, count: number, tell: LiveOptions['tell']) {
  const pool = chain.pools.find(({ asset }) => asset === NATIVE_ASSET)
  const [account] = chain.accounts
  if (!pool || !account) throw new Error(`chain ${chain.chainId} has no native pool or no account`)
  const wallet = connectWallet(chain, account.privateKey)
  const notes: Note[] = []
  for (let made = 0; made < count; made += 1) {
    tell(`deposit ${made + 1} of ${count} on chain ${chain.chainId}`)
    const request = { entrypoint: chain.entrypoint, asset: NATIVE_ASSET, pool: pool.pool, gross: GROSS }
    notes.push((await deposit(wallet, request)).note)
  }
  return { notes, scope: BigInt(pool.scope) }
}

async function proveWithdrawal(options: {
  url: string
  chain: DescribedChain
  scope: bigint
  note: Note
  trees: { stateTree: ReturnType<typeof buildTree>; aspTree: ReturnType<typeof buildTree> }
  prover: Prover
}): Promise<RelayNote> {
  const { url, chain, scope, note, trees, prover } = options
  const { chainId, entrypoint } = chain
  const recipient = privateKeyToAddress(generatePrivateKey())
  const terms = { chainId, amount: String(WITHDRAWN), asset: NATIVE_ASSET, recipient, extraGas: false }
  const { withdrawalData } = await askQuote(url, terms)
  const withdrawal = { processooor: entrypoint, data: withdrawalData }
  const context = computeContext(withdrawal, scope)
  const input = withdrawInput({ note, amount: WITHDRAWN, change: makeSecrets(), context, ...trees })
  const proven = await prover.prove('withdraw', input)
  return {
    nullifierHash: proven.publicSignals[1] ?? '',
    chain,
    // The proof outlives the commitment, so another one to the same terms is asked for.
    async makeBody() {
      const feeCommitment = await askQuote(url, terms)
      if (feeCommitment.withdrawalData.toLowerCase() !== (withdrawalData.toLowerCase() as Hex))
        throw new Error('the relayer now asks another fee than when the proof was made: gas has risen')
      return { withdrawal, ...proven, scope: String(scope), chainId, feeCommitment }
    },
  }
}
