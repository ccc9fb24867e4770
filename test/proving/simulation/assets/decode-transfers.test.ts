import { randomBytes } from 'node:crypto'
import { toEventSelector, type Hex } from 'viem'
import { expect, test } from 'vitest'
import { decodeTransfers } from '../../../../proving/simulation/assets/decode-transfers.ts'

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const DEPOSIT = toEventSelector('Deposit(address,uint256)')
const WRAPPER: Hex = `0x${'11'.repeat(20)}`
const ONE: Hex = `0x${'1'.padStart(64, '0')}`
const NOBODY: Hex = `0x${'0'.repeat(64)}`

const somebody = (): Hex => `0x${'0'.repeat(24)}${randomBytes(20).toString('hex')}`
const log = (...topics: Hex[]) => ({ address: WRAPPER, topics, data: ONE })

test('a deposit that its wrapper also logs as a transfer counts once', () => {
  const owner = somebody()
  const { changes, undecodable } = decodeTransfers([
    log(DEPOSIT, owner),
    log(TRANSFER, NOBODY, owner),
    log(DEPOSIT, somebody()),
  ])
  expect(changes).toHaveLength(2)
  expect(changes[0]).toMatchObject({ from: `0x${'0'.repeat(40)}`, to: `0x${owner.slice(26)}`, amount: 1n })
  expect(undecodable).toBe(false)
})

test('as many deposits and transfers as a block has room for are decoded in no time', () => {
  const logs = Array.from({ length: 18_000 }, (_, index) =>
    index % 2 === 0 ? log(TRANSFER, somebody(), somebody()) : log(DEPOSIT, somebody()),
  )
  const since = performance.now()
  expect(decodeTransfers(logs).changes).toHaveLength(18_000)
  // Comparing each with each took 14 s of the thread that signs.
  expect(performance.now() - since).toBeLessThan(5_000)
})
