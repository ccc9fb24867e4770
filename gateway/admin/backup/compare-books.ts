import type pg from 'pg'
import type { ServiceConfig } from '../../config/config.ts'
import type { ChainConfig } from '../../../relayer/chain/nodes/config.ts'
import { createAsk, type AskNode } from '../doctor/ask-chain.ts'
import { openChart, type Chart, type ChartEntry } from '../doctor/open-chart.ts'

/** The newest transactions of each chain that are compared. */
const COMPARED = 100

interface MinedTransaction {
  hash: string
  block: string
  status: 'confirmed' | 'reverted'
  /** Wei. */
  fee: string
}

/** Compares a database with the chains: the newest block that it indexed, and what its newest transactions cost. */
export async function compareBooks(client: pg.Client, { chains }: ServiceConfig): Promise<ChartEntry[]> {
  const entries = await Promise.all(chains.map((chain) => compareChain(client, chain)))
  return entries.flat()
}

async function compareChain(client: pg.Client, chain: ChainConfig): Promise<ChartEntry[]> {
  const chart = openChart(`chain ${chain.chainId} ${chain.name}`)
  const ask = createAsk(chain.rpcUrls[0]!)
  try {
    await compareCursor(client, chain, ask, chart)
    await compareTransactions(client, chain, ask, chart)
  } catch (error) {
    chart.error(`could not be asked: ${(error as Error).message}`, 'Let this machine reach its nodes.')
  }
  return chart.entries
}

async function compareCursor(
  client: pg.Client,
  { chainId }: ChainConfig,
  ask: AskNode,
  chart: Chart,
): Promise<void> {
  const { rows } = await client.query<{ number: string; hash: string | null }>(
    'select block_number::text as number, block_hash as hash from indexed_chain where chain_id = $1',
    [chainId],
  )
  const [cursor] = rows
  if (!cursor?.hash) {
    chart.warn('was not indexed yet', 'Take a later backup.')
    return
  }
  const number = `0x${BigInt(cursor.number).toString(16)}`
  const [block] = await ask([{ method: 'eth_getBlockByNumber', params: [number, false] }])
  const hash = (block as { hash?: string } | null)?.hash
  if (hash === cursor.hash) chart.ok(`has block ${cursor.number}, up to which it was indexed`)
  else if (hash)
    chart.warn(`dropped block ${cursor.number} later`, 'Nothing: the service undoes such a block.')
  else
    chart.error(
      `does not have block ${cursor.number}`,
      'Ask a node that has it, or compare the chain’s name.',
    )
}

async function compareTransactions(
  client: pg.Client,
  { chainId, l1Fee }: ChainConfig,
  ask: AskNode,
  chart: Chart,
) {
  const { rows } = await client.query<MinedTransaction>(
    `select mined_hash as hash, mined_block_hash as block, status, fee::text from outbound_tx
     where chain_id = $1 and status in ('confirmed', 'reverted') and mined_hash is not null
     order by settled_at desc limit ${COMPARED}`,
    [chainId],
  )
  const receipts = await ask(
    rows.map(({ hash }) => ({ method: 'eth_getTransactionReceipt', params: [hash] })),
  )
  const wrong = rows.filter((row, place) => !isBooked(row, receipts[place], l1Fee !== undefined))
  for (const { hash } of wrong)
    chart.error(
      `does not agree with the books about ${hash}`,
      'Compare its receipt; do not use this backup before.',
    )
  if (wrong.length === 0) chart.ok(`agrees with the books about the newest ${rows.length} transactions`)
}

/** True if a transaction cost what the books say; a chain with L1 fees charges more than its gas. */
function isBooked({ block, status, fee }: MinedTransaction, answer: unknown, hasMore: boolean): boolean {
  const receipt = answer as Record<'blockHash' | 'status' | 'gasUsed' | 'effectiveGasPrice', string> | null
  if (!receipt) return false
  const gas = BigInt(receipt.gasUsed) * BigInt(receipt.effectiveGasPrice)
  const isPaid = hasMore ? BigInt(fee) >= gas : BigInt(fee) === gas
  return receipt.blockHash === block && isPaid && (receipt.status === '0x1') === (status === 'confirmed')
}
