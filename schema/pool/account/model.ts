import { z } from 'zod'
import { address, amount, chainId, digitText, digits } from '../../define/scalars.ts'
import { described, parameters, shape } from '../../define/shape.ts'

export const poolToken = {
  chainId,
  token: described(address, 'Token of the pool; the zero address is the native coin.'),
}

const from = (description: string) =>
  described(z.int().nonnegative().max(Number.MAX_SAFE_INTEGER).optional(), description)

export const poolQuery = parameters(poolToken)
export const poolStateQuery = parameters({
  ...poolToken,
  fromIndex: from('How many leaves of the state tree the client has: the answer begins with the next.'),
  fromSpent: from('How many spent notes the client has: the answer begins with the next.'),
  aspFromIndex: from(
    'How many labels of the association set the client has: the answer begins with the next.',
  ),
})

/** A note of an account. */
export const commitment = shape(
  'PoolCommitment',
  'A note of the account in a pool, or a deposit on its way into it.',
  {
    id: described(
      z.string(),
      'The label; of a change note with `-` and its withdrawalIndex; of a deposit on its way its quoteId, `-` and its place.',
    ),
    depositIndex: described(
      z.int().nullable(),
      'Index by which the client derived the deposit’s secrets; null for a deposit that this service did not prepare.',
    ),
    withdrawalIndex: described(
      z.int(),
      'How many times the deposit was spent from; 0 for the deposit itself.',
    ),
    commitment: described(
      digits.nullable(),
      'Leaf of the state tree; null while there is none, or where only the owner of the secrets knows it.',
    ),
    label: described(digits.nullable(), 'Name of the deposit in the pool; null while it is on its way.'),
    value: described(amount, 'Value of the note, in the smallest unit.'),
    aspStatus: described(
      z.enum(['pending', 'approved', 'declined', 'failed']),
      'The association set provider’s decision on the deposit: `approved` once its label hashes to the root on chain.',
      { id: 'CommitmentAspStatus' },
    ),
    known: described(
      z.enum(['deposit', 'settled', 'told']),
      'From where the service knows the note: the deposit itself, what the account settled later, or a spend that it reported.',
      { id: 'CommitmentSource' },
    ),
  },
)

const commitments = described(
  z.array(commitment),
  'The account’s unspent notes as far as the service knows, and deposits on their way, by depositIndex. A note that was spent without telling the service is among them.',
)

export const poolCommitments = shape('PoolCommitments', 'An account’s notes in a pool.', { commitments })

/** Most deposits that are settled at once: more notes than a wallet spends in a day. */
const MOST_SETTLED = 100
/** No published scan follows nearly as many changes. */
const MOST_WITHDRAWALS = 100_000

const settlement = shape('NoteSettlement', 'The remainder of a deposit, without how it was spent.', {
  commitmentId: described(
    z.string().min(1).max(100),
    'Id of any note of the deposit, as `pool/commitments` has it.',
  ),
  withdrawalIndex: described(
    z.int().nonnegative().max(MOST_WITHDRAWALS),
    'How many times the deposit was spent from: more often than the service knows.',
  ),
  value: described(
    amount,
    'The remainder, in the smallest unit: no more than the service knows; 0 for nothing.',
  ),
})

export const settleBody = shape('PoolSettlement', 'The remainders of deposits of one pool.', {
  ...poolToken,
  notes: described(z.array(settlement).min(1).max(MOST_SETTLED), 'One for each deposit, 100 at most.'),
})

const spentNote = shape('SpentNote', 'A note that was spent, without what it was or whose.', {
  nullifierHash: described(digitText(), 'H(nullifier), decimal.'),
  withdrawnValue: described(
    digitText(),
    'Amount that left the pool, relay fee included, in the smallest unit.',
  ),
  newCommitment: described(digitText(), 'Leaf of the change note, decimal.'),
})

const ragequit = shape('RecoveredNote', 'A note that its depositor took back in the open.', {
  commitment: described(digitText(), 'Its leaf, decimal.'),
  label: described(digitText(), 'Name of its deposit, decimal.'),
  value: described(digitText(), 'Recovered amount, in the smallest unit.'),
})

const crowdStep = shape(
  'CrowdStep',
  'How many deposits one is hidden among when the service relays the withdrawal.',
  {
    atLeast: described(amount, 'In the smallest unit: 1, 2 or 5 times a power of ten.'),
    deposits: described(
      z.int(),
      'Approved deposits of at least that amount that accounts of the service made and did not recover.',
    ),
  },
)

export const poolState = shape(
  'PoolState',
  'All that a client needs to find its notes in a pool and to prove that it may spend them.',
  {
    leaves: described(
      z.array(digitText()),
      'Leaves of the state tree in insertion order, decimal: all, or those from `fromIndex` on.',
    ),
    currentRoot: described(digits, 'Root of the state tree after all leaves; 0 without any.'),
    treeSize: described(z.int(), 'Number of leaves in the state tree.'),
    prefixRoot: described(
      digits.nullable(),
      'Root after `fromIndex` leaves; null for 0. If the client’s differs, a reorg removed leaves: ask from lower.',
    ),
    aspLeaves: described(
      z.array(digitText()),
      'Approved labels in the order of the provider’s tree, decimal: all, or those from `aspFromIndex` on.',
    ),
    aspRoot: described(
      digits.nullable(),
      'Root of all approved labels, which is the Entrypoint’s latest; null while it has none.',
    ),
    spentNullifiers: described(
      z.array(spentNote),
      'Spent notes in the order of the chain: all, or those from `fromSpent` on.',
    ),
    ragequits: described(z.array(ragequit), 'All notes that were recovered, in the order of the chain.'),
    crowd: described(z.array(crowdStep), 'The crowd by amount: no client has to ask for an amount.'),
    nextDepositIndex: described(
      z.int(),
      'One more than the highest depositIndex that is on chain or on its way; 0 without any.',
    ),
    commitments,
  },
)
