import { generateMerkleProof } from '@0xbow/privacy-pools-core-sdk'
import { afterAll, describe, expect, it } from 'vitest'
import { verifyWithSnarkjs } from './verify-with-snarkjs.ts'
import { buildTree, proveMembership } from '../../../../schema/client/pool/merkle-proof.ts'
import { commitmentOf, makeSecrets, type Note } from '../../../../schema/client/pool/note.ts'
import { commitmentInput, withdrawInput } from '../../../../schema/client/pool/withdraw-input.ts'
import { startProver } from '../../wallet/prover.ts'
import { hashNullifier } from '../../note-hashes.ts'

const someLeaves = (count: number) => Array.from({ length: count }, (_, index) => BigInt(1_000 + index))

describe('Merkle paths', () => {
  it.each([1, 2, 3, 5, 7, 9, 33])('of every leaf of %i are those of the published SDK', (count) => {
    const leaves = someLeaves(count)
    const tree = buildTree(leaves)
    for (const leaf of leaves) {
      const { root, index, siblings } = generateMerkleProof(leaves, leaf)
      expect(proveMembership(tree, leaf)).toEqual({ root, index: BigInt(index), siblings })
    }
  })

  it('have 32 siblings and leave out levels without one', () => {
    const { index, siblings } = proveMembership(buildTree(someLeaves(3)), 1_002n)
    expect(index).toBe(1n)
    expect(siblings).toHaveLength(32)
    expect(siblings.slice(1)).toEqual(Array.from({ length: 31 }, () => 0n))
  })

  it('exist for leaves only', () => {
    expect(() => proveMembership(buildTree(someLeaves(3)), 5n)).toThrow('5 is not a leaf')
  })
})

describe('the prover', () => {
  const prover = startProver()
  afterAll(() => prover.close())
  const note: Note = { value: 1_000n, label: 77n, nullifier: 5n, secret: 6n }

  it('proves a withdrawal that verifies', async () => {
    const [stateTree, aspTree] = [buildTree([3n, commitmentOf(note), 4n]), buildTree([note.label])]
    const request = { note, amount: 400n, change: makeSecrets(), stateTree, aspTree, context: 9n }
    const made = await prover.prove('withdraw', withdrawInput(request))
    const rest = { ...note, ...request.change, value: 600n }
    expect(made.publicSignals).toEqual(
      [commitmentOf(rest), hashNullifier(5n), 400n, stateTree.root, 32n, note.label, 32n, 9n].map(String),
    )
    expect(verifyWithSnarkjs('withdraw', made)).toBe(true)
  })

  it('proves a commitment', async () => {
    const made = await prover.prove('commitment', commitmentInput(note))
    expect(made.publicSignals).toEqual([commitmentOf(note), hashNullifier(5n), 1_000n, 77n].map(String))
    expect(verifyWithSnarkjs('commitment', made)).toBe(true)
  })

  it('reports an input that cannot be proven, and continues', async () => {
    const trees = { stateTree: buildTree([commitmentOf(note)]), aspTree: buildTree([note.label]) }
    const tooMuch = withdrawInput({ note, amount: 1_001n, change: makeSecrets(), context: 9n, ...trees })
    await expect(prover.prove('withdraw', tooMuch)).rejects.toThrow('no proof could be made')
    const made = await prover.prove('commitment', commitmentInput(note))
    expect(made.publicSignals).toHaveLength(4)
  })

  it('rejects waiting proofs when its process ends', async () => {
    const own = startProver()
    const proof = own.prove('commitment', commitmentInput(note))
    const failure = expect(proof).rejects.toThrow('the prover ended')
    await own.close()
    await failure
    await expect(own.prove('commitment', commitmentInput(note))).rejects.toThrow()
  })
})
