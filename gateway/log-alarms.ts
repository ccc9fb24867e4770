/** A kind of log entry that asks for something: its level, its message, and in Markdown its meaning and what to do. */
export type LogAlarm = readonly [level: 'error' | 'warn', message: string, action: string]

/**
 * Log entries at level `error`, and those at `warn` that ask for something, by topic and code. The log adds the code to each
 * entry with the message. Links go from the folder of ALARMS.md.
 */
export const LOG_ALARMS = {
  'Signers and gas': {
    UNPAID_GAS_USED_UP: [
      'error',
      'a share of the budget of unpaid gas is used up: some requests are refused for now',
      'An attacker makes transactions fail. There is nothing to stop: losses count for an hour, and failing recipients wait longer each time. Raise `unpaidGasPerHour` if honest requests are refused; lower it to pay less.',
    ],
    UNPAID_GAS_HALF_USED: [
      'warn',
      'half of a limit of unpaid gas is used up',
      'The early warning of the above.',
    ],
    LEASES_NOT_RENEWED: [
      'error',
      'the leases of the signers could not be renewed',
      'The database is away. After `broadcast.leaseMs` other instances claim the signers.',
    ],
    SIGNERS_SHARED: [
      'warn',
      'the same signers send relays and sends',
      'At the start: anybody can see that both are of one service. See [Keys](../../OPERATING.md#keys).',
    ],
    FEES_SHARED: [
      'warn',
      'fees of relays and of sends go to one address',
      'The same. Set `transact.feeReceivers`.',
    ],
    NONCE_DISPUTED: [
      'warn',
      'a node counts transactions of a signer that no other node confirms',
      "A node lies or is on another fork, or another program uses the signer's key. The service ignores the count.",
    ],
    NONCE_GAPS: [
      'warn',
      'gaps in the nonces of a signer were mended',
      'A node forgot transactions, or the database was restored.',
    ],
  },
  Nodes: {
    NODE_LEFT: [
      'warn',
      'a node did not answer: the work of the chain moves to the next',
      'It comes back after `forMs`. If it happens often, replace the node: meanwhile the next node learns the questions that it would have got.',
    ],
    POOL_UNKNOWN: [
      'warn',
      'the Entrypoint tells no pool of an asset',
      'Check `entrypoint` and `assets`. The chain is indexed without that pool.',
    ],
    ASSET_UNSERVED: [
      'warn',
      'an asset cannot be served',
      "`problem` gives the answer of the pool's contract, for instance that the Entrypoint does not know it. Check `entrypoint` and `assets`.",
    ],
  },
  Indexing: {
    REORG_TOO_DEEP: [
      'error',
      'a reorg went deeper than the blocks that are kept',
      'The chain is read again from its start block. Balances are stale until then. If it happens again, raise `indexer.depth`, and distrust the node.',
    ],
    ROWS_REFUSED: [
      'error',
      'rows that the database refused were left out',
      '`first` names table, place and SQLSTATE of up to ten. The rest of the block is written. See `indexer_rows_set_aside`, and report it.',
    ],
    BALANCES_UNREAD: [
      'error',
      'no node could read some balances: they are tried again later',
      '`tokens` names up to ten. The previous amounts stand. They are read again after two minutes, or with the next payment.',
    ],
    BLOCK_INCOMPLETE: [
      'error',
      'no node showed all parts of a block: the chain goes on by balances',
      '`first` names up to ten blocks and the missing parts. See [Blocks that no node shows whole](../../OPERATING.md#blocks-that-no-node-shows-whole).',
    ],
    OLD_BLOCK_INCOMPLETE: [
      'error',
      'an old block was read without parts that no node shows',
      'The same for a block of the past.',
    ],
    OLD_BLOCK_LEFT_OUT: [
      'error',
      'no node tells who takes part in an old block: it is left out of some histories',
      'Every node refuses `eth_getLogs` for this one block. Some late addresses lack its transfers; their balances are right.',
    ],
    BLOCK_READER_FAILED: [
      'error',
      'the thread that reads blocks failed',
      'It is started again. If it repeats, check the memory.',
    ],
    INDEX_LISTENER_FAILED: [
      'error',
      'a listener of the indexer failed',
      'Subscribers miss an event; the state itself is right.',
    ],
  },
  Transactions: {
    TRANSACTION_REFUSED: [
      'warn',
      'a node refused a transaction',
      '`refusal` says how it was understood. A few are normal; many of `invalid` or `unknown` are not: read `detail`.',
    ],
    TRANSACTION_UNJUDGED: [
      'warn',
      'no node had a verdict; the transaction is offered again later',
      'Nodes time out or limit requests.',
    ],
    TRANSACTION_WITHHELD: [
      'warn',
      'a transaction that waited long would fail now; it is not sent',
      'The gas price was above `maxGasPrice` for long, or a backup was restored. The request fails with the reason.',
    ],
    TRANSACTION_REPLACED: [
      'warn',
      'a transaction can only fail by now; a transfer of nothing replaces it',
      'The same for a transaction that was sent. It costs 21,000 gas instead of a failed relay.',
    ],
    TRANSACTION_REORGED: [
      'warn',
      'a reorg took a transaction out of its block; it is offered again',
      'Nothing to do.',
    ],
    SETTLED_LOST: [
      'warn',
      'the chain lost settled transactions; sent again',
      'A reorg deeper than `confirmations`. Raise `confirmations` if it happens again.',
    ],
    SETTLING_FAILED: [
      'error',
      'a transaction could not be settled; tried again later',
      'The database refused the booking; `err` says why. The service repeats it until it works.',
    ],
    HANDLING_FAILED: [
      'error',
      'a transaction could not be dealt with; tried again later',
      'The same, for a transaction that nodes refused or that needs a higher price.',
    ],
    SENDING_FAILED: ['error', 'sending failed; what is signed is sent again later', 'The same, for sending.'],
    QUEUE_FAILED: ['error', 'the queue could not be worked on', 'The same; usually the database is away.'],
    RELAY_HASH_UNKNOWN: [
      'error',
      'the hash of a relay is not known',
      'A relay was accepted and answered without its hash. The client follows it by `requestId`.',
    ],
    SUBMISSION_HASH_UNKNOWN: [
      'error',
      'it could not be waited for the hash of a submission',
      'A submission was accepted and answered as `queued`. The client follows it by `quoteId`; `err` says why.',
    ],
    PROGRESS_LOST: [
      'error',
      'progress not told',
      'Subscribers miss an event of a relay; the state itself is right.',
    ],
    OUTBOX_LISTENER_FAILED: ['error', 'a listener of the outbox failed', 'The same.'],
    EVENT_LISTENER_FAILED: ['error', 'a listener failed', 'The same, for events between instances.'],
  },
  'Sends and orders': {
    BATCH_FAILED: [
      'error',
      'a batch could not be sent; tried again later',
      'A batch of sends met a fault; `err` says which.',
    ],
    INTENT_QUEUE_FAILED: ['error', 'the queue of intents could not be worked on', 'The same.'],
    ORDERS_UNREVIEWED: [
      'error',
      'the orders of one depositor cannot be reviewed, and are left out',
      '`reason` names the error. Bridges and cash-outs of one address stand still on the page; the others continue. The service tries again at each sweep: report it.',
    ],
    QUOTE_UNENDED: [
      'error',
      'a quote could not be ended; tried again later',
      '`reason` names the error. Its transaction is mined and the other quotes of the batch have ended. See [Quotes that cannot be booked](../../OPERATING.md#quotes-that-cannot-be-booked).',
    ],
    SHARE_UNBOOKED: [
      'error',
      'the share of a referrer could not be booked; tried again later',
      "The same for a referrer's share. The quote has ended and its funds are free.",
    ],
    EXPIRED_QUOTE_UNENDED: [
      'error',
      'an expired quote could not be ended',
      '`reason` names the error. Its funds stay locked; other quotes end. The service tries again every `transact.expireEveryMs`: report it.',
    ],
    FUNDS_LOCKED: ['error', 'spent funds of an address stay locked', 'The same, for funds that were spent.'],
    QUOTES_UNJUDGED: [
      'error',
      'failing quotes could not be judged',
      'The same; quotes stay `queued` until it works.',
    ],
    QUOTES_UNPOSTPONED: ['error', 'failing quotes could not be postponed', 'The same.'],
    QUOTES_OVERDUE_UNREAD: ['error', 'overdue quotes could not be looked for', 'The same.'],
    INTENTS_UNERASED: [
      'error',
      'ended intents could not be erased',
      'Signed intents stay longer than `transact.submissions.retainMs`.',
    ],
    BATCH_PROGRESS_LOST: [
      'error',
      'progress of a batch not told',
      'Subscribers miss an event; the state itself is right.',
    ],
  },
  Proofs: {
    PROOF_DISPUTED: [
      'error',
      'the fast verifier and snarkjs disagree about a proof',
      '`fast` and `snarkjs` have the verdicts; that of snarkjs was used. The alarm VERIFIERS_DISAGREE stands from then on.',
    ],
    FIELD_SLOW: [
      'warn',
      'the faster field arithmetic does not run here: a proof takes about 3 times as long',
      'The processor or Node.js lacks fused multiplications in WebAssembly. Proofs are verified all the same.',
    ],
    PROOF_UNCHECKED: [
      'warn',
      'a proof could not be verified by snarkjs as well',
      'The verdict of the fast verifier was used. If it repeats, check the memory.',
    ],
  },
  'Database and Redis': {
    DATABASE_WAITING: [
      'error',
      'waiting for a database server that takes writes',
      'None of the servers of `DATABASE_URL` does; `err` gives the answer of each. Promote a standby. Nothing is acknowledged meanwhile.',
    ],
    DATABASE_MOVED: ['warn', 'a database server takes writes', '`server` is used from now on.'],
    EMBEDDED_DATABASE_ENDED: [
      'error',
      'the embedded PostgreSQL ended by itself',
      "Restart the service. Check disk space and memory; the entry before has PostgreSQL's own words.",
    ],
    REDIS_ABSENT_AT_START: ['warn', 'starting without Redis for now', 'The same, at the start.'],
    TOKENS_REFUSED: [
      'error',
      'the database refused tokens of a provider',
      '`tokens` counts them. They keep the data of other sources. The service tries again with each round: report it.',
    ],
    TOKEN_ANSWERS_REFUSED: [
      'error',
      'the database refused answers of token contracts',
      'The same for names and decimals that contracts answer.',
    ],
    PRICES_REFUSED: [
      'error',
      'the database refused some prices',
      '`tokens` names them with the SQLSTATE. Their last stored price stays and grows old; other tokens have their prices. Report it.',
    ],
    MARKETS_REFUSED: [
      'error',
      'the database refused the figures of some markets',
      'The same for market figures; `coins` names them.',
    ],
  },
  'Providers and signers elsewhere': {
    REVIEWS_UNREAD: [
      'warn',
      'reviews of deposits cannot be read; they are asked for again',
      'The ASP does not answer. Deposits stay pending.',
    ],
    PRICE_SOURCE_FAILED: [
      'warn',
      'a price source failed',
      'Prices become stale (`prices.freshForMs`) and end (`prices.maxAgeMs`).',
    ],
    COMMITMENT_UNSIGNED: [
      'warn',
      'no fee commitment was signed',
      'The remote signer does not answer or signs with another key. Quotes answer 503.',
    ],
  },
  'Keys, access and installation': {
    ACCOUNT_FORGED: [
      'warn',
      'an account was refused whose auth address is not that of its sealed keys',
      'Another program or person writes to the database. Find out which.',
    ],
    API_KEY_FORGED: [
      'warn',
      'an API key was refused whose row was changed or copied: who writes to the database?',
      'The same.',
    ],
    API_KEY_UNSEALED: [
      'warn',
      'an API key without a seal was refused: if it is of an earlier version, vouch for it by "api-key seal"',
      'See [Upgrade](../../OPERATING.md#upgrade). Never accept a key that you do not know.',
    ],
    EXTENSION_CODE_FORGED: [
      'warn',
      'a code of an extension was refused whose row this service did not write',
      'Another program or person writes to the database.',
    ],
    MASTER_KEY_LOCAL: [
      'warn',
      'keys at rest are wrapped by a master key in the data folder: keep a copy, or set MASTER_KEYS',
      'Do what it says.',
    ],
    PROXY_UNTRUSTED: [
      'warn',
      'requests come through a proxy, and http.trustedProxies is 0: all clients behind it count as one. Set it to the number of proxies in front, or let the proxy remove the headers that name it or the client',
      'See [Reverse proxies](../../OPERATING.md#reverse-proxies).',
    ],
    SECP256K1_SLOW: [
      'warn',
      'the native secp256k1 did not load: fee commitments are signed in JavaScript, about 4 times slower',
      'Install on a platform with its binary.',
    ],
  },
  'The process': {
    THREAD_STUCK: [
      'warn',
      'a worker thread is stuck; it is ended',
      'A simulation or proof took too long; its request is tried once more on another thread.',
    ],
    DEVNET_ENDED: [
      'error',
      'the devnet ended, and its chains with it: start the service again',
      'Do so: the chains are resumed. `how` says how it ended.',
    ],
    REQUEST_FAILED: [
      'error',
      'a request failed unexpectedly',
      'A client got a 500 with this `requestId`. This is a defect: report it with the entry.',
    ],
    REQUEST_UNANSWERED: [
      'error',
      'a request could not be answered',
      'The connection of the request `requestId` was closed without an answer. A defect: report it with the entry.',
    ],
    SIMULATION_UNCHECKED: [
      'error',
      'a simulation could not be checked',
      "The service's own EVM failed, so the client got the node's answer unchecked. A defect: report it with the entry.",
    ],
    REJECTION_UNHANDLED: ['error', 'unhandled rejection', 'A defect: report it with the entry.'],
    STOP_UNCLEAN: ['error', 'did not stop cleanly', 'Only at the end of the process; nothing is lost.'],
  },
} as const satisfies Record<string, Record<string, LogAlarm>>
