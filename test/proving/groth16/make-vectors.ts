/**
 * Makes test/vectors/groth16.json: real proofs of the circuits `withdraw` and `commitment`, from the artifacts in the
 * SDK. Run by hand (`node test/proving/groth16/make-vectors.ts`, half a minute, 500 MB) when the artifacts change.
 */
import { readFile, writeFile } from 'node:fs/promises'
import {
  calculateContext,
  generateDepositSecrets,
  generateMasterKeys,
  generateMerkleProof,
  generateWithdrawalSecrets,
  getCommitment,
  type Hash,
} from '@0xbow/privacy-pools-core-sdk'
import * as snarkjs from 'snarkjs'

const artifacts = new URL(
  '../../../node_modules/@0xbow/privacy-pools-core-sdk/dist/node/artifacts/',
  import.meta.url,
)
const target = new URL('../../vectors/groth16.json', import.meta.url)

async function prove(circuit: string, inputs: snarkjs.CircuitSignals) {
  const wasm = new Uint8Array(await readFile(new URL(`${circuit}.wasm`, artifacts)))
  const zkey = new Uint8Array(await readFile(new URL(`${circuit}.zkey`, artifacts)))
  const { proof, publicSignals } = await snarkjs.groth16.fullProve(inputs, wasm, zkey)
  return { circuit, proof, publicSignals }
}

const keys = generateMasterKeys('test test test test test test test test test test test junk')
const scope = 1234567890123456789n as Hash
const deposits = [0n, 1n, 2n, 3n].map((index) => {
  const { nullifier, secret } = generateDepositSecrets(keys, scope, index)
  return getCommitment(10n ** 18n, 777_000n + index, nullifier, secret)
})
const leaves = deposits.map((deposit) => deposit.hash)
const labels = deposits.map((deposit) => deposit.preimage.label)

const vectors = []
for (const [index, deposit] of deposits.slice(0, 3).entries()) {
  const { label, value, precommitment } = deposit.preimage
  const state = generateMerkleProof(leaves, deposit.hash)
  const asp = generateMerkleProof(labels, label)
  const fresh = generateWithdrawalSecrets(keys, label as Hash, 1n)
  const data = `0x${index.toString(16).padStart(64, '0')}` as const
  vectors.push(
    await prove('withdraw', {
      withdrawnValue: 10n ** 17n + BigInt(index),
      stateRoot: state.root,
      stateTreeDepth: 2n,
      ASPRoot: asp.root,
      ASPTreeDepth: 2n,
      context: BigInt(calculateContext({ processooor: `0x${'11'.repeat(20)}`, data }, scope)),
      label,
      existingValue: value,
      existingNullifier: precommitment.nullifier,
      existingSecret: precommitment.secret,
      newNullifier: fresh.nullifier,
      newSecret: fresh.secret,
      stateSiblings: state.siblings,
      stateIndex: BigInt(state.index),
      ASPSiblings: asp.siblings,
      ASPIndex: BigInt(asp.index),
    }),
  )
}
for (const { preimage } of deposits.slice(0, 2)) {
  const { label, value, precommitment } = preimage
  const { nullifier, secret } = precommitment
  vectors.push(await prove('commitment', { value, label, nullifier, secret }))
}
await writeFile(target, `${JSON.stringify(vectors, null, 2)}\n`)
process.exit(0) // snarkjs leaves its worker threads running
