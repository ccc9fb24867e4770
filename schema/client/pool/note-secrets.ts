// SPDX-License-Identifier: MIT
/**
 * How a client derives the secrets of its privacy-pool notes, so that its two keys are enough to find every note again.
 * The derivation is the one of the Privacy Pools SDK (1.5): the same twelve words open the notes in other wallets.
 */
import { poseidon1 } from 'poseidon-lite/poseidon1'
import { poseidon2 } from 'poseidon-lite/poseidon2'
import { poseidon3 } from 'poseidon-lite/poseidon3'
import { bytesToBigInt, hexToBytes, sha256, type Hex } from 'viem'
import { english, mnemonicToAccount } from 'viem/accounts'
import { deriveNoteEntropy, type Client } from '../account/open-client.ts'

export interface MasterSecrets {
  masterNullifier: bigint
  masterSecret: bigint
}

/** The twelve words of a wallet's notes (BIP-39), made from its spending and viewing key. */
export function notePhrase(spendKey: Hex, viewKey: Hex): { entropy: Hex; mnemonic: string } {
  const entropy = deriveNoteEntropy({ spendKey, viewKey })
  return { entropy, mnemonic: phraseOf(entropy) }
}

const masters = new WeakMap<Client['noteEntropy'], MasterSecrets>()

/** The source of the secrets of an account's notes. */
export function noteMasterOf({ noteEntropy }: Pick<Client, 'noteEntropy'>): MasterSecrets {
  const known = masters.get(noteEntropy) ?? deriveMasterSecrets(phraseOf(noteEntropy()))
  masters.set(noteEntropy, known)
  return known
}

function phraseOf(entropy: Hex): string {
  const [checksum = 0] = hexToBytes(sha256(entropy))
  // 128 bits and 4 of their hash are twelve numbers of 11 bits.
  const bits = (BigInt(entropy) << 4n) | BigInt(checksum >> 4)
  const words = Array.from(
    { length: 12 },
    (_, place) => english[Number((bits >> BigInt(11 * (11 - place))) & 0x7ffn)],
  )
  return words.join(' ')
}

/** Derives the source of all note secrets of a wallet. */
export function deriveMasterSecrets(mnemonic: string): MasterSecrets {
  const keyOf = (accountIndex: number) => {
    const { privateKey } = mnemonicToAccount(mnemonic, { accountIndex }).getHdKey()
    if (!privateKey) throw new Error('the words give no private key')
    // As a bigint: a number of 53 bits would lose most of the key.
    return bytesToBigInt(privateKey)
  }
  return { masterNullifier: poseidon1([keyOf(0)]), masterSecret: poseidon1([keyOf(1)]) }
}

/** Of the deposit with this index in the pool that `scope` names. */
export function depositSecrets(master: MasterSecrets, scope: bigint, depositIndex: bigint) {
  return derive(master, scope, depositIndex)
}

/** A wallet that comes back without the service can try every index up to here. */
export const DEPOSITS = 100_000

/** Reads the index of a deposit as the service names it. @throws Error where the wallet would not find the deposit again. */
export function readDepositIndex(depositIndex: number): bigint {
  if (!Number.isInteger(depositIndex) || depositIndex < 0 || depositIndex >= DEPOSITS)
    throw new Error(`the deposit ${depositIndex} is out of the wallet's reach`)
  return BigInt(depositIndex)
}

/** The precommitment of the deposit with this index: all that the service and the chain see of its secrets. */
export function depositPrecommitment(master: MasterSecrets, scope: bigint, depositIndex: bigint): bigint {
  const { nullifier, secret } = depositSecrets(master, scope, depositIndex)
  return poseidon2([nullifier, secret])
}

/** Of a change note: the first one that a deposit leaves has withdrawalIndex 1. */
export function changeSecrets(master: MasterSecrets, label: bigint, withdrawalIndex: bigint) {
  return derive(master, label, withdrawalIndex - 1n)
}

function derive({ masterNullifier, masterSecret }: MasterSecrets, of: bigint, index: bigint) {
  return { nullifier: poseidon3([masterNullifier, of, index]), secret: poseidon3([masterSecret, of, index]) }
}
