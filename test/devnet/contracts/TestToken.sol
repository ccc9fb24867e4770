// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {ERC20} from "@openzeppelin/contracts/token/ERC20/ERC20.sol";

/// Worthless money: anybody may mint it.
contract TestToken is ERC20 {
    uint8 private immutable _decimals;

    constructor(string memory name, string memory symbol, uint8 decimals_, address[] memory holders, uint256 amount)
        ERC20(name, symbol)
    {
        _decimals = decimals_;
        for (uint256 i = 0; i < holders.length; ++i) _mint(holders[i], amount);
    }

    function mint(address to, uint256 amount) external {
        _mint(to, amount);
    }

    function decimals() public view override returns (uint8) {
        return _decimals;
    }
}
