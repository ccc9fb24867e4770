import type { RelayBody } from '../../test/harness/relay-requests.ts'

/** The same request with a proof of well-formed points that proves nothing: only the pairing tells. */
export function spoilBody(body: RelayBody | undefined): RelayBody {
  if (!body) throw new Error('bad proofs are made from good ones: there is no note')
  const { pi_a, pi_c } = body.proof
  return { ...body, proof: { ...body.proof, pi_a: pi_c, pi_c: pi_a } }
}
