// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity ^0.8.30;

/// ein Wörtchen „über" 日本 😀
library Sums {
    function add(uint256 one, uint256 other) public pure returns (uint256) {
        return one + other;
    }
}

contract Verified {
    address public immutable owner;
    uint256 public immutable limit;

    constructor(address owner_, uint256 limit_) {
        owner = owner_;
        limit = limit_;
    }

    /// @notice zahlt "quoted" back \ slash
    function pay(address to, uint256 amount) external view returns (bool) {
        return to != owner && Sums.add(amount, 1) < limit;
    }
}
