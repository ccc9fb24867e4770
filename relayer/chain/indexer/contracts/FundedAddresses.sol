// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

/// Reports which of many addresses have native coins, within one eth_call and without deployment. Its constructor returns a
/// byte for each address in place of code: 1 if it has any.
contract FundedAddresses {
    constructor(address[] memory owners) {
        bytes memory funded = new bytes(owners.length);
        for (uint256 i = 0; i < owners.length; ++i) {
            if (owners[i].balance > 0) funded[i] = 0x01;
        }
        assembly {
            return(add(funded, 32), mload(funded))
        }
    }
}
