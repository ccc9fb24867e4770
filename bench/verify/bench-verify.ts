import { createProvingPool } from '../../proving/create-proving-pool.ts'
import { createGroth16Verifier } from '../../proving/groth16/groth16-verifier.ts'
import { isValidByOracle } from '../../test/proving/groth16/oracle.ts'
import type { ProofVector } from '../../test/proving/groth16/load-proofs.ts'
import { measureInterleaved, type Case } from '../measure/measure-interleaved.ts'
import type { UnratedRow } from '../measure/row.ts'
import type { Settings } from '../settings.ts'
import { loadManyProofs, spoilProof } from './load-many-proofs.ts'
import { loadMclVerifier } from './mcl-verifier.ts'
import { loadSnarkjsCurves } from './snarkjs-curves.ts'
import { CIRCUIT_KEYS } from '../../proving/groth16/verification-key.ts'

const MAX_BATCH = 128
/** In one thread: with more its CPU doubles, and no proof is verified sooner where many wait. */
const BASELINE = 'verify.snarkjsSingle'
const POOL_LOAD = 64

/** Groth16 verification of withdraw proofs, per proof, in this thread and through the pool. */
export async function benchVerify(settings: Settings): Promise<UnratedRow[]> {
  settings.tell(`${MAX_BATCH} different proofs`)
  const proofs = loadManyProofs(MAX_BATCH)
  const first = proofs[0] as ProofVector
  const verifier = await createGroth16Verifier(CIRCUIT_KEYS, MAX_BATCH)
  const snarkjs = await loadSnarkjsCurves()
  const mcl = await loadMclVerifier(MAX_BATCH)
  if (mcl.verify(spoilProof(first)) || mcl.verifyAll([first, spoilProof(first)]))
    throw new Error('mcl is used wrongly')
  const pool = await createProvingPool({ commitmentKeys: [], maxBatch: POOL_LOAD })
  let turn = 0
  /** Another proof each time. */
  const next = () => proofs[turn++ % proofs.length] as ProofVector

  const verify = (batch: ProofVector[], isGood: (index: number) => boolean = () => true) => {
    const outcomes = verifier.verify('withdraw', batch)
    if (outcomes.some(({ valid }, index) => valid !== isGood(index))) throw new Error('verified wrongly')
  }
  const insist = (valid: boolean) => {
    if (!valid) throw new Error('a valid proof was refused')
  }
  const batchCase = (size: number): Case => ({
    name: `verify.batch${size}`,
    baseline: BASELINE,
    operations: size,
    run: () => verify(proofs.slice(0, size)),
  })
  const throughPool = async (size: number) => {
    const outcomes = await Promise.all(Array.from({ length: size }, () => pool.verify(next())))
    insist(outcomes.every(({ valid }) => valid))
  }
  const withOneBad = proofs.slice(0, 32).with(20, spoilProof(next()))
  const cases: Case[] = [
    { name: BASELINE, baseline: null, run: async () => insist(await snarkjs.verify(next(), 'one')) },
    {
      name: 'verify.snarkjs',
      baseline: BASELINE,
      run: async () => insist(await snarkjs.verify(next(), 'many')),
    },
    { name: 'verify.mcl', baseline: BASELINE, run: () => insist(mcl.verify(next())) },
    {
      name: 'verify.mclBatch32',
      baseline: BASELINE,
      operations: 32,
      run: () => insist(mcl.verifyAll(proofs.slice(0, 32))),
    },
    { name: 'verify.single', baseline: BASELINE, run: () => verify([next()]) },
    batchCase(8),
    batchCase(32),
    batchCase(128),
    {
      name: 'verify.batch32OneBad',
      baseline: BASELINE,
      operations: 32,
      run: () => verify(withOneBad, (index) => index !== 20),
    },
    { name: 'verify.poolLone', baseline: BASELINE, run: () => throughPool(1) },
    {
      name: `verify.pool${POOL_LOAD}`,
      baseline: BASELINE,
      operations: POOL_LOAD,
      run: () => throughPool(POOL_LOAD),
    },
    { name: 'verify.noble', baseline: BASELINE, run: () => insist(isValidByOracle(next())) },
  ]
  try {
    return await measureInterleaved(cases, settings)
  } finally {
    await Promise.all([snarkjs.close(), pool.close()])
  }
}
