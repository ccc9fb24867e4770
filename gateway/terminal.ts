import type { RunningService } from './compose.ts'

/** Start-up as people read it; the log goes on beside it, so this is written to standard error. */
const print = (line: string) => process.stderr.write(`${line}\n`)

export function printProgress(what: string): void {
  print(`  starting  ${what} …`)
}

/** Says what runs, where, and what to try next. */
export function printStarted({ url, parts }: RunningService): void {
  const chains = parts.chains.map(({ chainId, name, rpcUrls, assets }) => {
    const where = new URL(rpcUrls[0] ?? url).host
    return `${chainId} ${name} at ${where} (${assets.map(({ symbol }) => symbol).join(', ')})`
  })
  print(`
  Relaying at ${url}

    database      ${parts.database}
    shared state  ${parts.sharedState}
    chains        ${chains.join('\n                  ')}${
      parts.devnetFile ? `\n    devnet        described in ${parts.devnetFile}, ASP at ${parts.asp}` : ''
    }

  Try next
    ${url}/          what is going on
    ${url}/docs      the API reference
    ${url}/graphql   GraphiQL
    ${parts.devnetFile ? 'npm run demo' : 'GET /relayer/details'.padEnd(12)}                      ${
      parts.devnetFile
        ? 'deposit, prove and withdraw, in a second terminal'
        : 'what an asset costs to withdraw'
    }
`)
}
