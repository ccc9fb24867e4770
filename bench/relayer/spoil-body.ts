import type { RelayBody } from '../../test/harness/relay-requests.ts'

/** Returns the same request with a proof of well-formed points that proves nothing: only the pairing shows it. */
export function spoilBody(body: RelayBody): RelayBody {
  const { pi_a, pi_c } = body.proof
  return { ...body, proof: { ...body.proof, pi_a: pi_c, pi_c: pi_a } }
}
