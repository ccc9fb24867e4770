import { DemoError } from './demo-error.ts'

/** Buyers of the devnet's escrow, which obey commands: test/devnet/COMMANDS.md has all of them. */
export interface DemoBuyers {
  tell(command: string, about?: Record<string, unknown>): Promise<string | null>
  /** A buyer locks so much of a deposit. @returns By which the contracts know it. */
  take(chainId: number, depositId: string, amount: bigint): Promise<string>
  /** The buyer proves that it was paid. */
  prove(chainId: number, intentHash: string): Promise<void>
}

export function openBuyers({ url }: { url: string }): DemoBuyers {
  async function tell(command: string, about: Record<string, unknown> = {}): Promise<string | null> {
    const response = await fetch(`${url}/commands`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ command, ...about }),
    })
    if (!response.ok) throw new DemoError(`The buyers refuse to ${command}: ${await response.text()}`)
    return ((await response.json()) as { intentHash: string | null }).intentHash
  }
  return {
    tell,
    async take(chainId, depositId, amount) {
      const hash = await tell('take', { chainId, depositId, amount: String(amount) })
      if (hash === null) throw new DemoError('A buyer took a deposit and does not say what')
      return hash
    },
    async prove(chainId, intentHash) {
      await tell('prove', { chainId, intentHash })
    },
  }
}
