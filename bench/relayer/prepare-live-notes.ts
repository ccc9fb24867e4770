import { createPublicClient, http, parseEther, type Address } from 'viem'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import { NATIVE_ASSET } from '../../relayer/chain/nodes/config.ts'
import type { DescribedChain } from '../../test/devnet/devnet-description.ts'
import { waitForApproval } from '../../test/devnet/wallet/asp-client.ts'
import { connectWallet } from '../../test/devnet/wallet/connect-wallet.ts'
import { deposit } from '../../test/devnet/wallet/deposit.ts'
import { buildTree } from '../../schema/client/pool/merkle-proof.ts'
import { makeSecrets } from '../../schema/client/pool/note.ts'
import { withdrawInput } from '../../schema/client/pool/withdraw-input.ts'
import { startProver, type Prover } from '../../test/devnet/wallet/prover.ts'
import { poolEventsAbi } from '../../test/devnet/pool-events.ts'
import { poolAbi } from '../../relayer/chain/contracts/privacy-pools.ts'
import { computeContext } from '../../relayer/pool/state/formulas.ts'
import { hashNullifier } from '../../test/devnet/note-hashes.ts'
import { askQuote } from './ask-quote.ts'
import type { KeptNote, KeptNotes } from './kept-notes.ts'
import type { RelayNote } from './relay-world.ts'

/** Large enough that a change of the gas price does not move the fee in whole basis points: quotes stay alike. */
const GROSS = parseEther('100')
const WITHDRAWN = parseEther('90')
const APPROVAL_TIMEOUT_MS = 120_000
const ROOTS_REMEMBERED = 64
/** Withdrawals whose state root a pool still remembers when the last of them comes. */
export const NOTES_PER_POOL = 60

interface LiveOptions {
  url: string
  aspUrl: string
  kept: KeptNotes
  /** Number of notes of each chain, at most 60. */
  dealt: readonly { chain: DescribedChain; count: number }[]
  tell(what: string): void
}

const drawBar = (done: number, total: number) => {
  const full = Math.round((20 * done) / total)
  return `[${'#'.repeat(full)}${'.'.repeat(20 - full)}] ${done} of ${total}`
}

/** Deposits into the native pools where too few notes are left of earlier runs, and proves a withdrawal of each note. */
export async function prepareLiveNotes(options: LiveOptions): Promise<RelayNote[]> {
  const { dealt, kept, tell } = options
  const total = dealt.reduce((sum, { count }) => sum + count, 0)
  const prover = startProver()
  const prepared: RelayNote[] = []
  try {
    for (const { chain, count } of dealt) {
      if (count === 0) continue
      const { notes, pool, leaves } = await findNotes(options, chain, count)
      const trees = { stateTree: buildTree(leaves.stateTreeLeaves), aspTree: buildTree(leaves.aspLeaves) }
      for (const note of notes.slice(0, count)) {
        const isNew = await proveWithdrawal({
          ...options,
          chain,
          count,
          scope: BigInt(pool.scope),
          note,
          trees,
          prover,
        })
        if (isNew) await kept.keep(pool.pool, notes)
        prepared.push(describeNote(options.url, chain, pool.scope, note))
        tell(`proofs ${drawBar(prepared.length, total)}`)
      }
    }
  } finally {
    await prover.close()
  }
  return prepared
}

/**
 * Finds unspent notes of a pool that the ASP approved. If too few are left, it deposits as many as the pool can have
 * withdrawn from one root. A later deposit would change the ASP's root, which ends every proof made before.
 */
