// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {InternalLeanIMT, LeanIMTData} from "@zk-kit/lean-imt.sol/InternalLeanIMT.sol";

/// A lean incremental Merkle tree of commitments that remembers its last 64 roots, so that a proof made against one
/// of them outlives the next 63 inserts.
abstract contract StateTree {
    using InternalLeanIMT for LeanIMTData;

    uint32 public constant ROOT_HISTORY_SIZE = 64;
    uint32 public constant MAX_TREE_DEPTH = 32;

    /// Index of the current root in `roots`.
    uint32 public currentRootIndex;
    /// A ring: the oldest root makes room for the newest.
    mapping(uint256 _index => uint256 _root) public roots;
    LeanIMTData private _tree;

    /// `_index` counts from 1: it is the tree's size after the insert.
    event LeafInserted(uint256 _index, uint256 _leaf, uint256 _root);

    error MaxTreeDepthReached();

    function currentRoot() external view returns (uint256 _root) {
        return _tree._root();
    }

    function currentTreeDepth() external view returns (uint256 _depth) {
        return _tree.depth;
    }

    function currentTreeSize() external view returns (uint256 _size) {
        return _tree.size;
    }

    function _insert(uint256 leaf) internal {
        uint256 root = _tree._insert(leaf);
        require(_tree.depth <= MAX_TREE_DEPTH, MaxTreeDepthReached());
        uint32 index = (currentRootIndex + 1) % ROOT_HISTORY_SIZE;
        currentRootIndex = index;
        roots[index] = root;
        emit LeafInserted(_tree.size, leaf, root);
    }

    function _contains(uint256 leaf) internal view returns (bool) {
        return _tree._has(leaf);
    }

    /// Looks from the newest root backwards: a fresh proof costs least.
    function _isKnownRoot(uint256 root) internal view returns (bool) {
        if (root == 0) return false;
        uint32 index = currentRootIndex;
        for (uint32 i = 0; i < ROOT_HISTORY_SIZE; ++i) {
            if (roots[index] == root) return true;
            index = index == 0 ? ROOT_HISTORY_SIZE - 1 : index - 1;
        }
        return false;
    }
}
