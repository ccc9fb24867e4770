import {
  createWalletClient,
  keccak256,
  stringToHex,
  zeroAddress,
  erc20Abi,
  http,
  parseAbi,
  parseEther,
  type Address,
  type PrivateKeyAccount,
} from 'viem'
import { generatePrivateKey } from 'viem/accounts'
import { writeBackup } from '../../schema/client/account/backup.ts'
import { escrowAbi } from '../../schema/client/chain/abis.ts'
import type { WalletKeys } from '../../schema/client/keys/stealth-keys.ts'
import { depositSecrets, deriveMasterSecrets, notePhrase } from '../../schema/client/pool/note-secrets.ts'
import { deriveOwner } from '../../schema/client/recovery/own-address.ts'
import type { DescribedChain } from '../devnet/devnet-description.ts'
import { connectWallet } from '../devnet/wallet/connect-wallet.ts'
import { deposit } from '../devnet/wallet/deposit.ts'

const collectibleAbi = parseAbi(['function mint(address to, uint256 id)'])
export const LOST_PASSWORD = 'correct horse'

/** A wallet whose money is on the chain in all forms, and which no service knows. */
export interface LostWallet {
  keys: WalletKeys
  /** The backup file's text. */
  backup: string
  addressAt: (nonce: number) => Address
  token: Address
  collectible: Address
  collectibleId: bigint
}

/**
 * Address 0 has a coin, a collectible, and three tokens for sale in the escrow, address 2 a coin and a deposit of one in the pool of coins, address 150 five tokens
 * and nothing to pay fees with.
 * @param inBackup Undefined where the backup does not know the pools.
 */
export async function fundLostWallet(
  chain: DescribedChain,
  collectibleId: bigint,
  inBackup: { entrypoint: Address | undefined } = chain,
): Promise<LostWallet> {
  const keys = { spendKey: generatePrivateKey(), viewKey: generatePrivateKey() }
  const ownerAt = (nonce: number): PrivateKeyAccount => deriveOwner(keys, { nonce, address: '0x' })
  const payer = connectWallet(chain, chain.accounts[3]!.privateKey)
  const { reader, sender } = payer
  const settle = async (hash: Promise<`0x${string}`>) =>
    reader.waitForTransactionReceipt({ hash: await hash })
  const pool = chain.pools.find(({ symbol }) => symbol === 'ETH')!
  const token = chain.tokens[0]!.address
  await settle(sender.sendTransaction({ to: ownerAt(0).address, value: parseEther('1') }))
  await settle(sender.sendTransaction({ to: ownerAt(2).address, value: parseEther('2') }))
  const transfer = { address: token, abi: erc20Abi, functionName: 'transfer' } as const
  await settle(sender.writeContract({ ...transfer, args: [ownerAt(150).address, 5_000_000n] }))
  const collectible = { address: chain.collectible, abi: collectibleAbi, functionName: 'mint' } as const
  await settle(sender.writeContract({ ...collectible, args: [ownerAt(0).address, collectibleId] }))
  await settle(sender.writeContract({ ...transfer, args: [ownerAt(0).address, 3_000_000n] }))
  await offerForSale(chain, ownerAt(0), { token, amount: 3_000_000n })
  const master = deriveMasterSecrets(notePhrase(keys.spendKey, keys.viewKey).mnemonic)
  const account = ownerAt(2)
  const transport = http(chain.rpcUrl)
  await deposit(
    { ...payer, account, sender: createWalletClient({ account, chain: reader.chain, transport }) },
    {
      ...pool,
      entrypoint: chain.entrypoint,
      gross: parseEther('1'),
      secrets: depositSecrets(master, BigInt(pool.scope), 0n),
    },
  )
  const { entrypoint } = inBackup
  const known = { chainId: chain.chainId, name: 'Devnet', nativeSymbol: 'ETH', escrow: chain.cash.escrow }
  const chains = [{ ...known, ...(entrypoint && { entrypoint }) }]
  return {
    keys,
    backup: await writeBackup({ keys, chains }, LOST_PASSWORD),
    addressAt: (nonce) => ownerAt(nonce).address,
    token,
    collectible: chain.collectible,
    collectibleId,
  }
}

async function offerForSale(
  chain: DescribedChain,
  account: PrivateKeyAccount,
  { token, amount }: { token: Address; amount: bigint },
): Promise<void> {
  const { reader } = connectWallet(chain, generatePrivateKey())
  const seller = createWalletClient({ account, chain: reader.chain, transport: http(chain.rpcUrl) })
  const { escrow } = chain.cash
  const hashOf = (name: string) => keccak256(stringToHex(name))
  const oracleRateConfig = {
    adapter: zeroAddress,
    adapterConfig: '0x',
    spreadBps: 0,
    maxStaleness: 0,
  } as const
  const params = {
    token,
    amount,
    intentAmountRange: { min: 1n, max: amount },
    paymentMethods: [hashOf('venmo')],
    paymentMethodData: [{ intentGatingService: account.address, payeeDetails: hashOf('alice'), data: '0x' }],
    currencies: [[{ code: hashOf('USD'), minConversionRate: parseEther('0.98'), oracleRateConfig }]],
    delegate: zeroAddress,
    intentGuardian: zeroAddress,
    retainOnEmpty: false,
  } as const
  const approve = { address: token, abi: erc20Abi, functionName: 'approve', args: [escrow, amount] } as const
  const hashes = [
    await seller.writeContract(approve),
    await seller.writeContract({
      address: escrow,
      abi: escrowAbi,
      functionName: 'createDeposit',
      args: [params],
      gas: 2_000_000n,
    }),
  ]
  for (const hash of hashes) {
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new Error(`${hash} was reverted`)
  }
}
