import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { createPublicClient, http } from 'viem'
import { expect, test } from 'vitest'
import {
  classifyMessage,
  classifySendError,
  type Refusal,
} from '../../../relayer/broadcast/classify-send-error.ts'
import { findFreePort } from '../../harness/find-free-port.ts'

const MESSAGES: Record<Refusal, string[]> = {
  known: [
    'already known',
    'transaction already imported',
    'AlreadyKnown',
    'Known transaction',
    'existing tx with same hash',
  ],
  'nonce-taken': [
    'nonce too low: next nonce 5, tx nonce 4',
    'nonce too low',
    'Nonce too low',
    'OldNonce',
    'OldNonce, Current nonce: 5, nonce of rejected tx: 4',
    'transaction nonce is too low',
  ],
  outbid: [
    'replacement transaction underpriced',
    'could not replace existing tx',
    'ReplacementNotAllowed',
    'Replacement transaction underpriced',
    'There is another transaction with same nonce in the queue',
  ],
  market: [
    'transaction underpriced: tip needed 2, tip permitted 1',
    'transaction underpriced',
    'max fee per gas less than block base fee: address 0x, maxFeePerGas: 1, baseFee: 2',
    'FeeTooLow, MaxFeePerGas too low. MaxFeePerGas: 1, BaseFee: 2',
    'FeeTooLowToCompete',
    'fee too low',
    'Gas price below current base fee',
  ],
  funds: [
    'insufficient funds for gas * price + value: balance 0, tx cost 21000, overshot 21000',
    'Insufficient funds for gas * price + value',
    'InsufficientFunds, Account balance: 0, cumulative cost: 21000',
    'Upfront cost exceeds account balance',
    'insufficient funds for transfer',
  ],
  busy: [
    'txpool is full',
    'nonce too high',
    'NonceGap, Future nonce. Expected nonce: 5',
    'in-flight transaction limit reached for delegated accounts',
    'gapped-nonce tx from delegated accounts',
    'An invalid transaction with a lower nonce exists',
    'address already reserved',
  ],
  invalid: [
    'intrinsic gas too low: gas 20000, minimum needed 21000',
    'intrinsic gas too low',
    'intrinsic gas too high -- tx.gas_limit > env.block.gas_limit',
    'exceeds block gas limit',
    'transaction gas limit too high (cap: 16777216, tx: 30000000)',
    'GasLimitExceeded, Gas limit: 1, gas limit of rejected tx: 2',
    'insufficient gas for floor data gas cost: gas 21000, minimum needed 31000',
    'max priority fee per gas higher than max fee per gas',
    'transaction type not supported',
    'invalid chain id for signer: have 5 want 1',
    'Failed to decode transaction',
    'rlp: expected input list for types.LegacyTx',
    'oversized data: transaction size 200000, limit 131072',
    'tx fee (1.20 ether) exceeds the configured cap (1.00 ether)',
  ],
  unknown: ['execution reverted', 'Internal error', 'Unknown transaction', ''],
}

test.each(Object.entries(MESSAGES))('%s', (refusal, messages) => {
  expect(messages.map((message) => [message, classifyMessage(message)])).toEqual(
    messages.map((message) => [message, refusal]),
  )
})

async function sendTo(url: string, timeout = 2_000) {
  const client = createPublicClient({ transport: http(url, { retryCount: 0, timeout }) })
  return client.sendRawTransaction({ serializedTransaction: '0x00' }).then(() => null, classifySendError)
}

async function sendToServer(answer: string | null, status = 200) {
  const server = createServer((_request, response) => {
    if (answer === null) return
    response.writeHead(status, { 'content-type': 'application/json' }).end(answer)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  try {
    return await sendTo(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 200)
  } finally {
    server.closeAllConnections()
    server.close()
  }
}

const refusal = (code: number, message: string) =>
  JSON.stringify({ jsonrpc: '2.0', id: 1, error: { code, message } })

test('a node that answers refuses, whatever the code', async () => {
  for (const code of [-32_000, -32_003, -32_603, -32_010])
    expect(await sendToServer(refusal(code, 'nonce too low'))).toMatchObject({
      status: 'refused',
      refusal: 'nonce-taken',
    })
  expect(await sendToServer(refusal(-32_000, 'already known'))).toEqual({ status: 'accepted' })
  expect(await sendToServer(refusal(-32_000, 'what is this'))).toMatchObject({ refusal: 'unknown' })
})

test('a proxy that fails says nothing about the transaction', async () => {
  expect(await sendToServer('bad gateway', 502)).toMatchObject({ status: 'unclear' })
  expect(await sendToServer(refusal(-32_005, 'rate limit'))).toMatchObject({ status: 'unclear' })
  expect(await sendToServer(refusal(-32_603, 'Internal error'))).toMatchObject({ status: 'unclear' })
})

test('a timeout leaves open whether it arrived, a refused connection does not', async () => {
  expect(await sendToServer(null)).toMatchObject({ status: 'unclear' })
  expect(await sendTo(`http://127.0.0.1:${await findFreePort()}`)).toMatchObject({ status: 'unreachable' })
})
