// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// The data that a withdrawal's proof is bound to, besides the scope.
/// `processooor` alone may call `withdraw`; `data` means nothing to the pool.
struct Withdrawal {
    address processooor;
    bytes data;
}

/// A Groth16 proof of the `withdraw` circuit.
struct WithdrawProof {
    uint256[2] pA;
    uint256[2][2] pB;
    uint256[2] pC;
    // newCommitment, nullifierHash, withdrawnValue, stateRoot, stateTreeDepth, aspRoot, aspTreeDepth, context
    uint256[8] pubSignals;
}

/// A Groth16 proof of the `commitment` circuit.
struct RagequitProof {
    uint256[2] pA;
    uint256[2][2] pB;
    uint256[2] pC;
    // commitment, nullifierHash, value, label
    uint256[4] pubSignals;
}

interface IWithdrawVerifier {
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[8] calldata)
        external
        view
        returns (bool);
}

interface ICommitmentVerifier {
    function verifyProof(uint256[2] calldata, uint256[2][2] calldata, uint256[2] calldata, uint256[4] calldata)
        external
        view
        returns (bool);
}
