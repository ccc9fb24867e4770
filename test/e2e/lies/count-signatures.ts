import type { PrivateKeyAccount } from 'viem'
import type { Prover } from '../../devnet/wallet/prover.ts'
import type { Client } from '../../../schema/client/account/open-client.ts'

/** Counts the signatures and proofs of a wallet. */
export interface Witness {
  /** Signatures of intents and delegations, and proofs of withdrawals. */
  made: number
}

/** The client with keys that count their signatures. */
export function countSignatures(client: Client, witness: Witness): Client {
  // Every kind of signature counts.
  const counting = <Sign extends (...args: never[]) => unknown>(sign: Sign): Sign =>
    new Proxy(sign, {
      apply(target, self, args) {
        witness.made += 1
        return Reflect.apply(target, self, args) as unknown
      },
    })
  return {
    ...client,
    controlOf(nonce): PrivateKeyAccount {
      const account = client.controlOf(nonce)
      return {
        ...account,
        sign: counting(account.sign),
        signTypedData: counting(account.signTypedData),
        signAuthorization: counting(account.signAuthorization),
        signMessage: counting(account.signMessage),
        signTransaction: counting(account.signTransaction),
      }
    },
  }
}

/** A prover that only counts its calls: a withdrawal is authorized by its proof. */
export const countProofs = (witness: Witness): Prover => ({
  prove() {
    witness.made += 1
    return Promise.reject(new Error('a proof was asked for'))
  },
  close: () => Promise.resolve(),
})

/** Makes each proof once: the same request to the service then gets an answer that can be changed into a lie. */
export function rememberProofs(prover: Prover): Prover {
  const known = new Map<string, ReturnType<Prover['prove']>>()
  const nameOf = (args: unknown) =>
    JSON.stringify(args, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))
  return {
    ...prover,
    prove(...args) {
      const name = nameOf(args)
      const proof = known.get(name) ?? prover.prove(...args)
      known.set(name, proof)
      return proof
    },
  }
}
