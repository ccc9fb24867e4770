// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {Withdrawal, WithdrawProof} from "./Proofs.sol";

/// The part of a pool that the Entrypoint uses.
interface IPool {
    function SCOPE() external view returns (uint256);
    function ASSET() external view returns (address);
    function ENTRYPOINT() external view returns (address);
    function deposit(address _depositor, uint256 _value, uint256 _precommitmentHash)
        external
        payable
        returns (uint256 _commitment);
    function withdraw(Withdrawal calldata _withdrawal, WithdrawProof calldata _proof) external;
    function windDown() external;
}
