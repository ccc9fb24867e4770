import { addressBookOperations } from './account/address-book/operations.ts'
import { addressOperations } from './account/addresses/operations.ts'
import { addAppGraph, addAppNodes } from './account/apps/graph.ts'
import { appOperations } from './account/apps/operations.ts'
import { addHoldingsGraph } from './account/balances/graph.ts'
import { holdingsOperations } from './account/balances/operations.ts'
import { collectibleOperations } from './account/collectible/operations.ts'
import { addDepositReviewGraph, addReviewNodes } from './account/deposit-review/graph.ts'
import { depositReviewOperations } from './account/deposit-review/operations.ts'
import { noteOperations } from './account/notes/operations.ts'
import { addAccountNodes, addViewer } from './account/profile/graph.ts'
import { addContactGraph, addContactNodes } from './account/address-book/graph.ts'
import { addAddressGraph, addAddressNodes } from './account/addresses/graph.ts'
import { addBalanceNodes } from './account/balances/balance-node.ts'
import { addChainNodes } from './chain/graph.ts'
import { addTokenGraph, addTokenNodes } from './market/tokens/graph.ts'
import { accountOperations } from './account/profile/operations.ts'
import { referralOperations } from './account/referrals/operations.ts'
import { subdomainOperations } from './account/subdomains/operations.ts'
import { addActivityNodes } from './activity/activity-node.ts'
import { addActivityGraph } from './activity/graph.ts'
import { activityOperations } from './activity/operations.ts'
import { pendingOperations } from './activity/pending-operations.ts'
import { addAccountEvents } from './events/graph.ts'
import { chainOperations } from './chain/operations.ts'
import { identityOperations } from './identity/operations.ts'
import { clearSigningOperations } from './inspect/clear-signing/operations.ts'
import { simulationOperations } from './inspect/simulation/operations.ts'
import { functionSignatureOperations } from './inspect/function-signatures/operations.ts'
import { verifiedSourceOperations } from './inspect/verified-sources/operations.ts'
import { tokenOperations } from './market/tokens/operations.ts'
import { addNoteGraph, addNoteNodes } from './pool/account/graph.ts'
import { accountPoolOperations } from './pool/account/operations.ts'
import { addRelayNodes, relayerOperations, addRelayerGraph } from './pool/relay/operations.ts'
import { addPoolGraph, addPoolNodes } from './pool/state/graph.ts'
import { poolOperations } from './pool/state/operations.ts'
import { withdrawalOperations } from './transact/withdrawal-operations.ts'
import { poolRecoveryOperations } from './transact/recovery-operations.ts'
import { addQuoteEdges, addQuoteNodes } from './transact/quote-node.ts'
import { transactOperations } from './transact/operations.ts'
import { addSubmitGraph, submitSignatures } from './transact/submit-graph.ts'
import { submitOperations } from './transact/submit-operations.ts'
import type { Operation } from './define/operation.ts'
import type { GraphFeature, GraphNodes } from './graph/graph-feature.ts'

/** A feature's part of the API. */
export interface Feature {
  /** Its operations. Each is a REST route, an OpenAPI entry and a GraphQL field. */
  operations: readonly Operation[]
  /** Operations that GraphQL has with another input; REST has those of the same names. */
  inGraph?: readonly Operation[]
  /** Its types that have ids in GraphQL. */
  nodes?: GraphNodes
  /** Its parts for GraphQL only: subscriptions, and additional fields of existing types. */
  graph?: GraphFeature
}

/** The whole API, a line for each feature, in the order of the API reference. */
export const features: readonly Feature[] = [
  { operations: relayerOperations, nodes: addRelayNodes, graph: addRelayerGraph },
  { operations: identityOperations },
  { operations: accountOperations, nodes: addAccountNodes, graph: addViewer },
  { operations: subdomainOperations },
  { operations: referralOperations },
  { operations: addressOperations, nodes: addAddressNodes, graph: addAddressGraph },
  { operations: appOperations, nodes: addAppNodes, graph: addAppGraph },
  { operations: holdingsOperations, nodes: addBalanceNodes, graph: addHoldingsGraph },
  { operations: collectibleOperations },
  { operations: transactOperations, nodes: addQuoteNodes, graph: addQuoteEdges },
  { operations: poolRecoveryOperations },
  { operations: withdrawalOperations },
  { operations: submitOperations, inGraph: [submitSignatures], graph: addSubmitGraph },
  { operations: activityOperations, nodes: addActivityNodes, graph: addActivityGraph },
  { operations: pendingOperations },
  { operations: depositReviewOperations, nodes: addReviewNodes, graph: addDepositReviewGraph },
  { operations: [], graph: addAccountEvents },
  { operations: noteOperations },
  { operations: addressBookOperations, nodes: addContactNodes, graph: addContactGraph },
  { operations: chainOperations, nodes: addChainNodes },
  { operations: poolOperations, nodes: addPoolNodes, graph: addPoolGraph },
  { operations: accountPoolOperations, nodes: addNoteNodes, graph: addNoteGraph },
  { operations: tokenOperations, nodes: addTokenNodes, graph: addTokenGraph },
  { operations: simulationOperations },
  { operations: functionSignatureOperations },
  { operations: verifiedSourceOperations },
  { operations: clearSigningOperations },
]

const inGraph = new Map(
  features.flatMap((feature) => (feature.inGraph ?? []).map((operation) => [operation.name, operation])),
)

/** Every operation of the API, in the order of the API reference. */
export const operations: readonly Operation[] = features.flatMap((feature) => feature.operations)

/** The same as GraphQL has them. */
export const graphOperations: readonly Operation[] = operations.map(
  (operation) => inGraph.get(operation.name) ?? operation,
)
