import { parseAbi } from 'viem'

/** Events of the pools and the Entrypoint, and the calls that only clients and the ASP make. */
export const poolEventsAbi = parseAbi([
  'event LeafInserted(uint256 _index, uint256 _leaf, uint256 _root)',
  'event Deposited(address indexed _depositor, uint256 _commitment, uint256 _label, uint256 _value, uint256 _precommitmentHash)',
  'event Withdrawn(address indexed _processooor, uint256 _value, uint256 _spentNullifier, uint256 _newCommitment)',
  'event Ragequit(address indexed _ragequitter, uint256 _commitment, uint256 _label, uint256 _value)',
])

/** The Entrypoint's function and event for association set roots. */
export const associationSetsAbi = parseAbi([
  'function updateRoot(uint256 _root, string _ipfsCID) returns (uint256 _index)',
  'event RootUpdated(uint256 _root, string _ipfsCID, uint256 _timestamp)',
])
