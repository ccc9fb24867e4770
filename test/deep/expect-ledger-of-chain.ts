import { createPublicClient, getAbiItem, getAddress, http } from 'viem'
import { expect } from 'vitest'
import { poolEventsAbi } from '../devnet/pool-events.ts'
import { entrypointAbi } from '../../relayer/chain/contracts/privacy-pools.ts'
import { get } from '../harness/relay-requests.ts'
import type { RelayVector } from '../vectors/load-relay-vectors.ts'

const relayedEvent = getAbiItem({ abi: entrypointAbi, name: 'WithdrawalRelayed' })
const spentEvent = getAbiItem({ abi: poolEventsAbi, name: 'Withdrawn' })

interface LedgerSum {
  asset: string
  relays: number
  withdrawn: string
  feeReceived: string
  gasSpent: string
}

/**
 * Checks that the chain has exactly these withdrawals, each once, and that the service's ledger agrees to the wei.
 */
export async function expectLedgerOfChain(
  url: string,
  rpcUrl: string,
  relayed: readonly RelayVector[],
): Promise<void> {
  const reader = createPublicClient({ transport: http(rpcUrl) })
  const [spent, relays] = await Promise.all([
    reader.getLogs({ event: spentEvent, fromBlock: 0n }),
    reader.getLogs({ event: relayedEvent, fromBlock: 0n }),
  ])
  expect(spent.map(({ args }) => String(args._spentNullifier)).toSorted()).toEqual(
    relayed.map(({ publicSignals }) => publicSignals[1] ?? '').toSorted(),
  )
  const receipts = await Promise.all(
    relays.map(({ transactionHash }) => reader.getTransactionReceipt({ hash: transactionHash })),
  )
  const readLedger = async () => (await get(url, '/status.json')).body['ledger'] as LedgerSum[]
  const countRelays = (ledger: LedgerSum[]) => ledger.reduce((sum, booking) => sum + booking.relays, 0)
  // The page is refreshed only every few moments.
  await expect.poll(async () => countRelays(await readLedger())).toBe(relayed.length)
  const ledger = await readLedger()
  for (const booking of ledger) {
    const own = relays.flatMap((log, index) => {
      const receipt = receipts[index]
      const isOwn = log.args._asset && getAddress(log.args._asset) === getAddress(booking.asset)
      return isOwn && receipt ? [{ args: log.args, receipt }] : []
    })
    const sum = (value: (relay: (typeof own)[number]) => bigint) =>
      String(own.reduce((total, relay) => total + value(relay), 0n))
    expect(booking.relays).toBe(own.length)
    expect(booking.withdrawn).toBe(sum(({ args }) => args._amount ?? 0n))
    expect(booking.feeReceived).toBe(sum(({ args }) => args._feeAmount ?? 0n))
    expect(booking.gasSpent).toBe(sum(({ receipt }) => receipt.gasUsed * receipt.effectiveGasPrice))
  }
}
