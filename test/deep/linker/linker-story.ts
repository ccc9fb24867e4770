import { randomBytes, randomInt, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { bytesToHex, parseEther, zeroAddress } from 'viem'
import { expect } from 'vitest'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { commitmentOf, makeSecrets, precommitmentOf } from '../../../relayer/devnet/wallet/note.ts'
import { startProver } from '../../../relayer/devnet/wallet/prover.ts'
import { hashNullifier } from '../../../relayer/pool/state/note-hashes.ts'
import { openPayer } from '../../harness/chain-actors.ts'
import {
  openDepositor,
  type Depositor,
  type OwnNote,
} from '../../relayer/transact/kinds/pool-recover/open-depositor.ts'
import { relayOut } from '../../relayer/transact/pool-spending/relay-out.ts'
import { startSendingService } from '../../relayer/transact/quotes/start-sending-service.ts'
import { dumpTraces, readLog, type SeenSpend, type Suspect, type Trace } from './evidence.ts'

/** What a thief has, and whose each spend is. */
export interface Stolen {
  traces: Trace[]
  suspects: Suspect[]
  spends: SeenSpend[]
  /** By spend. */
  owners: string[]
}

interface Account {
  owner: Depositor
  notes: OwnNote[]
}

interface Planned {
  account: Account
  own: OwnNote
  amount: bigint
  change: ReturnType<typeof makeSecrets>
  /** Null for a spend that the service is not told of. */
  told: { quoteId: string; commitmentId: string } | null
}

const VALUE = parseEther('1')
/** What the service allows of one network. */
const SIGN_INS_A_MINUTE = 10

/**
 * Accounts with equal deposits spend them to strangers, each amount another, every second spend told. Accounts are told of in
 * random order and withdraw at random moments of the time that is left, as wallets do that wait for hours among the traffic
 * of others. Then everything that the service wrote is taken.
 */
export async function linkerStory({
  accounts,
  spendsOfEach,
}: {
  accounts: number
  spendsOfEach: number
}): Promise<Stolen> {
  const lines: string[] = []
  const service = await startSendingService(
    {
      devnet: { ports: [0, 0], asp: true, aspDelaySeconds: 0, chainIds: [31_337] },
      logLevel: 'debug',
    },
    { write: (line) => void lines.push(line) },
  )
  const payer = await openPayer(service, 5)
  const prover = startProver()
  try {
    const all: Account[] = []
    for (let place = 0; place < accounts; place += 1) {
      if (place >= SIGN_INS_A_MINUTE) await sleep(60_500 / SIGN_INS_A_MINUTE)
      all.push({ owner: await openDepositor(service, payer), notes: [] })
    }
    // In turn, so that the order of deposits tells nothing that the chain does not show.
    for (let round = 0; round < spendsOfEach; round += 1)
      for (const account of shuffle(all)) account.notes.push(await account.owner.deposit(NATIVE_ASSET, VALUE))
    for (const { owner, notes } of all) await untilAvailable(owner, notes)

    const planned: Planned[] = []
    for (const [place, account] of shuffle(all).entries())
      planned.push(...(await planSpends(account, Math.floor((spendsOfEach + (place % 2)) / 2))))
    const spends: SeenSpend[] = []
    const owners: string[] = []
    for (const act of scheduleOf(planned)) {
      const { account, own, amount, change, told } = act.spend
      const seen = {
        nullifierHash: String(hashNullifier(own.note.nullifier)),
        newCommitment: String(
          commitmentOf({ ...change, label: own.note.label, value: own.note.value - amount }),
        ),
      }
      if (act.kind === 'tell') {
        if (!told) continue
        const { commitmentId, quoteId } = told
        const answer = await account.owner.post('/submit', {
          quoteId,
          withdrawals: [{ commitmentId, ...seen }],
        })
        expect(answer).toMatchObject({ status: 200 })
        continue
      }
      const recipient = bytesToHex(randomBytes(20))
      const txHash = await relayOut(service, payer, prover, { note: own.note, amount, change, recipient })
      spends.push({ ...seen, txHash })
      owners.push(account.owner.client.accountId)
    }
    return {
      traces: [...(await dumpTraces(service.database.pool)), ...readLog(lines)],
      suspects: all.map(suspect),
      spends,
      owners,
    }
  } finally {
    await prover.close()
    await service.stop()
  }
}

async function untilAvailable(owner: Depositor, notes: readonly OwnNote[]): Promise<void> {
  const wanted = String(notes.reduce((sum, { note }) => sum + note.value, 0n))
  await expect
    .poll(async () => {
      const { body } = await owner.get<{
        balances: { token: string; incognito: { pooled: { available: string } } }[]
      }>('/balance')
      return body.balances.find(({ token }) => token === zeroAddress)?.incognito.pooled.available
    })
    .toBe(wanted)
}

/** The first of an account's spends are told: their notes are locked before anything is spent. */
async function planSpends(account: Account, told: number): Promise<Planned[]> {
  const planned: Planned[] = []
  const left = new Set(account.notes)
  const plan = (own: OwnNote, amount: bigint, of: Planned['told']) => {
    left.delete(own)
    planned.push({ account, own, amount, change: makeSecrets(), told: of })
  }
  for (let place = 0; place < told; place += 1) {
    const { status, body } = await account.owner.post<{
      quoteId: string
      withdrawals: { commitmentId: string; label: string; withdraws: string }[]
    }>('/quote', {
      type: 'incognito_send',
      chainId: 31_337,
      token: zeroAddress,
      amount: String(randomAmount()),
      ttl: 3_600,
    })
    expect(status, JSON.stringify(body)).toBe(200)
    const [withdrawal] = body.withdrawals
    const own = account.notes.find(({ note }) => String(note.label) === withdrawal?.label)
    if (!own || !withdrawal) throw new Error('the quote spends a note that the account has not')
    const { commitmentId, withdraws } = withdrawal
    plan(own, BigInt(withdraws), { quoteId: body.quoteId, commitmentId })
  }
  for (const own of left) plan(own, randomAmount(), null)
  return planned
}

/** No two alike: an amount that the service kept would be found. */
const randomAmount = () => parseEther('0.2') + BigInt(randomInt(2 ** 47)) * 1_000n

type Act = { kind: 'tell' | 'withdraw'; spend: Planned }

/** Each spend is told at a random moment and withdrawn at a random moment of the time that is left. */
function scheduleOf(planned: readonly Planned[]): Act[] {
  const acts = planned.flatMap((spend) => {
    const tellAt = Math.random()
    const withdrawAt = tellAt + Math.random() * (1 - tellAt)
    return [
      { at: tellAt, act: { kind: 'tell', spend } as const },
      { at: withdrawAt, act: { kind: 'withdraw', spend } as const },
    ]
  })
  return acts.toSorted((one, other) => one.at - other.at).map(({ act }) => act)
}

/** All names by which the chain or the database may mean the account. */
const suspect = ({ owner, notes }: Account): Suspect => ({
  accountId: owner.client.accountId,
  names: notes.flatMap(({ note, address }) => [
    address,
    String(note.label),
    String(commitmentOf(note)),
    String(precommitmentOf(note)),
  ]),
})

const shuffle = <Item>(items: readonly Item[]): Item[] =>
  items
    .map((item) => ({ item, key: randomUUID() }))
    .toSorted((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ item }) => item)
