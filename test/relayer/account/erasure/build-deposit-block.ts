import { randomBytes } from 'node:crypto'
import { bytesToHex, zeroAddress, type Address } from 'viem'
import type { BlockFacts } from '../../../../relayer/chain/indexer/block-facts.ts'
import type { Cursor } from '../../../../relayer/chain/indexer/chain-index.ts'

const hash = () => bytesToHex(randomBytes(32))
const someone = () => bytesToHex(randomBytes(20))

/** A block in which each address is paid and deposits the payment into a pool. */
export function buildDepositBlock(parent: Cursor, pool: string, addresses: readonly string[]): BlockFacts {
  const transactions = addresses.map((address, place) => ({
    address: address as Address,
    place,
    txHash: hash(),
    payer: someone(),
  }))
  return {
    number: parent.number + 1n,
    hash: hash(),
    parentHash: parent.hash ?? hash(),
    timestamp: 1_700_000_000,
    traces: 'parity',
    isTraced: true,
    leftOut: [],
    cashEvents: [],
    bridgeEvents: [],
    relayed: [],
    transfers: transactions.map(({ address, place, txHash, payer }) => ({
      source: 'call',
      position: place,
      item: 0,
      txHash,
      txIndex: place,
      standard: 'native',
      token: zeroAddress,
      tokenId: null,
      from: payer,
      to: address,
      amount: 5n,
    })),
    txs: transactions.map(({ address, place, txHash, payer }) => ({
      txHash,
      txIndex: place,
      from: payer,
      to: address,
      txNonce: 0,
      value: 5n,
      succeeded: true,
      gasUsed: 1n,
      fee: 1n,
      selector: null,
      input: null,
    })),
    intents: [],
    poolEvents: transactions.map(({ address, place, txHash }) => ({
      logIndex: place,
      txHash,
      kind: 'deposit',
      contract: pool as Address,
      pool: null,
      asset: null,
      account: address,
      relayer: null,
      value: 5n,
      fee: null,
      commitment: 1n,
      label: BigInt(`0x${randomBytes(16).toString('hex')}`),
      precommitment: null,
      nullifierHash: null,
      root: null,
      leafIndex: null,
      scope: null,
      ipfsCid: null,
    })),
    nativeTouched: [],
    endpoints: new SharedArrayBuffer(0),
  }
}
