import { erc20Abi, parseAbi, type Address, type Hash, type Hex } from 'viem'
import type { DescribedChain } from '../../../devnet/devnet-description.ts'
import { connectWallet } from '../../../devnet/wallet/connect-wallet.ts'
import { DemoError } from './demo-error.ts'

const collectibleAbi = parseAbi(['function mint(address to, uint256 id)'])

/** Somebody rich on the devnet with a wallet of the usual kind; every payment is mined when it returns. */
export type Payer = ReturnType<typeof openPayer>

export function openPayer(chain: DescribedChain, privateKey: Hex) {
  const { reader, sender } = connectWallet(chain, privateKey)
  async function mined(sending: Promise<Hash>): Promise<Hash> {
    const hash = await sending
    const { status } = await reader.waitForTransactionReceipt({ hash })
    if (status !== 'success') throw new DemoError(`the payment ${hash} was reverted`)
    return hash
  }
  return {
    reader,
    readToken: (token: Address, owner: Address) =>
      reader.readContract({ address: token, abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
    payNative: (to: Address, value: bigint) => mined(sender.sendTransaction({ to, value })),
    payToken: (token: Address, to: Address, amount: bigint) =>
      mined(
        sender.writeContract({ address: token, abi: erc20Abi, functionName: 'transfer', args: [to, amount] }),
      ),
    giveCollectible: (to: Address, id: bigint) =>
      mined(
        sender.writeContract({
          address: chain.collectible,
          abi: collectibleAbi,
          functionName: 'mint',
          args: [to, id],
        }),
      ),
  }
}