async function findNotes({ aspUrl, kept, tell }: LiveOptions, chain: DescribedChain, count: number) {
  const pool = chain.pools.find(({ asset }) => asset === NATIVE_ASSET)
  const [account] = chain.accounts
  if (!pool || !account) throw new Error(`chain ${chain.chainId} has no native pool or no account`)
  const asp = { aspUrl, chainId: chain.chainId, scope: BigInt(pool.scope) }
  let notes = await findUnspent(chain, kept.of(pool.pool))
  const askLeaves = (label: bigint) => waitForApproval(asp, label, AbortSignal.timeout(APPROVAL_TIMEOUT_MS))
  if (notes.length < count) {
    const wallet = connectWallet(chain, account.privateKey)
    const missing = NOTES_PER_POOL - notes.length
    for (let made = 1; made <= missing; made += 1) {
      const request = { entrypoint: chain.entrypoint, asset: NATIVE_ASSET, pool: pool.pool, gross: GROSS }
      notes.push({ pool: pool.pool, note: (await deposit(wallet, request)).note })
      if (made % 10 === 0 || made === missing)
        tell(`deposits on chain ${chain.chainId} ${drawBar(made, missing)}`)
    }
    await kept.keep(pool.pool, notes)
    tell('waiting until the ASP approves them')
  }
  const last = notes.at(-1)
  if (!last) throw new Error('there are no notes')
  const leaves = await askLeaves(last.note.label)
  const approved = new Set(leaves.aspLeaves)
  notes = notes.filter(({ note }) => approved.has(note.label))
  return { notes, pool, leaves }
}

/** Returns the notes that the chain has, unlike one that was started anew, and that are unspent. */
async function findUnspent(chain: DescribedChain, notes: readonly KeptNote[]): Promise<KeptNote[]> {
  const reader = createPublicClient({ transport: http(chain.rpcUrl, { batch: true }) })
  const deposited = new Set<bigint>()
  if (notes.length > 0) {
    const logs = await reader.getContractEvents({
      abi: poolEventsAbi,
      eventName: 'Deposited',
      fromBlock: BigInt(chain.startBlock),
    })
    for (const { args } of logs) if (args._label !== undefined) deposited.add(args._label)
  }
  const spent = await Promise.all(
    notes.map(({ pool, note }) =>
      reader.readContract({
        address: pool,
        abi: poolAbi,
        functionName: 'nullifierHashes',
        args: [hashNullifier(note.nullifier)],
      }),
    ),
  )
  return notes.filter(({ note }, index) => deposited.has(note.label) && spent[index] === false)
}

/** Proves the withdrawal of a note and reports it, unless an earlier proof of it is still valid. */
async function proveWithdrawal(options: {
  url: string
  chain: DescribedChain
  /** Withdrawals of this wave, each of which adds a root. */
  count: number
  scope: bigint
  note: KeptNote
  trees: { stateTree: ReturnType<typeof buildTree>; aspTree: ReturnType<typeof buildTree> }
  prover: Prover
}): Promise<boolean> {
  const { url, chain, count, scope, note, trees, prover } = options
  const leaves = trees.stateTree.size
  const isKnown = note.proven && leaves - note.proven.leaves + count < ROOTS_REMEMBERED
  if (isKnown && note.proven?.publicSignals[5] === String(trees.aspTree.root)) return false
  const recipient = privateKeyToAddress(generatePrivateKey())
  const { withdrawalData: data } = await askQuote(url, termsOf(chain, recipient))
  const context = computeContext({ processooor: chain.entrypoint, data }, scope)
  const change = makeSecrets()
  const input = withdrawInput({ note: note.note, amount: WITHDRAWN, change, context, ...trees })
  const { proof, publicSignals } = await prover.prove('withdraw', input)
  note.proven = { leaves, recipient, data, proof, publicSignals: [...publicSignals] }
  return true
}

const termsOf = ({ chainId }: DescribedChain, recipient: Address) => ({
  chainId,
  amount: String(WITHDRAWN),
  asset: NATIVE_ASSET,
  recipient,
  extraGas: false,
})

function describeNote(url: string, chain: DescribedChain, scope: string, { proven }: KeptNote): RelayNote {
  if (!proven) throw new Error('a note without a proof')
  const { recipient, data, proof, publicSignals } = proven
  return {
    nullifierHash: publicSignals[1] ?? '',
    chain,
    // The proof outlives the commitment, so another one to the same terms is requested.
    async makeBody() {
      const feeCommitment = await askQuote(url, termsOf(chain, recipient))
      if (feeCommitment.withdrawalData.toLowerCase() !== data.toLowerCase())
        throw new Error('the relayer now asks another fee than when the proof was made: gas has risen')
      const withdrawal = { processooor: chain.entrypoint, data }
      return { withdrawal, proof, publicSignals, scope, chainId: chain.chainId, feeCommitment }
    },
  }
}
