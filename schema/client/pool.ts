// SPDX-License-Identifier: MIT
/** Notes of privacy pools: derive, find, prove, spend and settle. */
export { checkPrivateOrigin, type Evidence } from './pool/check-origin.ts'
export { askConversion, convert, type ConversionQuote, type ConvertOptions } from './pool/convert.ts'
export { encodeRagequit, proveRagequit } from './pool/encode-ragequit.ts'
export { chooseNote, findNotes, type FoundNote } from './pool/find-notes.ts'
export {
  computeContext,
  computeLabel,
  computeScope,
  encodeRelayData,
  type Withdrawal,
} from './pool/formulas.ts'
export { buildTree, proveMembership, type MerkleProof } from './pool/merkle-proof.ts'
export { hashCommitment, hashNullifier, hashPrecommitment } from './pool/note-hashes.ts'
export {
  changeSecrets,
  depositPrecommitment,
  depositSecrets,
  deriveMasterSecrets,
  noteMasterOf,
  notePhrase,
  type MasterSecrets,
} from './pool/note-secrets.ts'
export { commitmentOf, makeSecrets, precommitmentOf, type Note, type NoteSecrets } from './pool/note.ts'
export { CIRCUIT_FILES, fetchCircuits, isPinnedFile, type PinnedFile } from './pool/circuit-files.ts'
export { createPoolView, parsePoolState, type PoolState, type PoolView } from './pool/pool-state.ts'
export {
  createProver,
  type Circuit,
  type CircuitBytes,
  type CircuitFiles,
  type Groth16Proof,
  type ProofWithSignals,
  type Prover,
  type SnarkJs,
} from './pool/prover.ts'
export { readPool, type ContractReader, type KnownPool } from './pool/read-pool.ts'
export { recover, type RecoverOptions, type RecoverQuote } from './pool/recover.ts'
export { settleNotes } from './pool/settle-notes.ts'
export { signPoolQuote, type AskedPoolQuote } from './pool/sign-pool-quote.ts'
export { spendBlindly, type BlindSpend } from './pool/spend-blindly.ts'
export { askSpend, spendTold, type SpendQuote, type ToldSpend } from './pool/spend-told.ts'
export { waitForNotes } from './pool/wait-for-notes.ts'
export { commitmentInput, withdrawInput, type CircuitInput } from './pool/withdraw-input.ts'
export { createWorkerProver, serveProofs, type ProofWorker } from './pool/worker-prover.ts'
export { withdraw, type Withdrawn, type WithdrawOptions } from './pool/withdraw.ts'
