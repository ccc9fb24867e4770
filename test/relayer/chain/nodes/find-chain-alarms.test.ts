import { pino } from 'pino'
import { expect, test } from 'vitest'
import { findChainAlarms } from '../../../../relayer/chain/nodes/find-chain-alarms.ts'
import { openChain } from '../../../../relayer/chain/nodes/open-chain.ts'
import { configureChain } from '../broadcast/start-engine.ts'
import { startNode } from '../broadcast/start-node.ts'

const HOUR_MS = 3_600_000

test('a chain whose newest block is an hour old, by a node that answers, is stalled and not down', async () => {
  await using stack = new AsyncDisposableStack()
  const anHourAgo = String(Math.floor((Date.now() - HOUR_MS) / 1_000))
  const node = stack.adopt(await startNode('--timestamp', anHourAgo), ({ stop }) => stop())
  const config = configureChain({ rpcUrls: [node.url], signers: 1 })
  const chain = stack.adopt(openChain(config, pino({ level: 'silent' })), ({ stop }) => stop())
  await chain.start()
  const [alarm, ...others] = findChainAlarms(chain, Date.now())
  expect(alarm).toMatchObject({ code: 'CHAIN_STALLED', chainId: config.chainId, subject: null })
  expect(alarm?.detail).toMatch(/^its head does not move: block 0 is 36\d\d/)
  expect(others).toEqual([])
})
