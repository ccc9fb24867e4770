import type { Address, Hex } from 'viem'
import { openMnemonic } from './derive-key.ts'

/** The mnemonic that development chains have in common: known to everybody, worth nothing. */
export const DEVNET_MNEMONIC = 'test test test test test test test test test test test junk'

/** An account of the devnet; its key is public knowledge. */
export interface DevnetAccount {
  address: Address
  privateKey: Hex
}

/** Roles on every devnet chain. The order is fixed: contract addresses and test vectors depend on it. */
export interface DevnetAccounts {
  /** Deploys and owns the contracts. */
  deployer: DevnetAccount
  /** Publishes the ASP's roots. */
  postman: DevnetAccount
  /** Signs fee commitments and receives relay fees. */
  feeReceiver: DevnetAccount
  /** Send the accounts' intents. */
  signers: readonly DevnetAccount[]
  /** Send relays; a chain gives them coins when it starts. */
  relaySigners: readonly DevnetAccount[]
  /** Signs the answers of the offchain resolver's gateway. */
  nameSigner: DevnetAccount
  /** For clients: listed in devnet.json. */
  clients: readonly DevnetAccount[]
  /** Fills deposits of Across from its own funds, and owns the SpokePools, whose owner pays refunds. */
  filler: DevnetAccount
  /** Registers payees of cash-outs, and permits buyers. */
  curator: DevnetAccount
  /** Attests to the payments of buyers. */
  witness: DevnetAccount
  /** Buy the deposits of cash-outs; each holds one deposit's funds at a time. */
  buyers: readonly DevnetAccount[]
}

const SIGNERS = 4
const CLIENTS = 20
const FIRST_SIGNER = 3
const NAME_SIGNER = FIRST_SIGNER + SIGNERS
const FIRST_CLIENT = NAME_SIGNER + 1

/** How many accounts of the mnemonic a chain funds at its start. */
export const FUNDED_ACCOUNTS = FIRST_CLIENT + CLIENTS
/** Paid by the deployer: it joined when chains existed already. */
const FILLER = FUNDED_ACCOUNTS
/** The buyers are given coins when they are started; curator and witness only sign. */
const CURATOR = FILLER + 1
const WITNESS = CURATOR + 1
const FIRST_BUYER = WITNESS + 1
const BUYERS = 4
const FIRST_RELAY_SIGNER = FIRST_BUYER + BUYERS

let derived: DevnetAccounts | undefined

/** All accounts, derived from the mnemonic at the first call. */
export const deriveAccounts = (): DevnetAccounts => (derived ??= derive())

function derive(): DevnetAccounts {
  const account = openMnemonic(DEVNET_MNEMONIC)
  const range = (first: number, count: number) =>
    Array.from({ length: count }, (_, index) => account(first + index))
  return {
    deployer: account(0),
    postman: account(1),
    feeReceiver: account(2),
    signers: range(FIRST_SIGNER, SIGNERS),
    relaySigners: range(FIRST_RELAY_SIGNER, SIGNERS),
    nameSigner: account(NAME_SIGNER),
    clients: range(FIRST_CLIENT, CLIENTS),
    filler: account(FILLER),
    curator: account(CURATOR),
    witness: account(WITNESS),
    buyers: range(FIRST_BUYER, BUYERS),
  }
}
