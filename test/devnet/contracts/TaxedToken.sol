// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity 0.8.30;

import {TestToken} from "./TestToken.sol";

/// A test token that burns 3 % of every transfer: less arrives than a pool or a quoter says.
contract TaxedToken is TestToken {
    constructor(string memory name, string memory symbol, uint8 decimals_, address[] memory holders, uint256 amount)
        TestToken(name, symbol, decimals_, holders, amount)
    {}

    function _update(address from, address to, uint256 value) internal override {
        uint256 tax = from == address(0) || to == address(0) ? 0 : (value * 3) / 100;
        if (tax > 0) super._update(from, address(0), tax);
        super._update(from, to, value - tax);
    }
}
