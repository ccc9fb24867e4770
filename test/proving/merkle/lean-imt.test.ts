import { LeanIMT } from '@zk-kit/lean-imt'
import { poseidon2 } from 'poseidon-lite'
import { expect, test } from 'vitest'
import { appendLeaves } from '../../../proving/merkle/append-leaves.ts'
import { appendLeaf, EMPTY_TREE, rootOf } from '../../../proving/merkle/lean-imt.ts'
import { parseLeaves } from '../../../proving/merkle/parse-leaves.ts'
import { FIELD_ORDER } from '../../../proving/field-element.ts'

const bytesOf = (leaves: readonly bigint[]) =>
  new Uint8Array(leaves.flatMap((leaf) => [...Buffer.from(leaf.toString(16).padStart(64, '0'), 'hex')]))
const answerOf = (leaves: readonly unknown[]) =>
  Buffer.from(JSON.stringify({ aspLeaves: leaves.map(String), stateTreeLeaves: ['7'] }, null, 1))

test('a frontier has the root of the published tree after every leaf', () => {
  const published = new LeanIMT<bigint>((left, right) => poseidon2([left, right]))
  let tree = EMPTY_TREE
  expect(rootOf(tree)).toBe(0n)
  for (let leaf = 1n; leaf <= 70n; leaf += 1n) {
    published.insert(FIELD_ORDER - leaf)
    tree = appendLeaf(tree, FIELD_ORDER - leaf)
    expect(rootOf(tree)).toBe(published.root)
  }
})

test('a tree that goes on from a frontier is found at the watched leaf that has the wanted root', () => {
  const leaves = Array.from({ length: 21 }, (_, place) => BigInt(place + 1))
  const rootAfter = (count: number) =>
    new LeanIMT<bigint>((left, right) => poseidon2([left, right]), leaves.slice(0, count)).root
  const five = leaves.slice(0, 5).reduce(appendLeaf, EMPTY_TREE)
  const goOn = (wanted: bigint, watched: number) =>
    appendLeaves({ ...five, leaves: bytesOf(leaves.slice(5)), watched, wanted })
  expect(goOn(rootAfter(21), 0)).toMatchObject({ size: 21, root: rootAfter(21), isWanted: true })
  expect(goOn(rootAfter(19), 4)).toMatchObject({ size: 19, root: rootAfter(19), isWanted: true })
  // Before the watched ones, or of another list.
  for (const wanted of [rootAfter(17), 1n])
    expect(goOn(wanted, 4)).toMatchObject({ size: 21, root: rootAfter(21), isWanted: false })
})

test("an ASP's leaves are read out of its answer, and malformed lists are refused", () => {
  const leaves = [1n, FIELD_ORDER - 1n, 12_345n]
  expect(parseLeaves(answerOf(leaves))).toEqual(bytesOf(leaves))
  expect(parseLeaves(Buffer.from('{"aspLeaves":[]}'))).toEqual(new Uint8Array())
  for (const refused of [
    [0n],
    [FIELD_ORDER],
    ['-1'],
    ['1.0'],
    ['0x1'],
    [''],
    ['1'.repeat(78)],
    ['9'.repeat(2_000)],
  ])
    expect(parseLeaves(answerOf(refused)), String(refused)).toBeNull()
  const broken = [
    '',
    '{}',
    '{"aspLeaves":null}',
    '{"aspLeaves":["1"',
    '{"aspLeaves":["1",]}',
    '{"aspLeaves":[1]}',
  ]
  for (const text of [...broken, '{"aspLeaves":["1" "2"]}', '{"aspLeaves":["1"'.padEnd(1_000, ' ')])
    expect(parseLeaves(Buffer.from(text)), text).toBeNull()
})
