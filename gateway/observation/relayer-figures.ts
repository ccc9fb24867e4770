import type { WithdrawalsOverview } from '../../relayer/pool/relay/withdrawals.ts'

interface Sample {
  labels: Record<string, string | number>
  value: number
}

interface Figure {
  name: string
  help: string
  labelNames: string[]
  read(overview: WithdrawalsOverview): Sample[]
}

type Chain = WithdrawalsOverview['chains'][number]
type NodeFigures = Chain['nodes'][number]
type Signer = Chain['signers'][number]
type Booking = WithdrawalsOverview['ledger'][number]

/**
 * The relayer's figures as gauges. Amounts lose precision beyond 2^53: they are meant for graphs, not for accounting.
 */
export const relayerFigures: readonly Figure[] = [
  ofChain('chain_head_block', 'Latest block seen.', ({ head }) => head),
  ofChain('chain_head_age_seconds', 'Time since the head was made, by its own timestamp.', ({ headAgeMs }) =>
    headAgeMs === null ? null : headAgeMs / 1_000,
  ),
  ofChain('chain_head_read_age_seconds', 'Time since the head was read.', ({ headReadAgeMs }) =>
    headReadAgeMs === null ? null : headReadAgeMs / 1_000,
  ),
  ofNode(
    'chain_node_ok',
    '0 while a node is passed over: it is behind, silent, of another chain, or shows a head that cannot be. `node` is its host.',
    ({ problem }) => Number(problem === null),
  ),
  ofNode(
    'chain_node_blocks_behind',
    'Blocks of a node behind the newest credible head, at the last comparison.',
    ({ behind }) => behind,
  ),
  ofNode(
    'chain_node_answer_seconds',
    'Time that an answer of a node takes, a moving average.',
    ({ answerMs }) => (answerMs === null ? null : answerMs / 1_000),
  ),
  ofNode(
    'chain_node_answers_total',
    'Requests that a node answered since the start.',
    ({ answers }) => answers,
  ),
  ofNode(
    'chain_node_errors_total',
    'Requests that a node left without a usable answer.',
    ({ errors }) => errors,
  ),
  ofNode('chain_node_last_answer_age_seconds', 'Time since the last answer of a node.', ({ answeredAt }) =>
    answeredAt === null ? null : (Date.now() - answeredAt) / 1_000,
  ),
  ofNode('chain_node_block', 'Newest block of a node, at the last comparison.', ({ height }) =>
    height === null ? null : Number(height),
  ),
  {
    name: 'chain_capability',
    help: '1 for each thing that the service is configured to do on a chain: receive, relay, send, pool_deposit, swap, bridge, cash_out, names.',
    labelNames: ['chain', 'capability'],
    read: ({ chains }) =>
      chains.flatMap(({ chainId, capabilities }) =>
        capabilities.map((capability) => ({ labels: { chain: chainId, capability }, value: 1 })),
      ),
  },
  ofChain('chain_base_fee_wei', 'Base fee of the newest block.', ({ baseFee }) => baseFee),
  ofChain(
    'chain_gas_price_cap_wei',
    'Highest price that the service pays: `maxGasPrice`.',
    ({ maxGasPrice }) => maxGasPrice,
  ),
  ofChain('chain_gas_price_wei', 'Gas price that quotes use.', ({ gasPrice }) => gasPrice),
  ofChain(
    'chain_pending_transactions',
    'Transactions sent and not final.',
    ({ signers, pendingTransactions }) => (signers.length > 0 ? pendingTransactions : null),
  ),
  ofChain(
    'unpaid_gas_budget',
    'Gas an hour that contracts may make the service lose: `unpaidGasPerHour`.',
    ({ unpaidGas }) => unpaidGas?.budget ?? null,
  ),
  ofShare('unpaid_gas_lost', 'Gas lost within the last hour, by share.', ({ lost }) => lost),
  ofShare('unpaid_gas_at_risk', 'Gas that pending transactions may lose, by share.', ({ atRisk }) => atRisk),
  ofShare(
    'unpaid_gas_refused',
    'Requests refused for want of budget since the start, by share.',
    ({ refused }) => refused,
  ),
  ofSigner('signer_balance_wei', 'Native balance of a signer.', ({ balance }) => balance),
  ofSigner(
    'signer_runway_relays',
    'Relays that the balance pays for at today’s gas.',
    ({ runway }) => runway,
  ),
  ofSigner('signer_paused', '1 while the signer sends nothing.', ({ paused }) => Number(paused)),
  ofSigner(
    'signer_pending_transactions',
    'Transactions of a signer not final.',
    (signer) => signer.pendingTransactions,
  ),
  ofLedger('ledger_relays', 'Relays booked.', ({ relays }) => relays),
  ofLedger('ledger_withdrawn', 'Withdrawn, smallest unit of the asset.', ({ withdrawn }) => withdrawn),
  ofLedger(
    'ledger_fee_received',
    'Fees received, smallest unit of the asset.',
    ({ feeReceived }) => feeReceived,
  ),
  ofLedger('ledger_gas_spent_wei', 'Native coin spent on gas.', ({ gasSpent }) => gasSpent),
  ofLedger(
    'ledger_top_up_spent_wei',
    'Native coin given to recipients (`extraGas`).',
    ({ topUpSpent }) => topUpSpent,
  ),
  {
    name: 'pool_ready',
    help: '1 while the pool’s state is fresh enough to relay from.',
    labelNames: ['chain', 'asset'],
    read: ({ chains }) =>
      chains.flatMap((chain) =>
        chain.pools.map((pool) => ({
          labels: { chain: chain.chainId, asset: pool.symbol },
          value: Number(pool.ready),
        })),
      ),
  },
  ofRecord(
    'relay_requests',
    'Relays by status since the database was made.',
    'status',
    ({ requests }) => requests,
  ),
  ofRecord(
    'relay_refusals',
    'Refused relay requests by code since the start.',
    'code',
    ({ refusals }) => refusals,
  ),
  ofRecord(
    'proving_pool',
    'Worker threads: workers, queued, running, verified, batches.',
    'figure',
    (overview) => ({
      ...overview.proving,
    }),
  ),
  ofRecord(
    'proof_cross_checks',
    'Proofs that snarkjs verified as well, since the start: agreed, disagreed, failed.',
    'result',
    ({ crossChecks }) => crossChecks,
  ),
]

