import { readFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { circuitFile } from '../wallet/circuit-files.ts'

interface SnarkJs {
  zKey: { exportSolidityVerifier(zkey: string, templates: { groth16: string }): Promise<string> }
}

const require = createRequire(import.meta.url)
const snarkjs = require('snarkjs') as SnarkJs

/** Solidity sources of the two Groth16 verifiers, rendered from the real proving keys by snarkjs. */
export async function renderVerifiers(): Promise<Record<'WithdrawVerifier' | 'CommitmentVerifier', string>> {
  const template = await readFile(
    new URL('templates/verifier_groth16.sol.ejs', import.meta.resolve('snarkjs')),
    'utf8',
  )
  const render = async (circuit: 'withdraw' | 'commitment', name: string) => {
    const source = await snarkjs.zKey.exportSolidityVerifier(circuitFile(circuit, 'zkey'), {
      groth16: template,
    })
    return source.replace('contract Groth16Verifier', `contract ${name}`)
  }
  return {
    WithdrawVerifier: await render('withdraw', 'WithdrawVerifier'),
    CommitmentVerifier: await render('commitment', 'CommitmentVerifier'),
  }
}
