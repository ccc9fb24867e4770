// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// A sanctions oracle with the functions of the published one on the public chains; its owner writes the list.
contract SanctionsList {
    address public immutable owner = msg.sender;
    mapping(address => bool) private listed;

    event SanctionedAddressesAdded(address[] addrs);
    event SanctionedAddressesRemoved(address[] addrs);

    error NotOwner();

    modifier onlyOwner() {
        require(msg.sender == owner, NotOwner());
        _;
    }

    function isSanctioned(address addr) external view returns (bool) {
        return listed[addr];
    }

    function addToSanctionsList(address[] calldata newSanctions) external onlyOwner {
        for (uint256 i = 0; i < newSanctions.length; ++i) listed[newSanctions[i]] = true;
        emit SanctionedAddressesAdded(newSanctions);
    }

    function removeFromSanctionsList(address[] calldata removeSanctions) external onlyOwner {
        for (uint256 i = 0; i < removeSanctions.length; ++i) listed[removeSanctions[i]] = false;
        emit SanctionedAddressesRemoved(removeSanctions);
    }
}
