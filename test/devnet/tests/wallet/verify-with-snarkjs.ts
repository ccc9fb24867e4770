import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import type { Circuit } from '../../../../proving/proving-pool.ts'
import { circuitFile } from '../../wallet/circuit-files.ts'
import type { ProofWithSignals } from '../../../../schema/client/pool/prover.ts'

const program = `
  const { groth16 } = await import('snarkjs')
  const { readFileSync } = await import('node:fs')
  const [key, signals, proof] = JSON.parse(readFileSync(0, 'utf8'))
  process.stdout.write(String(await groth16.verify(key, signals, proof)), () => process.exit())
`

/** Verifies a proof by snarkjs, in a process of its own because snarkjs leaves threads behind. */
export function verifyWithSnarkjs(circuit: Circuit, { proof, publicSignals }: ProofWithSignals): boolean {
  const key: unknown = JSON.parse(readFileSync(circuitFile(circuit, 'vkey'), 'utf8'))
  const input = JSON.stringify([key, publicSignals, proof])
  return (
    execFileSync(process.execPath, ['--input-type=module', '-e', program], { input, encoding: 'utf8' }) ===
    'true'
  )
}
