// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {AccessControl} from "@openzeppelin/contracts/access/AccessControl.sol";
import {IAssociationSets} from "./IAssociationSets.sol";

/// The roots that the association set provider has published. Only the latest one counts for withdrawals.
abstract contract AssociationSets is AccessControl, IAssociationSets {
    struct AssociationSet {
        uint256 root;
        string ipfsCID;
        uint256 timestamp;
    }

    bytes32 internal constant POSTMAN_ROLE = keccak256("ASP_POSTMAN");
    uint256 private constant MIN_CID_LENGTH = 32;
    uint256 private constant MAX_CID_LENGTH = 64;

    AssociationSet[] public associationSets;

    event RootUpdated(uint256 _root, string _ipfsCID, uint256 _timestamp);

    error EmptyRoot();
    error InvalidIPFSCIDLength();
    error InvalidIndex();
    error NoRootsAvailable();

    function updateRoot(uint256 _root, string calldata _ipfsCID)
        external
        onlyRole(POSTMAN_ROLE)
        returns (uint256 _index)
    {
        require(_root != 0, EmptyRoot());
        uint256 length = bytes(_ipfsCID).length;
        require(length >= MIN_CID_LENGTH && length <= MAX_CID_LENGTH, InvalidIPFSCIDLength());
        _index = associationSets.length;
        associationSets.push(AssociationSet(_root, _ipfsCID, block.timestamp));
        emit RootUpdated(_root, _ipfsCID, block.timestamp);
    }

    function latestRoot() external view returns (uint256 _root) {
        uint256 count = associationSets.length;
        require(count != 0, NoRootsAvailable());
        return associationSets[count - 1].root;
    }

    function rootByIndex(uint256 _index) external view returns (uint256 _root) {
        require(_index < associationSets.length, InvalidIndex());
        return associationSets[_index].root;
    }
}
