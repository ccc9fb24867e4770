import { erc20Abi, parseAbi, parseEventLogs, type Address, type Hash } from 'viem'
import { depositAbi } from '../../../relayer/chain/contracts/privacy-pools.ts'
import { NATIVE_ASSET } from '../../../relayer/chain/nodes/config.ts'
import { poolEventsAbi } from '../pool-events.ts'
import type { Wallet } from './connect-wallet.ts'
import {
  makeSecrets,
  precommitmentOf,
  type Note,
  type NoteSecrets,
} from '../../../schema/client/pool/note.ts'

/** The Entrypoint's deposit functions and the errors that they revert with. */
export const depositWithErrorsAbi = [
  ...depositAbi,
  ...parseAbi([
    'error MinimumDepositAmount()',
    'error PoolIsDead()',
    'error PoolNotFound()',
    'error PrecommitmentAlreadyUsed()',
  ]),
] as const

/** A deposit into one pool. `secrets` are drawn at random unless given. */
export interface DepositRequest {
  entrypoint: Address
  asset: Address
  pool: Address
  /** The depositor's payment, in the asset's smallest unit; the note is worth this less the vettingFee. */
  gross: bigint
  secrets?: NoteSecrets
}

/**
 * Deposits into a pool, with an approval before it where the asset is an ERC-20, and gives the note.
 * @throws Error where the chain refuses.
 */
export async function deposit(wallet: Wallet, request: DepositRequest): Promise<{ note: Note; hash: Hash }> {
  const { entrypoint, asset, pool, gross, secrets = makeSecrets() } = request
  const precommitment = precommitmentOf(secrets)
  const hash =
    asset === NATIVE_ASSET
      ? await wallet.sender.writeContract({
          address: entrypoint,
          abi: depositWithErrorsAbi,
          functionName: 'deposit',
          args: [precommitment],
          value: gross,
        })
      : await depositToken(wallet, { entrypoint, asset, gross, precommitment })
  const { logs, status } = await wallet.reader.waitForTransactionReceipt({ hash })
  if (status !== 'success') throw new Error(`the deposit failed (${hash})`)
  const own = logs.filter(({ address }) => address.toLowerCase() === pool.toLowerCase())
  const [deposited] = parseEventLogs({ abi: poolEventsAbi, eventName: 'Deposited', logs: own })
  if (!deposited) throw new Error(`the deposit left no event of the pool ${pool} (${hash})`)
  return { note: { ...secrets, value: deposited.args._value, label: deposited.args._label }, hash }
}

async function depositToken(
  wallet: Wallet,
  request: { entrypoint: Address; asset: Address; gross: bigint; precommitment: bigint },
): Promise<Hash> {
  const { entrypoint, asset, gross, precommitment } = request
  const approval = await wallet.sender.writeContract({
    address: asset,
    abi: erc20Abi,
    functionName: 'approve',
    args: [entrypoint, gross],
  })
  await wallet.reader.waitForTransactionReceipt({ hash: approval })
  return await wallet.sender.writeContract({
    address: entrypoint,
    abi: depositWithErrorsAbi,
    functionName: 'deposit',
    args: [asset, gross, precommitment],
  })
}
