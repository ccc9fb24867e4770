import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Groth16Proof } from '../../proving/proving-pool.ts'
import type { ProofWithSignals } from '../../schema/client/pool/prover.ts'
import { stateLeaves, type RelayStory } from './relay-story.ts'

export const RELAY_FILE = new URL('./relay.json', import.meta.url)
export const REMAKE_COMMAND = 'node test/vectors/make-relay-vectors.ts'

/** Affine coordinates of pi_a, pi_b and pi_c, then the public signals. */
export interface StoredProof {
  proof: string[]
  publicSignals: string[]
}

export interface RelayFile {
  /** Of everything that the proofs are about; another one means that they have to be made again. */
  story: string
  /** One per relay of the story. */
  relays: StoredProof[]
  /** One per relay of remade-relays.ts. */
  remade: StoredProof[]
  ragequit: StoredProof
}

/** One number for addresses, notes, order, amounts and recipients. */
export function fingerprint(story: RelayStory): string {
  const facts = {
    chainId: story.chainId,
    feeRecipient: story.feeRecipient,
    depositor: story.depositor.address,
    leaves: [stateLeaves(story, 'native'), stateLeaves(story, 'token')],
    labels: story.deposits.map(({ note }) => note.label),
    relays: story.relays.map(({ amount, context, change }) => [amount, context, change.nullifier, change.secret]),
    ragequit: story.ragequit,
  }
  const text = JSON.stringify(facts, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  return createHash('sha256').update(text).digest('hex')
}

export function readRelayFile(): RelayFile {
  return JSON.parse(readFileSync(RELAY_FILE, 'utf8')) as RelayFile
}

export function packProof({ proof, publicSignals }: ProofWithSignals): StoredProof {
  const affine = [proof.pi_a, ...proof.pi_b.slice(0, 2), proof.pi_c].map((coordinates) => coordinates.slice(0, 2))
  return { proof: affine.flat(), publicSignals }
}

export function unpackProof({ proof, publicSignals }: StoredProof): { proof: Groth16Proof; publicSignals: string[] } {
  const [ax = '', ay = '', bx0 = '', bx1 = '', by0 = '', by1 = '', cx = '', cy = ''] = proof
  return {
    proof: {
      pi_a: [ax, ay, '1'],
      pi_b: [
        [bx0, bx1],
        [by0, by1],
        ['1', '0'],
      ],
      pi_c: [cx, cy, '1'],
      protocol: 'groth16',
      curve: 'bn128',
    },
    publicSignals,
  }
}
