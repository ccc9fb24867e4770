// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// The part of the Entrypoint that a pool uses.
interface IAssociationSets {
    /// Root of the labels that may withdraw now.
    function latestRoot() external view returns (uint256 _root);
}
