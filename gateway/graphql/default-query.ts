/**
 * Initial text of the explorer: one operation for each question that a newcomer may have. All of them run on the devnet
 * unchanged.
 */
export const DEFAULT_QUERY = `# Put the cursor into an operation and press Ctrl-Enter. The book on the left documents every member.

query WhatIsServed {
  supportedChains { chainId name isTestnet }
  tokenCatalog(limit: 5) { tokens { chainId address symbol decimals } }
  subdomainCheck(name: "alice") { available reason }
}

query WhatRelayingCosts {
  relayerDetails(chainId: 31337, assetAddress: "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE") {
    feeBPS
    feeReceiverAddress
    minWithdrawAmount
    maxGasPrice
  }
}

# The operations below need a token; under Headers: {"authorization": "Bearer <token>"}

query MyAccount {
  viewer {
    account {
      accountId
      subdomain
      balances { totalUsdAmount nodes { id available pending token { symbol decimals chain { name } } } }
      addresses(first: 5) { totalCount nodes { id address nonce hasBalance } }
      activities(first: 5) {
        nodes { id date kind executionStatus txHash amount to token { symbol decimals } }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}

mutation AnAddressToBePaidAt($accountId: UUID!) {
  createPaymentAddress(accountId: $accountId) { address nonce reused limitResetsAt }
}

subscription WhenSomethingComesIn($accountId: ID!) {
  balanceChanged(accountId: $accountId) {
    chainId
    balance { balances { tokenSymbol available pending } }
  }
}
`
