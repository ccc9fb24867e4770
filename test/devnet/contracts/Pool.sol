// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {SNARK_SCALAR_FIELD} from "@zk-kit/lean-imt.sol/Constants.sol";
import {PoseidonT4} from "poseidon-solidity/PoseidonT4.sol";
import {IAssociationSets} from "./IAssociationSets.sol";
import {IPool} from "./IPool.sol";
import {ICommitmentVerifier, IWithdrawVerifier, RagequitProof, Withdrawal, WithdrawProof} from "./Proofs.sol";
import {StateTree} from "./StateTree.sol";

/// Holds one asset for the owners of hidden notes. Deposits come through the Entrypoint; a note leaves by a proof of
/// withdrawal, or in the open by its depositor's ragequit.
abstract contract Pool is IPool, StateTree {
    uint256 public immutable SCOPE;
    address public immutable ASSET;
    address public immutable ENTRYPOINT;
    address public immutable WITHDRAWAL_VERIFIER;
    address public immutable RAGEQUIT_VERIFIER;

    /// Deposits so far; every label is made from its own value of it.
    uint256 public nonce;
    /// A dead pool takes no deposits; what it holds can still leave.
    bool public dead;
    mapping(uint256 _nullifierHash => bool _spent) public nullifierHashes;
    mapping(uint256 _label => address _depositooor) public depositors;

    event Deposited(
        address indexed _depositor, uint256 _commitment, uint256 _label, uint256 _value, uint256 _precommitmentHash
    );
    event Withdrawn(address indexed _processooor, uint256 _value, uint256 _spentNullifier, uint256 _newCommitment);
    event Ragequit(address indexed _ragequitter, uint256 _commitment, uint256 _label, uint256 _value);
    event PoolDied();

    error ContextMismatch();
    error IncorrectASPRoot();
    error InvalidCommitment();
    error InvalidDepositValue();
    error InvalidProcessooor();
    error InvalidProof();
    error InvalidTreeDepth();
    error NullifierAlreadySpent();
    error OnlyEntrypoint();
    error OnlyOriginalDepositor();
    error PoolIsDead();
    error UnknownStateRoot();
    error ZeroAddress();
    // Of the ABI, but without a use here.
    error NotYetRagequitteable();
    error ScopeMismatch();

    modifier onlyEntrypoint() {
        require(msg.sender == ENTRYPOINT, OnlyEntrypoint());
        _;
    }

    constructor(address entrypoint, address withdrawalVerifier, address ragequitVerifier, address asset) {
        require(entrypoint != address(0) && asset != address(0), ZeroAddress());
        require(withdrawalVerifier != address(0) && ragequitVerifier != address(0), ZeroAddress());
        ENTRYPOINT = entrypoint;
        WITHDRAWAL_VERIFIER = withdrawalVerifier;
        RAGEQUIT_VERIFIER = ragequitVerifier;
        ASSET = asset;
        SCOPE = uint256(keccak256(abi.encodePacked(address(this), block.chainid, asset))) % SNARK_SCALAR_FIELD;
    }

    function deposit(address _depositor, uint256 _value, uint256 _precommitmentHash)
        external
        payable
        onlyEntrypoint
        returns (uint256 _commitment)
    {
        require(!dead, PoolIsDead());
        // The circuit's range check: a larger note could never be spent.
        require(_value != 0 && _value < type(uint128).max, InvalidDepositValue());
        uint256 label = uint256(keccak256(abi.encodePacked(SCOPE, ++nonce))) % SNARK_SCALAR_FIELD;
        depositors[label] = _depositor;
        _commitment = PoseidonT4.hash([_value, label, _precommitmentHash]);
        _insert(_commitment);
        _pull(msg.sender, _value);
        emit Deposited(_depositor, _commitment, label, _value, _precommitmentHash);
    }

    /// Spends a note in whole or in part; the rest becomes a new note under the same label.
    function withdraw(Withdrawal calldata _withdrawal, WithdrawProof calldata _proof) external {
        uint256[8] calldata signals = _proof.pubSignals;
        require(msg.sender == _withdrawal.processooor, InvalidProcessooor());
        uint256 context = uint256(keccak256(abi.encode(_withdrawal, SCOPE))) % SNARK_SCALAR_FIELD;
        require(signals[7] == context, ContextMismatch());
        require(signals[4] <= MAX_TREE_DEPTH && signals[6] <= MAX_TREE_DEPTH, InvalidTreeDepth());
        require(_isKnownRoot(signals[3]), UnknownStateRoot());
        require(signals[5] == IAssociationSets(ENTRYPOINT).latestRoot(), IncorrectASPRoot());
        require(
            IWithdrawVerifier(WITHDRAWAL_VERIFIER).verifyProof(_proof.pA, _proof.pB, _proof.pC, signals),
            InvalidProof()
        );
        _spend(signals[1]);
        _insert(signals[0]);
        _push(msg.sender, signals[2]);
        emit Withdrawn(msg.sender, signals[2], signals[1], signals[0]);
    }

    /// Gives a note back to its depositor in the open, whatever the association set says of it.
    function ragequit(RagequitProof calldata _proof) external {
        uint256[4] calldata signals = _proof.pubSignals;
        require(depositors[signals[3]] == msg.sender, OnlyOriginalDepositor());
        require(
            ICommitmentVerifier(RAGEQUIT_VERIFIER).verifyProof(_proof.pA, _proof.pB, _proof.pC, signals),
            InvalidProof()
        );
        require(_contains(signals[0]), InvalidCommitment());
        _spend(signals[1]);
        _push(msg.sender, signals[2]);
        emit Ragequit(msg.sender, signals[0], signals[3], signals[2]);
    }

    function windDown() external onlyEntrypoint {
        require(!dead, PoolIsDead());
        dead = true;
        emit PoolDied();
    }

    function _spend(uint256 nullifierHash) private {
        require(!nullifierHashes[nullifierHash], NullifierAlreadySpent());
        nullifierHashes[nullifierHash] = true;
    }

    /// Takes a deposit from the Entrypoint.
    function _pull(address from, uint256 value) internal virtual;

    /// Pays a withdrawal or a ragequit.
    function _push(address to, uint256 value) internal virtual;
}
