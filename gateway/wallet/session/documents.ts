// The wallet's GraphQL documents, as plain texts: a test validates them against the printed schema.

const BALANCE = `id chainId chainName tokenAddress tokenSymbol decimals logoUrl
  available pending pooled pooledPendingApproval pooledPendingWithdrawal pooledDeclined pricePerToken priceStale usdAmount spam`

const CASH_OUT = `offRamp {
    peerDepositId paymentMethod phase filled remaining outstanding escrowAmount escrowChainId escrowTokenAddress
    escrowTokenSymbol escrowDecimals estimatedFiatAmount
  }`

const ACTIVITY = `id kind state executionStatus date chainId amount usdAmount from to txHash
  explorerTxUrlBase failureReason isLikelySpam
  token { id symbol decimals address }
  chain { id name }
  transfers { value tokenSymbol decimals toAddress }
  fees { value tokenSymbol decimals }
  offRamp { paymentMethod phase estimatedFiatAmount }`

/**
 * The start: what the account has, and what happened last. An activity has one id in both lists, and the cache holds what it
 * reads last: the list that knows the transfers.
 */
export const HOME = `query Home($accountId: UUID!) {
  account(accountId: $accountId) {
    id
    balances(first: 100) { totalUsdAmount nodes { ${BALANCE} } }
    depositReviewSummary { needsReviewCount }
    pendingActivities { ${ACTIVITY} }
    activities(first: 20) { nodes { ${ACTIVITY} } }
  }
}`

/** A page of the history. */
export const HISTORY = `query History($accountId: UUID!, $after: String) {
  account(accountId: $accountId) {
    id
    activities(first: 30, after: $after) {
      nodes { ${ACTIVITY} quoteId sourceProvenance { display { fundingLabel associationLabel } } }
      pageInfo { hasNextPage endCursor }
    }
  }
}`

/** The account's own name. */
export const OWN_NAME = `query OwnName($accountId: UUID!) { account(accountId: $accountId) { id subdomain } }`

/** The address book. */
export const CONTACTS = `query Contacts($accountId: UUID!) {
  account(accountId: $accountId) { id contacts(first: 50) { nodes { id name address } } }
}`

/** Tokens that a payer may be asked for. */
export const TOKENS = `query Tokens($chainId: SafeInt!) {
  tokenCatalog(chainId: $chainId, limit: 20) { tokens { id chainId address symbol decimals } }
}`

/** Addresses that were paid, about whose money the user has not decided yet. */
export const ARRIVALS = `query Arrivals($accountId: UUID!) {
  account(accountId: $accountId) {
    id
    review(tab: needsReview, first: 50) {
      nodes {
        id address lastReceivedAt rawReceiveCount
        assets { id chainId chainName tokenAddress tokenSymbol decimals logoUrl amount canConvert }
      }
    }
  }
}`

/** The pools that the service relays from. */
export const POOLS = `query Pools {
  supportedPools {
    id chainId chainName token tokenSymbol decimals logoUrl minDeposit asp { name policyUrl }
  }
}`

/** The account's deposits in a pool, as far as the service knows them. */
export const POOL_NOTES = `query PoolNotes($accountId: UUID!, $chainId: SafeInt!, $token: Address!) {
  account(accountId: $accountId) {
    id
    commitments(chainId: $chainId, token: $token) {
      nodes { id commitmentId withdrawalIndex label value aspStatus }
    }
  }
}`

/** Sales for money, among the latest payments. */
export const CASH_OUTS = `query CashOuts($accountId: UUID!) {
  account(accountId: $accountId) {
    id
    activities(first: 100) { nodes { id date ${CASH_OUT} } }
  }
}`

/** The apps that know an address. */
export const APPS = `query Apps($accountId: UUID!) {
  account(accountId: $accountId) { id apps(first: 500) { edges { address lastUsedAt node { id origin } } } }
}`

/** All that changes of the account. Its stream resumes where it was cut. */
export const ACCOUNT_EVENTS = `subscription AccountEvents {
  accountEvents {
    cursor
    ... on BalanceChanged { balance { ${BALANCE} } }
    ... on ActivityChanged { activity { ${ACTIVITY} } }
  }
}`