function ofChain(name: string, help: string, read: (chain: Chain) => number | bigint | null): Figure {
  return {
    name,
    help,
    labelNames: ['chain'],
    read: ({ chains }) => chains.flatMap((chain) => sample({ chain: chain.chainId }, read(chain))),
  }
}

function ofNode(name: string, help: string, read: (node: NodeFigures) => number | null): Figure {
  return {
    name,
    help,
    labelNames: ['chain', 'node'],
    read: ({ chains }) =>
      chains.flatMap(({ chainId, nodes }) =>
        nodes.flatMap((node) => sample({ chain: chainId, node: node.name }, read(node))),
      ),
  }
}

function ofShare(
  name: string,
  help: string,
  read: (unpaid: NonNullable<Chain['unpaidGas']>) => Readonly<Record<string, number | bigint>>,
): Figure {
  return {
    name,
    help,
    labelNames: ['chain', 'share'],
    read: ({ chains }) =>
      chains.flatMap(({ chainId, unpaidGas }) =>
        Object.entries(unpaidGas ? read(unpaidGas) : {}).flatMap(([share, value]) =>
          sample({ chain: chainId, share }, value),
        ),
      ),
  }
}

function ofSigner(name: string, help: string, read: (signer: Signer) => number | bigint): Figure {
  return {
    name,
    help,
    labelNames: ['chain', 'signer'],
    read: ({ chains }) =>
      chains
        .flatMap(({ signers }) => signers)
        .flatMap((signer) => sample({ chain: signer.chainId, signer: signer.address }, read(signer))),
  }
}

function ofLedger(name: string, help: string, read: (booking: Booking) => number | bigint): Figure {
  return {
    name,
    help,
    labelNames: ['chain', 'asset'],
    read: ({ ledger }) =>
      ledger.flatMap((booking) => sample({ chain: booking.chainId, asset: booking.symbol }, read(booking))),
  }
}

function ofRecord(
  name: string,
  help: string,
  label: string,
  read: (overview: WithdrawalsOverview) => Record<string, number>,
): Figure {
  return {
    name,
    help,
    labelNames: [label],
    read: (overview) =>
      Object.entries(read(overview)).flatMap(([key, value]) => sample({ [label]: key }, value)),
  }
}

function sample(labels: Sample['labels'], value: number | bigint | null): Sample[] {
  return value === null ? [] : [{ labels, value: Number(value) }]
}
