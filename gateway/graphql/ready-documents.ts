/** A document that the explorer opens in a tab of its own; one with variables needs a token. */
export interface ReadyDocument {
  query: string
  variables?: Readonly<Record<string, unknown>>
}

const ACCOUNT_ID = '00000000-0000-4000-8000-000000000000'
const NATIVE_COIN = '0x0000000000000000000000000000000000000000'
const QUOTE_INPUT = `$accountId: UUID!, $input: QuoteRequestInput!`

/** Public questions of a newcomer; they run on the devnet unchanged. */
const PUBLIC = `# Put the cursor into an operation and press Ctrl-Enter. The book on the left documents every member.
# The other tabs are the screens of a wallet. They need a token; under Headers: {"authorization": "Bearer <token>"}

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
`

const SIGN_IN = `# A wallet signs in by itself: it puts the nonce into a message and signs that (PROTOCOL.md, sections 2 and 3).
# \`token\` is for the header of the other tabs. \`accountId\` is null until the account exists.
query Nonce($address: Address!) {
  nonce(address: $address)
  hpkePublicKey { publicKey }
}

mutation SignIn($signed: VerifyRequestInput!) {
  verify(input: $signed) { token accountId errors { code message } }
}

mutation Create($keys: NewAccountInput!) {
  createAccount(input: $keys) { alreadyExisted viewer { id accountId } errors { code message } }
}
`

const HOME = `# What the account has, and what happened last. A cache keeps each thing by its id.
query Home {
  viewer {
    id
    account {
      id
      balances(first: 50) {
        totalUsdAmount
        edges { node { id available pending pooled usdAmount token { id symbol decimals } chain { id name } } }
      }
      pendingActivities { ...Entry }
      activities(first: 5) { edges { node { ...Entry } } }
    }
  }
}

fragment Entry on Activity {
  id kind state date amount to
  token { id symbol decimals }
  chain { id name }
}

mutation Receive($accountId: UUID!) {
  createPaymentAddress(accountId: $accountId) { address nonce reused limitResetsAt errors { code message } }
}

# All that changes. The stream resumes after the cursor of its last event.
subscription Follow($after: String) {
  accountEvents(after: $after) {
    __typename
    cursor
    ... on BalanceChanged { balance { id available pending } }
    ... on ActivityChanged { activity { ...Entry } }
    ... on QuoteChanged { progress { status txHash } }
  }
}
`

const ACTIVITY = `# A page of the history; \`endCursor\` is the \`after\` of the next one.
query History($after: String) {
  viewer {
    id
    account {
      id
      activities(first: 20, after: $after, hideLikelySpam: true) {
        edges {
          node {
            id kind state date amount usdAmount from to txHash failureReason
            token { id symbol decimals }
            chain { id name }
            ... on SwapActivity { swap { destAmount destTokenAddress } }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}
`

const REVIEW = `# Payments that came in and wait for a decision. \`account\` of an answer is the account after the change.
query Review($after: String) {
  viewer {
    id
    account {
      id
      review(tab: needsReview, first: 20, after: $after) {
        counts { needsReview inProgress done skipped }
        edges {
          node {
            id address statusReason lastReceivedAt rawReceiveCount usdAmount canConvert
            assets { id chainId tokenSymbol decimals available pending canConvert }
          }
        }
        pageInfo { hasNextPage endCursor }
      }
    }
  }
}

# \`seen\` has \`lastReceivedAt\` and \`rawReceiveCount\` of the item.
mutation Skip($accountId: UUID!, $address: Address!, $seen: NewReviewSkipInput!) {
  skipDepositReview(accountId: $accountId, address: $address, input: $seen) {
    reviewItemId
    account { id review(tab: needsReview, first: 20) { counts { needsReview } nodes { id reviewStatus } } }
    errors { code message }
  }
}
`

/** Members of every quote, and the errors that a wallet handles by their members. */
const QUOTED = `quote { ...Terms }
    errors {
      code message retry
      ... on InsufficientBalanceError { available }
    }`

const TERMS = `# \`signedPayload\` is what \`signature\` covers: verify it, and read what to sign from it (PROTOCOL.md).
fragment Terms on Quote {
  id quoteId expiresAt
  amountIn expectedOutput minimumOutput outputSymbol outputRecipient
  fees { total totalUsdAmount }
  signedPayload signature
}`

const SUBMIT = `# The intents and delegations in the quote's order, each signed with the key of its address.
mutation Submit($accountId: UUID!, $signed: QuoteSignaturesInput!) {
  submitQuote(accountId: $accountId, input: $signed) {
    nodeId status txHash
    account { id pendingActivities { id kind state } }
    errors { code message retry }
  }
}

mutation GiveUp($accountId: UUID!, $quoteId: UUID!) {
  unlockQuote(accountId: $accountId, input: { quoteId: $quoteId }) { nodeId errors { code message } }
}`

const quoting = (name: string, comment: string) => `# ${comment}
mutation ${name}(${QUOTE_INPUT}, $key: String) {
  createQuote(accountId: $accountId, input: $input, idempotencyKey: $key) {
    ${QUOTED}
  }
}

${TERMS}

${SUBMIT}
`

const request = (kind: string, members: Readonly<Record<string, unknown>>) => ({
  accountId: ACCOUNT_ID,
  input: { [kind]: { chainId: 31_337, ...members } },
})

/** The documents of the explorer's tabs, the first one for everybody. */
export const READY_DOCUMENTS: readonly ReadyDocument[] = [
  { query: PUBLIC },
  { query: SIGN_IN, variables: { address: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8' } },
  { query: HOME, variables: { accountId: ACCOUNT_ID } },
  { query: ACTIVITY, variables: { after: null } },
  { query: REVIEW, variables: { after: null } },
  {
    query: quoting('Send', 'A payment: quote it, sign what it says, submit the signatures.'),
    variables: request('send', {
      token: NATIVE_COIN,
      amount: '1000000000000000',
      destinationAddress: '0x70997970C51812dc3A010C7d01b50e0d17dc79C8',
    }),
  },
  {
    query: quoting('Swap', 'An exchange on one chain, or to another by `tokenOutChainId`.'),
    variables: request('swap', {
      tokenIn: NATIVE_COIN,
      tokenOut: '0x0000000000000000000000000000000000000001',
      amountIn: '1000000000000000',
    }),
  },
  {
    query: quoting(
      'Withdraw',
      'Out of the pools to a fresh address of one’s own. The client proves each part.',
    ).replace(
      'signedPayload signature',
      'signedPayload signature\n  ... on SpendQuote { crowd privacyCaveats { kind } }',
    ),
    variables: request('incognitoSelfSend', { token: NATIVE_COIN, amount: '1000000000000000' }),
  },
]
