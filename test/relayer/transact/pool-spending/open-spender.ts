import { setTimeout as sleep } from 'node:timers/promises'
import { zeroAddress } from 'viem'
import { NATIVE_ASSET } from '../../../../relayer/chain/nodes/config.ts'
import { commitmentOf, makeSecrets, type NoteSecrets } from '../../../../schema/client/pool/note.ts'
import type { Prover } from '../../../devnet/wallet/prover.ts'
import { hashNullifier } from '../../../devnet/note-hashes.ts'
import type { Payer } from '../../../harness/chain-actors.ts'
import type { TestService } from '../../../harness/start-service.ts'
import {
  openDepositor,
  type Answer,
  type Depositor,
  type OwnNote,
} from '../kinds/pool-recover/open-depositor.ts'
import { relayOut, withdrawUnproven } from './relay-out.ts'

export interface PlannedWithdrawal {
  commitmentId: string
  label: string
  receives: string
  withdraws: string
  changeValue: string
  recipient?: string
}

export interface SpendQuote {
  quoteId: string
  signature: `0x${string}`
  expectedOutput: string
  withdrawals: PlannedWithdrawal[]
  crowd: number
  privacyCaveats: { kind: string }[]
  fees: { network: string; total: string }
}

/** The hashes that a client reports of a withdrawal. */
export interface Told {
  commitmentId: string
  nullifierHash: string
  newCommitment: string
}

/** The proven part of a withdrawal: its quote's terms, for change of these secrets. */
export type Relayed = Pick<PlannedWithdrawal, 'label' | 'withdraws'>

/** An account with deposits of native coin that reports its spends over HTTP, and withdraws as a stranger. */
export interface Spender extends Depositor {
  notes: OwnNote[]
  quote(
    body: Record<string, unknown>,
  ): Promise<Answer<SpendQuote & { code?: string; [name: string]: unknown }>>
  /** Of the first deposit's note; with the secrets of the change. */
  tell(withdrawal: PlannedWithdrawal): { told: Told; change: NoteSecrets }
  /** Without any token: nothing joins it with the account. Waits until it is indexed. */
  relay(withdrawal: Relayed, change: NoteSecrets, recipient: string): Promise<void>
  statusOf(quoteId: string): Promise<{ status: string; txHash: string | null; error?: string | null }>
  pooled(): Promise<Record<string, string>>
}

/**
 * @param prover For relays by the service; null for withdrawals without a proof, after which the chain shows the same.
 * @param grosses Amounts to deposit; waits until all of them are available.
 */
export async function openSpender(
  service: TestService,
  payer: Payer,
  prover: Prover | null,
  grosses: readonly bigint[],
): Promise<Spender> {
  const owner = await openDepositor(service, payer)
  const notes: OwnNote[] = []
  for (const gross of grosses) notes.push(await owner.deposit(NATIVE_ASSET, gross))
  const worth = String(notes.reduce((sum, { note }) => sum + note.value, 0n))
  const { chain } = payer
  const noteOf = (label: string) => notes.find(({ note }) => String(note.label) === label)!.note

  const pooled = async () => {
    const { body } = await owner.get<{
      balances: { token: string; incognito: { pooled: Record<string, string> } }[]
    }>('/balance')
    return body.balances.find(({ token }) => token === zeroAddress)?.incognito.pooled ?? {}
  }
  for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
    const { available } = await pooled()
    if (available === worth) break
    if (Date.now() > deadline) throw new Error(`${available} is available instead of ${worth}`)
  }

  return {
    ...owner,
    notes,
    pooled,
    quote: (body) => owner.post('/quote', { chainId: chain.chainId, token: zeroAddress, ...body }),
    statusOf: async (quoteId) => (await owner.get<never>(`/relay-status/${quoteId}`)).body,
    tell({ commitmentId, label, changeValue }) {
      const change = makeSecrets()
      const newCommitment = commitmentOf({ ...change, label: BigInt(label), value: BigInt(changeValue) })
      const nullifierHash = hashNullifier(noteOf(label).nullifier)
      return {
        told: { commitmentId, nullifierHash: String(nullifierHash), newCommitment: String(newCommitment) },
        change,
      }
    },
    async relay({ label, withdraws }, change, recipient) {
      const spending = { note: noteOf(label), amount: BigInt(withdraws), change, recipient }
      if (prover) await relayOut(service, payer, prover, spending)
      else await withdrawUnproven(service, payer, spending)
    },
  }
}
