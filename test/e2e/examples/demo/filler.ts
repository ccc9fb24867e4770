import { DemoError } from './demo-error.ts'

/** A deposit as the devnet's filler knows it. */
interface FillerDeposit {
  originChainId: number
  depositId: string
  txHash: string
}

/** The devnet's filler, which obeys commands: test/devnet/COMMANDS.md has all of them. */
export interface DemoFiller {
  tell(command: string, deposit?: FillerDeposit): Promise<void>
  /** @throws DemoError where the filler has not seen it. */
  findDeposit(txHash: string): Promise<FillerDeposit>
}

export function openFiller(url: string): DemoFiller {
  return {
    async tell(command, deposit) {
      const about = deposit && { originChainId: deposit.originChainId, depositId: deposit.depositId }
      const response = await fetch(`${url}/commands`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ command, ...about }),
      })
      if (!response.ok) throw new DemoError(`The filler refuses to ${command}: ${await response.text()}`)
    },
    async findDeposit(txHash) {
      // It reads the chains four times a second.
      for (let tries = 0; tries < 40; tries++) {
        const deposits = (await (await fetch(`${url}/deposits`)).json()) as FillerDeposit[]
        const deposit = deposits.find((candidate) => candidate.txHash === txHash)
        if (deposit) return deposit
        await new Promise((resolve) => setTimeout(resolve, 250))
      }
      throw new DemoError(`The filler at ${url} has not seen the deposit of ${txHash}`)
    },
  }
}
